import { describe, expect, it, onTestFinished } from 'vitest';
import { createQueryStatusLookup } from '../../../src/app/guard/query-guard-status.ts';
import type { ListedQuery } from '../../../src/model/query.ts';
import { epoch, idAt } from '../../guard/observations.ts';
import { createGuardFixture, entryAt, receivedListAt, runaway } from './guard-fixture.ts';

const scan: ListedQuery = { state: 'running', id: idAt(0), graph: 'fraud', query: 'ring_scan', kind: 'installed' };
const protect = [{ query: 'nightly_*' }];

/** The verdicts of a policy that observes, after it has looked at a query for some time. */
async function verdictsAfter(seconds: number, changes: Readonly<Record<string, unknown>> = {}) {
  const bed = createGuardFixture({ policies: [{ ...runaway, ...changes }], protect });
  bed.nodes.arrivals = [0];
  await bed.begin();
  await bed.run(seconds);
  onTestFinished(bed.end);
  return bed.supervisor.queryStatuses('prod');
}

const nothing = { policy: null, matchesAt: null, earliestAbortAt: null, mode: null, held: null, heldUntil: null };

function instant(after: number): string {
  return new Date(epoch + after).toISOString();
}

describe('the guard status of a query', () => {
  it('has the policy, the match time and the earliest abort time', async () => {
    expect((await verdictsAfter(20))('m1', scan)).toEqual({
      policy: 'runaway',
      matchesAt: instant(10_000),
      earliestAbortAt: instant(40_000),
      protected: false,
      mode: 'observe',
      held: null,
      heldUntil: null,
    });
  });

  it('has the reason for a delay, with its end', async () => {
    const budgets = { per_node: { max: 1, within: '10m' }, per_cluster: { max: 6, within: '10m' } };
    const enforced = { ...runaway, mode: 'enforce', grace: '5s', cooldown: '1m' };
    const bed = createGuardFixture({ mode: 'enforce', budgets, policies: [enforced] });
    bed.nodes.arrivals = [0, 1];
    await bed.begin();
    await bed.run(20);
    const [aborted] = bed.nodes.orders;
    const waiting = { ...scan, id: aborted?.id === idAt(0) ? idAt(1) : idAt(0) };
    const { held, heldUntil } = bed.supervisor.queryStatuses('prod')('m1', waiting);
    expect(held).toBe('cooldown');
    expect(Date.parse(heldUntil ?? '')).toBeGreaterThan(bed.clock.now().wall);
    await bed.run(60);
    expect(bed.supervisor.queryStatuses('prod')('m1', waiting)).toMatchObject({ held: 'node_budget' });
    const tried = { ...scan, id: aborted?.id ?? '' };
    expect(bed.supervisor.queryStatuses('prod')('m1', tried)).toMatchObject({ held: 'tried_before' });
    await bed.supervisor.pause('ada', 'operator');
    expect(bed.supervisor.queryStatuses('prod')('m1', waiting)).toMatchObject({ held: 'paused', heldUntil: null });
    await bed.end();
  });

  it('has the policy that is going to match', async () => {
    const verdict = await verdictsAfter(6, { when: { age: '> 10m' }, grace: '1m' });
    expect(verdict('m1', scan)).toMatchObject({ matchesAt: instant(600_000), earliestAbortAt: instant(660_000) });
  });

  it('is protected even if a policy matches', async () => {
    const verdict = await verdictsAfter(20);
    const shielded = { ...scan, id: idAt(0, 1), query: 'nightly_load' };
    const silent = { ...nothing, protected: true };
    expect(verdict('m1', shielded)).toEqual(silent);
    expect(verdict('m1', { ...shielded, state: 'delayed' })).toEqual(silent);
  });

  it.each<[string, Partial<ListedQuery>, string]>([
    ['another id', { id: idAt(1) }, 'm1'],
    ['another node', {}, 'm2'],
    ['one that waits', { state: 'delayed' }, 'm1'],
  ])('is empty for %s', async (_, changes, node) => {
    const silent = { ...nothing, protected: false };
    expect((await verdictsAfter(20))(node, { ...scan, ...changes })).toEqual(silent);
  });

  it('has no earliest abort time on a node that is not covered', async () => {
    const bed = createGuardFixture({ policies: [runaway] });
    await bed.begin();
    const second = { requestid: idAt(0, 1, 'RESTPP_2_1') };
    for (let cycle = 0; cycle < 4; cycle += 1) {
      await bed.clock.advance(5000);
      const now = bed.clock.now();
      bed.supervisor.onPollResult(...receivedListAt(now, [entryAt(now.wall - epoch, 0, second)], 'm2'));
    }
    const verdict = bed.supervisor.queryStatuses('prod')('m2', { ...scan, id: second.requestid });
    expect(verdict).toMatchObject({ policy: 'runaway', matchesAt: expect.any(String), held: 'not_covered' });
    expect(verdict.earliestAbortAt).toBeNull();
    await bed.end();
  });

  it('has valid times for any elapsed time that the server reports', async () => {
    const bed = createGuardFixture({ policies: [{ ...runaway, when: { age_share: '> 99' } }] });
    await bed.begin();
    const claim = { startTime: '0001-01-01 00:00:00', expirationTime: '9999-12-31 00:00:00' };
    await bed.clock.advance(5000);
    bed.supervisor.onPollResult(...receivedListAt(bed.clock.now(), [entryAt(5000, 0, claim)]));
    const verdict = bed.supervisor.queryStatuses('prod')('m1', scan);
    expect(verdict).toMatchObject({
      matchesAt: '9999-12-31T00:00:00.000Z',
      earliestAbortAt: '9999-12-31T00:00:00.000Z',
    });
    await bed.end();
  });

  it('is empty without policies', () => {
    expect(createQueryStatusLookup(undefined)('m1', scan)).toEqual({ ...nothing, protected: null });
  });
});
