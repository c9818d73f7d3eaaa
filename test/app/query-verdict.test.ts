import { describe, expect, it } from 'vitest';
import { verdictOn } from '../../src/app/query-verdict.ts';
import type { ListedQuery } from '../../src/model/query.ts';
import { at, epoch, idAt } from '../guard/listed.ts';
import { entryAt, guardOf, heardAt, runaway, sightOf } from './guard-scene.ts';

const scan: ListedQuery = { state: 'running', id: idAt(0), graph: 'fraud', query: 'ring_scan', kind: 'installed' };
const protect = [{ query: 'nightly_*' }];

function verdictsAfter(last: number, changes: Readonly<Record<string, unknown>> = {}, node = 'm1') {
  const sight = sightOf({ policies: [{ ...runaway, ...changes }], protect });
  for (let now = 5000; now <= last; now += 5000) {
    sight.heard(heardAt(at(now), [entryAt(now, 0), entryAt(now, 0, { requestid: idAt(0, 1), url: nightly })], node));
  }
  return verdictOn({ sight, protect: guardOf({ protect }).protect, now: at(last) });
}

const nightly = '/query/fraud/nightly_load?customer=4711';

function instant(after: number): string {
  return new Date(epoch + after).toISOString();
}

describe('what the guard says of a query', () => {
  it('is which policy matches since when, and when it would abort at the earliest', () => {
    expect(verdictsAfter(20_000)('m1', scan)).toEqual({
      policy: 'runaway',
      matchesAt: instant(10_000),
      abortAt: instant(40_000),
      protected: false,
    });
  });

  it('is which policy is going to', () => {
    const verdict = verdictsAfter(5000, { when: { age: '> 10m' }, grace: '1m' });
    expect(verdict('m1', scan)).toMatchObject({ matchesAt: instant(600_000), abortAt: instant(660_000) });
  });

  it('is that it is protected, whatever a policy says', () => {
    const shielded = { ...scan, id: idAt(0, 1), query: 'nightly_load' };
    const silent = { policy: null, matchesAt: null, abortAt: null, protected: true };
    expect(verdictsAfter(20_000)('m1', shielded)).toEqual(silent);
    expect(verdictsAfter(20_000)('m1', { ...shielded, state: 'delayed' })).toEqual(silent);
  });

  it.each<[string, Partial<ListedQuery>, string]>([
    ['another id', { id: idAt(1) }, 'm1'],
    ['another node', {}, 'm2'],
    ['one that waits', { state: 'delayed' }, 'm1'],
  ])('is nothing of %s', (_, changes, node) => {
    const silent = { policy: null, matchesAt: null, abortAt: null, protected: false };
    expect(verdictsAfter(20_000)(node, { ...scan, ...changes })).toEqual(silent);
  });

  it('tells of no abort on a node that is not covered', () => {
    const verdict = verdictsAfter(20_000, {}, 'm2')('m2', scan);
    expect(verdict).toMatchObject({ policy: 'runaway', matchesAt: expect.any(String), abortAt: null });
  });

  it('has times that can be written, whatever is claimed', () => {
    const when = { age_share: '> 99' };
    const sight = sightOf({ policies: [{ ...runaway, when }] });
    const claim = { startTime: '0001-01-01 00:00:00', expirationTime: '9999-12-31 00:00:00' };
    sight.heard(heardAt(at(5000), [entryAt(5000, 0, claim)]));
    const verdict = verdictOn({ sight, protect: [], now: at(5000) })('m1', scan);
    expect(verdict).toMatchObject({ matchesAt: '9999-12-31T00:00:00.000Z', abortAt: '9999-12-31T00:00:00.000Z' });
  });

  it('is nothing at all without policies', () => {
    expect(verdictOn(undefined)('m1', scan)).toEqual({ policy: null, matchesAt: null, abortAt: null, protected: null });
  });
});
