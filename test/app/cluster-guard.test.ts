import { describe, expect, it } from 'vitest';
import { err, ok } from '../../src/kernel/result.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { idAt } from '../guard/listed.ts';
import { guardBed, runaway } from './guard-scene.ts';

const enforced = { mode: 'enforce', policies: [{ ...runaway, mode: 'enforce', grace: '5s' }] };

/** The guard over one query that runs away. */
async function started(
  guard: Readonly<Record<string, unknown>> = enforced,
  changes: Parameters<typeof guardBed>[1] = {},
) {
  const bed = guardBed(guard, changes);
  bed.nodes.arrivals = [0];
  bed.nodes.reply = { kind: 'taken', aborted: [idAt(0)] };
  await bed.begin();
  return bed;
}

describe('the guard of a cluster', () => {
  it('asks for no list where no policy waits for one', async () => {
    const { nodes, run, end } = await started({ mode: 'enforce' });
    await run(20);
    expect(nodes.asked).toEqual([]);
    await end();
  });

  it('aborts what its policy means at E, where the fresh list came from, and verifies it', async () => {
    const { nodes, run, watch, store, end } = await started();
    await run(16);
    expect(nodes.orders).toEqual([
      {
        key: expect.any(String),
        node: 'm1',
        address: '10.0.0.1:14240',
        id: idAt(0),
        graph: 'fraud',
        path: `/abortquery/fraud?requestid=${idAt(0)}`,
      },
    ]);
    nodes.arrivals = [];
    await run(10);
    expect(watch.decisions()).toMatchObject([{ phase: 'over', outcome: 'confirmed', policy: 'runaway' }]);
    const rows = await store.find({ table: 'guard_aborts' });
    expect(rows.ok && rows.value).toMatchObject([{ node: 'm1', policy: 'runaway', outcome: 'confirmed' }]);
    expect(watch.sight('prod')?.tally.count('outcome', 'runaway', 'm1', 'confirmed')).toBe(1);
    expect(watch.view('prod')).toMatchObject({
      isRestored: true,
      isEnforcing: true,
      aborts: [{ outcome: 'confirmed' }],
    });
    await end();
  });

  it('has its intent stored before anything is sent, and sends nothing where it could not be', async () => {
    const stored: string[] = [];
    const { nodes, run, watch, log, end } = await started(enforced, {
      record: async (_, rows) => {
        stored.push(...rows.map(({ table }) => `${table} ${nodes.orders.length}`));
        return err('the disk is full');
      },
    });
    await run(20);
    expect([stored[0], nodes.orders]).toEqual(['guard_intents 0', []]);
    expect(watch.decisions()).toMatchObject([{ outcome: 'withdrawn', doubt: 'audit' }]);
    expect(log.lines).toContainEqual(expect.objectContaining({ message: 'what the guard did could not be stored' }));
    await end();
  });

  it('tells those who look on of an intent when it is stored, and of its outcome', async () => {
    const stored = Promise.withResolvers<void>();
    const { nodes, run, news, end } = await started(enforced, {
      async record() {
        await stored.promise;
        return ok(undefined);
      },
    });
    nodes.reply = { kind: 'taken', aborted: [idAt(0)] };
    await run(16);
    expect([news, nodes.orders]).toEqual([[], []]);
    stored.resolve();
    await run(1);
    expect(news).toEqual(['enforce committing']);
    nodes.arrivals = [];
    await run(10);
    expect(news).toEqual(['enforce committing', 'enforce over confirmed']);
    await end();
  });

  it('tells them of what a policy that observes would have done', async () => {
    const { run, news, end } = await started({ policies: [runaway] });
    await run(60);
    expect(news).toEqual(['observe over']);
    await end();
  });

  it('decides nothing while nothing can be stored', async () => {
    const store = memoryStore('the disk is away');
    const { nodes, run, watch, end } = await started(enforced, { store });
    await run(30);
    expect([nodes.orders, watch.decisions()]).toEqual([[], []]);
    await end();
  });

  it('sends nothing again after a restart, and tells how it ended', async () => {
    const store = memoryStore();
    const first = await started(enforced, { store });
    first.nodes.reply = 'silence';
    await first.run(16);
    expect(first.nodes.orders).toHaveLength(1);
    await first.end();
    const second = await started(enforced, { store });
    expect(second.watch.decisions()).toMatchObject([{ id: idAt(0), phase: 'verifying' }]);
    await second.run(60);
    expect(second.nodes.orders).toEqual([]);
    expect(second.watch.decisions()).toMatchObject([{ phase: 'over', outcome: 'still_running' }]);
    await second.end();
  });

  it('takes an abort that was not sent, or that is refused, for refused', async () => {
    const { nodes, run, watch, log, end } = await started();
    nodes.reply = { kind: 'unsent', reason: 'another address' };
    await run(20);
    expect(watch.decisions()).toMatchObject([{ outcome: 'refused' }]);
    const fields = expect.objectContaining({ answer: 'unsent', reason: 'another address' });
    expect(log.lines).toContainEqual(expect.objectContaining({ fields }));
    await end();
  });

  it('tells of what it would do where it observes, and does nothing', async () => {
    const { nodes, run, watch, store, end } = await started({ policies: [{ ...runaway, grace: '5s' }] });
    await run(30);
    expect([nodes.orders, watch.view('prod')?.aborts]).toEqual([[], []]);
    expect(watch.decisions()).toMatchObject([{ mode: 'observe', phase: 'over', policy: 'runaway' }]);
    expect(watch.sight('prod')?.tally.count('would_abort', 'runaway', 'm1')).toBe(1);
    expect(await store.count({ table: 'guard_intents' })).toEqual(ok(0));
    await end();
  });

  it('knows how much room its budgets have, in the cluster and on the fullest node', async () => {
    const { clock, run, watch, end } = await started();
    expect(watch.sight('prod')?.room(clock.now())).toEqual({ cluster: 6, node: 3 });
    await run(16);
    expect(watch.sight('prod')?.room(clock.now())).toEqual({ cluster: 5, node: 2 });
    await end();
  });

  it('covers a node whose lists are good and new, and no other', async () => {
    const { clock, run, watch, list, end } = await started();
    const covered = (node: string) => watch.sight('prod')?.isCovered(node, clock.now());
    await run(5);
    expect([covered('m1'), covered('m2'), covered('m9')]).toEqual([true, false, false]);
    watch.heard({ ...listOf(clock.now()), answer: ok({ error: false, results: 'none' }) });
    expect(covered('m1')).toBe(false);
    list();
    expect(covered('m1')).toBe(true);
    await end();
    await clock.advance(3_600_000);
    expect(covered('m1')).toBe(false);
  });

  it('follows the nodes that there are', async () => {
    const { config, run, watch, end } = await started();
    expect(watch.sight('prod')?.settings.nodes).toEqual(['m1', 'm2']);
    const { clusters } = config;
    watch.follow({
      ...config,
      clusters: clusters.map((cluster) => ({ ...cluster, nodes: cluster.nodes.slice(0, 1) })),
    });
    expect(watch.sight('prod')?.settings.nodes).toEqual(['m1']);
    await run(1);
    expect(watch.sight('prod')?.settings.nodes).toEqual(['m1', 'm2']);
    await end();
  });
});

function listOf(now: { readonly wall: number; readonly mono: number }) {
  return { cluster: 'prod', node: 'm1', started: now, received: now, address: '' };
}
