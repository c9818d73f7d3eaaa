import { describe, expect, it } from 'vitest';
import type { GuardSupervisorContext } from '../../../src/app/guard/guard-control.ts';
import { isNodeCovered } from '../../../src/app/guard/query-guard-status.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { FilePresence } from '../../../src/kernel/system.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { idAt } from '../../guard/observations.ts';
import { createGuardFixture, receivedListAt, runaway } from './guard-fixture.ts';

const enforced = { mode: 'enforce', policies: [{ ...runaway, mode: 'enforce', grace: '5s' }] };

/** The guard over one query that runs away. */
async function started(
  guard: Readonly<Record<string, unknown>> = enforced,
  changes: Parameters<typeof createGuardFixture>[1] = {},
) {
  const bed = createGuardFixture(guard, changes);
  bed.nodes.arrivals = [0];
  bed.nodes.reply = { kind: 'accepted', aborted: [idAt(0)] };
  await bed.begin();
  return bed;
}

describe('the guard of a cluster', () => {
  it('requests no list if no policy needs one', async () => {
    const { nodes, run, end } = await started({ mode: 'enforce' });
    await run(20);
    expect(nodes.requested).toEqual([]);
    await end();
  });

  it('aborts a matching query at the earliest abort time, over the connection of the fresh list, and verifies it', async () => {
    const { nodes, run, supervisor, store, end } = await started();
    await run(16);
    expect(nodes.orders).toEqual([
      {
        key: expect.any(String),
        node: 'm1',
        connection: 'c1',
        id: idAt(0),
        graph: 'fraud',
      },
    ]);
    nodes.arrivals = [];
    await run(10);
    expect(supervisor.decisions()).toMatchObject([{ phase: 'over', outcome: 'confirmed', policy: 'runaway' }]);
    const rows = await store.find({ table: 'guard_aborts' });
    expect(rows.ok && rows.value).toMatchObject([{ node: 'm1', policy: 'runaway', outcome: 'confirmed' }]);
    expect(supervisor.activeGuard('prod')?.counters.count('outcome', 'runaway', 'm1', 'confirmed')).toBe(1);
    expect(supervisor.view('prod')).toMatchObject({
      isRestored: true,
      isEnforcing: true,
      aborts: [{ outcome: 'confirmed' }],
    });
    await end();
  });

  it('stores the intent before the abort request, and sends no request if the write fails', async () => {
    const stored: string[] = [];
    const { nodes, run, supervisor, log, end } = await started(enforced, {
      record: async (_, rows) => {
        stored.push(...rows.map(({ table }) => `${table} ${nodes.orders.length}`));
        return err('the disk is full');
      },
    });
    await run(20);
    expect([stored[0], nodes.orders]).toEqual(['guard_intents 0', []]);
    expect(supervisor.decisions()).toContainEqual(
      expect.objectContaining({ outcome: 'not_sent', skipReason: 'audit' }),
    );
    expect(log.lines).toContainEqual(expect.objectContaining({ message: 'audit write failed' }));
    await end();
  });

  it('notifies subscribers of an intent when it is stored, and of its outcome', async () => {
    const stored = Promise.withResolvers<void>();
    const { nodes, run, events, end } = await started(enforced, {
      async record() {
        await stored.promise;
        return ok(undefined);
      },
    });
    nodes.reply = { kind: 'accepted', aborted: [idAt(0)] };
    await run(16);
    expect([events, nodes.orders]).toEqual([[], []]);
    stored.resolve();
    await run(1);
    expect(events).toEqual(['enforce committing']);
    nodes.arrivals = [];
    await run(10);
    expect(events).toEqual(['enforce committing', 'enforce over confirmed']);
    await end();
  });

  it('notifies subscribers of the abort that an observing policy would send', async () => {
    const { run, events, end } = await started({ policies: [runaway] });
    await run(60);
    expect(events).toEqual(['observe over']);
    await end();
  });

  it('begins no decision while the store fails', async () => {
    const store = memoryStore('the disk is away');
    const { nodes, run, supervisor, end } = await started(enforced, { store });
    await run(30);
    expect([nodes.orders, supervisor.decisions()]).toEqual([[], []]);
    await end();
  });

  it('does not send an abort again after a restart, and reports its outcome', async () => {
    const store = memoryStore();
    const first = await started(enforced, { store });
    first.nodes.reply = 'silence';
    await first.run(16);
    expect(first.nodes.orders).toHaveLength(1);
    await first.end();
    const second = await started(enforced, { store });
    expect(second.supervisor.decisions()).toMatchObject([{ id: idAt(0), phase: 'verifying' }]);
    await second.run(60);
    expect(second.nodes.orders).toEqual([]);
    expect(second.supervisor.decisions()).toMatchObject([{ phase: 'over', outcome: 'still_running' }]);
    await second.end();
  });

  it('retries an abort that could not be sent, without spending budget', async () => {
    const { nodes, run, supervisor, log, end } = await started();
    nodes.reply = { kind: 'unsent', reason: 'another address' };
    await run(20);
    expect(new Set(supervisor.decisions().map(({ outcome }) => outcome))).toEqual(new Set(['not_sent', undefined]));
    nodes.reply = { kind: 'accepted', aborted: [idAt(0)] };
    await run(40);
    expect(supervisor.decisions().filter(({ outcome }) => outcome === 'still_running')).toHaveLength(1);
    const guard = supervisor.activeGuard('prod') ?? expect.fail();
    expect(guard.state.attempts).toHaveLength(1);
    const fields = expect.objectContaining({ answer: 'unsent', error: 'another address' });
    expect(log.lines).toContainEqual(expect.objectContaining({ fields }));
    await end();
  });

  it('retries an abort for which the pause file could not be checked in time, without spending budget', async () => {
    const stalled = Promise.withResolvers<FilePresence>();
    let isStalled = false;
    const presence = () => (isStalled ? stalled.promise : Promise.resolve<FilePresence>('absent'));
    const store = memoryStore();
    const record: GuardSupervisorContext['record'] = (_, rows) => {
      isStalled = true;
      return store.commit(rows);
    };
    const { nodes, run, supervisor, end } = await started(enforced, { store, record, files: { presence } });
    await run(20);
    expect([nodes.orders, supervisor.decisions()]).toMatchObject([[], [{ outcome: 'not_sent' }]]);
    expect(supervisor.paused().reasons).toEqual(['file']);
    isStalled = false;
    stalled.resolve('absent');
    await run(40);
    expect(nodes.orders).toHaveLength(1);
    expect(supervisor.activeGuard('prod')?.state.attempts).toHaveLength(1);
    await end();
  });

  it('sends no abort request in observe mode', async () => {
    const { nodes, run, supervisor, store, end } = await started({ policies: [{ ...runaway, grace: '5s' }] });
    await run(30);
    expect([nodes.orders, supervisor.view('prod')?.aborts]).toEqual([[], []]);
    expect(supervisor.decisions()).toMatchObject([{ mode: 'observe', phase: 'over', policy: 'runaway' }]);
    expect(supervisor.activeGuard('prod')?.counters.count('would_abort', 'runaway', 'm1')).toBe(1);
    expect(await store.count({ table: 'guard_intents' })).toEqual(ok(0));
    await end();
  });

  it('reports the remaining budgets of the cluster and of the node with the least', async () => {
    const { clock, run, supervisor, end } = await started();
    const guard = supervisor.activeGuard('prod') ?? expect.fail();
    const left = () => guard.budgets(clock.now()).map((one) => [one.node, one.left]);
    expect(left()).toEqual(
      expect.arrayContaining([
        ['', 6],
        ['m1', 3],
      ]),
    );
    await run(16);
    expect(left()).toEqual(
      expect.arrayContaining([
        ['', 5],
        ['m1', 2],
      ]),
    );
    await end();
  });

  it('covers only nodes whose lists are valid and recent', async () => {
    const { clock, run, supervisor, list, end } = await started();
    const guard = supervisor.activeGuard('prod') ?? expect.fail();
    const covered = (node: string) => isNodeCovered(guard, node, clock.now());
    await run(5);
    expect([covered('m1'), covered('m2'), covered('m9')]).toEqual([true, false, false]);
    supervisor.onPollResult(...receivedListAt(clock.now(), 'none'));
    expect(covered('m1')).toBe(false);
    list();
    expect(covered('m1')).toBe(true);
    await end();
    await clock.advance(3_600_000);
    expect(covered('m1')).toBe(false);
  });

  it('follows added and removed nodes', async () => {
    const { config, run, supervisor, end } = await started();
    expect(supervisor.activeGuard('prod')?.settings.nodes).toEqual(['m1', 'm2']);
    const { clusters } = config;
    supervisor.applyConfig({
      ...config,
      clusters: clusters.map((cluster) => ({ ...cluster, nodes: cluster.nodes.slice(0, 1) })),
    });
    expect(supervisor.activeGuard('prod')?.settings.nodes).toEqual(['m1']);
    await run(1);
    expect(supervisor.activeGuard('prod')?.settings.nodes).toEqual(['m1', 'm2']);
    await end();
  });
});
