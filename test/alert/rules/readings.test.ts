import { expect, it } from 'vitest';
import { blindFor, placeIn, wasRead } from '../../../src/alert/rules/readings.ts';
import type { CollectorView } from '../../../src/model/situation.ts';
import { situationWith, view } from './judging.ts';

function read(collector: string, seen: CollectorView): boolean {
  return wasRead(situationWith({}, { collectors: [seen] }), collector, 'm1');
}

it('was read when it was good, or when it failed, or when there is nothing to read', () => {
  const { lastSuccess: _, ...unasked } = view('queries', 'm1', { fresh: false });
  expect(read('queries', unasked)).toBe(false);
  expect(read('queries', { ...unasked, reason: 'timeout' })).toBe(true);
  expect(read('queries', view('queries', 'm1'))).toBe(true);
  expect(read('services', unasked)).toBe(true);
});

it('counts from the last success, or from when it was due first', () => {
  const { lastSuccess: _, ...never } = view('queries', 'm1', { dueSince: 200 });
  expect(blindFor(never, 1000)).toBe(800);
  expect(blindFor(view('queries', 'm1', { lastSuccess: 900 }), 1000)).toBe(100);
});

it('says where', () => {
  expect([placeIn({ node: 'm1' }), placeIn({ node: '' })]).toEqual(['on m1', 'of the cluster']);
});
