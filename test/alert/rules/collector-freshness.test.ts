import { expect, it } from 'vitest';
import { describeScope, timeSinceSuccess, wasPolled } from '../../../src/alert/rules/collector-freshness.ts';
import type { CollectorView } from '../../../src/model/situation.ts';
import { situationWith, view } from './rule-fixtures.ts';

function read(collector: string, seen: CollectorView): boolean {
  return wasPolled(situationWith({}, { collectors: [seen] }), collector, 'm1');
}

it('a collector counts as polled after a success or a failure, or if there is nothing to poll', () => {
  const { lastSuccess: _, ...unasked } = view('queries', 'm1', { fresh: false });
  expect(read('queries', unasked)).toBe(false);
  expect(read('queries', { ...unasked, reason: 'timeout' })).toBe(true);
  expect(read('queries', view('queries', 'm1'))).toBe(true);
  expect(read('services', unasked)).toBe(true);
});

it('the age counts from the last success, or from the first due time', () => {
  const { lastSuccess: _, ...never } = view('queries', 'm1', { dueSince: 200 });
  expect(timeSinceSuccess(never, 1000)).toBe(800);
  expect(timeSinceSuccess(view('queries', 'm1', { lastSuccess: 900 }), 1000)).toBe(100);
});

it('the scope names the node, or the whole cluster', () => {
  expect([describeScope({ node: 'm1' }), describeScope({ node: '' })]).toEqual(['on m1', 'of the cluster']);
});
