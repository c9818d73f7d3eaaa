import { describe, expect, it } from 'vitest';
import { queryExplanationSchema } from '../../../src/api/guard-why.ts';
import { epoch, idAt } from '../../guard/observations.ts';
import { createGuardFixture, entryAt, receivedListAt, runaway } from './guard-fixture.ts';

const enforced = { ...runaway, mode: 'enforce', grace: '5s', cooldown: '1m' };
const query = { cluster: 'prod', node: 'm1', id: idAt(0) };

describe('report of an explanation', () => {
  it('has the times of a match in its grace period', async () => {
    const bed = createGuardFixture({ policies: [runaway] });
    bed.nodes.arrivals = [0];
    await bed.begin();
    await bed.run(20);
    const report = bed.supervisor.explain(query);
    expect(queryExplanationSchema.parse({ ...report, aborts: [] })).toEqual({ ...report, aborts: [] });
    expect(report).toMatchObject({
      listing: 'listed',
      graph: 'fraud',
      query: 'ring_scan',
      kind: 'installed',
      policies: [
        {
          policy: 'runaway',
          mode: 'observe',
          matches: true,
          owned: true,
          matchesAt: new Date(epoch + 10_000).toISOString(),
          earliestAbortAt: new Date(epoch + 40_000).toISOString(),
          phase: 'grace',
          held: null,
          heldSince: null,
        },
      ],
    });
    await bed.end();
  });

  it('has the reason for a delay, with its start and end', async () => {
    const bed = createGuardFixture({ mode: 'enforce', policies: [enforced] });
    bed.nodes.arrivals = [0, 1];
    await bed.begin();
    await bed.run(20);
    const waiting = bed.nodes.orders[0]?.id === idAt(0) ? idAt(1) : idAt(0);
    const held = bed.supervisor.explain({ ...query, id: waiting })?.policies[0];
    expect(held).toMatchObject({ held: 'cooldown', heldSince: held?.earliestAbortAt });
    expect(Date.parse(held?.heldUntil ?? '')).toBeGreaterThan(bed.clock.now().wall);
    const pausedAt = bed.clock.now().wall;
    await bed.supervisor.pause('ada', 'operator');
    bed.supervisor.readiness('prod');
    await bed.run(3);
    const paused = bed.supervisor.explain({ ...query, id: waiting })?.policies[0];
    expect(paused).toMatchObject({ held: 'paused', heldSince: new Date(pausedAt).toISOString(), notReady: ['paused'] });
    await bed.end();
  });

  it('names an entry that the guard skips', async () => {
    const bed = createGuardFixture({ policies: [runaway] });
    await bed.begin();
    await bed.clock.advance(5000);
    const now = bed.clock.now();
    bed.supervisor.onPollResult(...receivedListAt(now, [entryAt(now.wall - epoch, 0), entryAt(900_000, 1)]));
    expect(bed.supervisor.explain({ ...query, id: idAt(1) })).toMatchObject({
      listing: 'skipped',
      policies: [],
      query: '',
    });
    await bed.end();
  });

  it('is undefined for a node or cluster that does not exist', async () => {
    const bed = createGuardFixture({ policies: [runaway] });
    await bed.begin();
    expect(bed.supervisor.explain({ ...query, node: 'm9' })).toBeUndefined();
    expect(bed.supervisor.explain({ ...query, cluster: 'dev' })).toBeUndefined();
    await bed.end();
  });
});
