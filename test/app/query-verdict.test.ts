import { describe, expect, it } from 'vitest';
import { verdictOn } from '../../src/app/query-verdict.ts';
import type { ListedQuery } from '../../src/model/query.ts';
import { epoch, idAt } from '../guard/listed.ts';
import { entryAt, guardBed, heardAt, runaway } from './guard-scene.ts';

const scan: ListedQuery = { state: 'running', id: idAt(0), graph: 'fraud', query: 'ring_scan', kind: 'installed' };
const protect = [{ query: 'nightly_*' }];

/** The verdicts of a policy that observes, after it has looked at a query for some time. */
async function verdictsAfter(seconds: number, changes: Readonly<Record<string, unknown>> = {}) {
  const bed = guardBed({ policies: [{ ...runaway, ...changes }], protect });
  bed.nodes.arrivals = [0];
  await bed.begin();
  await bed.run(seconds);
  const verdict = bed.watch.verdicts('prod');
  await bed.end();
  return verdict;
}

function instant(after: number): string {
  return new Date(epoch + after).toISOString();
}

describe('what the guard says of a query', () => {
  it('is which policy matches since when, and when it aborts at the earliest', async () => {
    expect((await verdictsAfter(20))('m1', scan)).toEqual({
      policy: 'runaway',
      matchesAt: instant(10_000),
      abortAt: instant(40_000),
      protected: false,
    });
  });

  it('is which policy is going to', async () => {
    const verdict = await verdictsAfter(6, { when: { age: '> 10m' }, grace: '1m' });
    expect(verdict('m1', scan)).toMatchObject({ matchesAt: instant(600_000), abortAt: instant(660_000) });
  });

  it('is that it is protected, whatever a policy says', async () => {
    const verdict = await verdictsAfter(20);
    const shielded = { ...scan, id: idAt(0, 1), query: 'nightly_load' };
    const silent = { policy: null, matchesAt: null, abortAt: null, protected: true };
    expect(verdict('m1', shielded)).toEqual(silent);
    expect(verdict('m1', { ...shielded, state: 'delayed' })).toEqual(silent);
  });

  it.each<[string, Partial<ListedQuery>, string]>([
    ['another id', { id: idAt(1) }, 'm1'],
    ['another node', {}, 'm2'],
    ['one that waits', { state: 'delayed' }, 'm1'],
  ])('is nothing of %s', async (_, changes, node) => {
    const silent = { policy: null, matchesAt: null, abortAt: null, protected: false };
    expect((await verdictsAfter(20))(node, { ...scan, ...changes })).toEqual(silent);
  });

  it('tells of no abort on a node that is not covered', async () => {
    const bed = guardBed({ policies: [runaway] });
    await bed.begin();
    const second = { requestid: idAt(0, 1, 'RESTPP_2_1') };
    for (let beat = 0; beat < 4; beat += 1) {
      await bed.clock.advance(5000);
      const now = bed.clock.now();
      bed.watch.heard(heardAt(now, [entryAt(now.wall - epoch, 0, second)], 'm2'));
    }
    const verdict = bed.watch.verdicts('prod')('m2', { ...scan, id: second.requestid });
    expect(verdict).toMatchObject({ policy: 'runaway', matchesAt: expect.any(String), abortAt: null });
    await bed.end();
  });

  it('has times that can be written, whatever is claimed', async () => {
    const bed = guardBed({ policies: [{ ...runaway, when: { age_share: '> 99' } }] });
    await bed.begin();
    const claim = { startTime: '0001-01-01 00:00:00', expirationTime: '9999-12-31 00:00:00' };
    await bed.clock.advance(5000);
    bed.watch.heard(heardAt(bed.clock.now(), [entryAt(5000, 0, claim)]));
    const verdict = bed.watch.verdicts('prod')('m1', scan);
    expect(verdict).toMatchObject({ matchesAt: '9999-12-31T00:00:00.000Z', abortAt: '9999-12-31T00:00:00.000Z' });
    await bed.end();
  });

  it('is nothing at all without policies', () => {
    expect(verdictOn(undefined)('m1', scan)).toEqual({ policy: null, matchesAt: null, abortAt: null, protected: null });
  });
});
