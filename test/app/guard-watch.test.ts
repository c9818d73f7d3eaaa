import { describe, expect, it } from 'vitest';
import type { Feed } from '../../src/app/content.ts';
import { delayedQueries } from '../../src/collect/delayed-queries.ts';
import { metrics } from '../../src/collect/metrics.ts';
import { queries } from '../../src/collect/queries.ts';
import type { Failure } from '../../src/kernel/failure.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';
import type { ListedQuery } from '../../src/model/query.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { epoch, idAt } from '../guard/listed.ts';
import { configWith, guardBed, runaway } from './guard-scene.ts';

const scan: ListedQuery = { state: 'running', id: idAt(0), graph: 'fraud', query: 'ring_scan', kind: 'installed' };
const waiting = { partialId: '1', graph: 'fraud', query: 'ring_scan', kind: 'installed' };
/** A policy that means nothing that runs here. */
const patient = { name: 'patient', when: { age: '> 1d' } };
const enforced = { mode: 'enforce', policies: [{ ...runaway, mode: 'enforce', grace: '5s' }] };

async function bedWith(guard: Readonly<Record<string, unknown>>) {
  const bed = guardBed(guard);
  bed.nodes.arrivals = [0];
  await bed.begin();
  const read = (result: Result<unknown, Failure>, of = delayedQueries): void => {
    const now = bed.clock.now();
    const feed: Feed = { cluster: 'prod', collector: of.name, node: 'm1', of, labels: {}, passthrough: false };
    bed.watch.taken(feed, { result, source: 'm1', started: now, ended: now }, { interval: 5000, lifetime: 15_000 });
  };
  const policy = (): string | null => bed.watch.verdicts('prod')('m1', scan).policy;
  return { ...bed, read, policy };
}

describe('the watch of the guard', () => {
  it('tells which policy means a query that it has heard of', async () => {
    const { watch, run, end } = await bedWith({ policies: [runaway] });
    await run(15);
    const told = watch.verdicts('prod')('m1', scan);
    expect(told).toMatchObject({
      policy: 'runaway',
      matchesAt: new Date(epoch + 10_000).toISOString(),
      protected: false,
    });
    expect(watch.sight('prod')?.tally.count('match', 'runaway', 'm1')).toBe(1);
    await end();
  });

  it('has nothing to say where there are no policies, or no such cluster', async () => {
    const { watch, run, end } = await bedWith({ protect: [{ query: '*' }] });
    await run(15);
    for (const cluster of ['prod', 'test']) {
      expect(watch.sight(cluster)).toBeUndefined();
      expect(watch.view(cluster)).toBeUndefined();
      expect(watch.verdicts(cluster)('m1', scan)).toMatchObject({ policy: null, protected: null });
    }
    await end();
  });

  it.each([
    ['queue_depth', '> 1', ok({ graphs: [], queries: [waiting, waiting].map((one) => ({ ...one, elapsed: 0 })) })],
    ['queue_oldest', '> 30s', ok({ graphs: [], queries: [{ ...waiting, elapsed: 31_000 }] })],
  ])('opens a gate on %s by the list of what waits', async (source, bound, good) => {
    const gate = { all: [{ [source]: bound, for: '10s' }] };
    const { run, read, policy, end } = await bedWith({ policies: [{ ...runaway, gate }] });
    await run(15);
    for (const found of [null, null, 'runaway']) {
      read(good);
      expect(policy()).toBe(found);
      await run(5);
    }
    read(ok({ graphs: [], queries: [] }), queries);
    expect(policy()).toBe('runaway');
    read(err(failure('timeout', 'no answer')));
    expect(policy()).toBeNull();
    await end();
  });

  it.each([
    ['node_memory', { graphdb_host_memory_used_bytes: 9, graphdb_host_memory_total_bytes: 10 }],
    ['node_cpu', { graphdb_host_cpu_usage_ratio: 0.9 }],
  ])('opens a gate on %s by what is shown of the host of a node', async (source, shown) => {
    const gate = { all: [{ [source]: '> 0.85', for: '10s' }] };
    const { run, read, policy, facts, end } = await bedWith({ policies: [{ ...runaway, gate }] });
    for (const [family, value] of Object.entries(shown)) facts[`prod ${family}`] = value;
    await run(15);
    for (const found of [null, null, 'runaway']) {
      read(ok('a page'), metrics);
      expect(policy()).toBe(found);
      await run(5);
    }
    for (const key of Object.keys(facts)) delete facts[key];
    read(err(failure('timeout', 'no answer')), metrics);
    expect(policy()).toBeNull();
    await end();
  });

  it('keeps what it knows through a reload that leaves it alone, and forgets clusters that are gone', async () => {
    const { watch, run, policy, end } = await bedWith({ policies: [runaway] });
    await run(15);
    watch.follow(configWith({ policies: [runaway] }));
    expect(policy()).toBe('runaway');
    watch.follow(configWith({ policies: [{ ...runaway, name: 'other' }] }));
    await run(15);
    expect(policy()).toBe('other');
    watch.follow(configWith({ policies: [runaway] }, ['test']));
    expect([watch.sight('prod'), policy()]).toEqual([undefined, null]);
    expect(watch.sight('test')?.policies).toHaveLength(1);
    await end();
  });
});

describe('the stop switch', () => {
  it('holds in mid-grace, and is known to rules where something is to be enforced', async () => {
    const { watch, run, nodes, clock, end } = await bedWith(enforced);
    await run(12);
    expect(watch.decisions()).toMatchObject([{ phase: 'grace', policy: 'runaway', mode: 'enforce' }]);
    expect([watch.held(), watch.paused()]).toEqual([undefined, { isPaused: false, reasons: [] }]);
    expect(await watch.pause('anna', 'operator')).toEqual(ok(undefined));
    expect(watch.held()).toEqual({ since: clock.now().wall, reasons: ['operator'] });
    await run(30);
    expect([nodes.orders, watch.decisions()]).toEqual([[], []]);
    expect(await watch.resume('anna')).toEqual(ok(undefined));
    await run(15);
    expect(nodes.orders).toHaveLength(1);
    await end();
  });

  it('holds after a restart, until an operator resumes', async () => {
    const store = memoryStore();
    const first = guardBed(enforced, { store });
    await first.begin();
    await first.watch.pause('anna', 'operator');
    await first.end();
    const second = guardBed(enforced, { store });
    second.nodes.arrivals = [0];
    await second.begin();
    await second.run(30);
    expect([second.watch.paused().reasons, second.nodes.orders]).toEqual([['operator'], []]);
    await second.end();
  });

  it('holds where the state began anew: lost budgets are not full ones', async () => {
    const lost = Object.assign(memoryStore(), { begunAnew: true });
    const { watch, begin, run, nodes, end } = guardBed(enforced, { store: lost });
    nodes.arrivals = [0];
    await begin();
    await run(30);
    expect([watch.paused().reasons, nodes.orders]).toEqual([['state_lost'], []]);
    await end();
  });

  it('is thrown by a server that names what nobody asked for', async () => {
    const { watch, run, nodes, end } = await bedWith(enforced);
    nodes.reply = { kind: 'taken', aborted: [idAt(0), idAt(7)] };
    await run(20);
    expect([watch.paused().reasons, nodes.orders.length]).toEqual([['unexpected_id'], 1]);
    await end();
  });

  it.each(['there', 'unreadable'] as const)('holds while a file is %s', async (presence) => {
    const { watch, begin, run, nodes, end } = guardBed(enforced, { files: { presence: async () => presence } });
    nodes.arrivals = [0];
    await begin();
    await run(30);
    expect([watch.paused().reasons, nodes.orders]).toEqual([['file'], []]);
    expect((await watch.resume('anna')).ok).toBe(false);
    await end();
  });
});

describe('operators', () => {
  it('close breakers, which is kept; what is not open is none', async () => {
    const store = memoryStore();
    const { watch, begin, run, nodes, end } = guardBed(
      { ...enforced, breakers: { same_query: { aborts: 1, within: '15m' } } },
      { store },
    );
    nodes.arrivals = [0];
    await begin();
    await run(20);
    const [breaker] = watch.breakers('prod');
    expect(breaker).toMatchObject({ reason: 'same_query', graph: 'fraud', query: 'ring_scan' });
    expect(await watch.resetBreaker('prod', 'no such', 'anna')).toEqual(ok(false));
    expect(await watch.resetBreaker('test', breaker?.key ?? '', 'anna')).toEqual(ok(false));
    expect(await watch.resetBreaker('prod', breaker?.key ?? '', 'anna')).toEqual(ok(true));
    expect(watch.breakers('prod')).toEqual([]);
    const acts = await store.find({ table: 'guard_actions' });
    expect(acts.ok && acts.value.map(({ what, actor }) => [what, actor])).toEqual([['reset_breaker', 'anna']]);
    await end();
  });

  it('abort by hand what no policy means, and both that and its reason are kept', async () => {
    const store = memoryStore();
    const { watch, begin, run, nodes, end } = guardBed({ policies: [patient] }, { store });
    nodes.arrivals = [0];
    nodes.reply = { kind: 'taken', aborted: [idAt(0)] };
    await begin();
    await run(5);
    const wish = { cluster: 'prod', node: 'm1', id: idAt(0), by: 'anna', reason: 'it blocks', whilePaused: false };
    const answer = watch.abort(wish);
    await run(1);
    nodes.arrivals = [];
    await run(40);
    expect(await answer).toMatchObject({ ok: true, value: { outcome: 'confirmed', manual: { by: 'anna' } } });
    expect(nodes.orders).toMatchObject([{ id: idAt(0), graph: 'fraud', address: '10.0.0.1:14240' }]);
    expect(watch.view('prod')?.aborts).toMatchObject([{ policy: '', outcome: 'confirmed' }]);
    const acts = await store.find({ table: 'guard_actions' });
    expect(acts.ok && acts.value).toMatchObject([{ what: 'manual_abort', actor: 'anna', reason: 'it blocks' }]);
    await end();
  });

  it('abort nothing where no socket is kept for that', async () => {
    const { watch, nodes, end } = await bedWith({ policies: [] });
    const wish = { cluster: 'prod', node: 'm1', id: idAt(0), by: 'anna', reason: 'it blocks', whilePaused: false };
    const message = expect.stringContaining('no policy concerns the cluster');
    expect(await watch.abort(wish)).toEqual(err({ kind: 'refused', message }));
    expect(nodes.orders).toEqual([]);
    await end();
  });

  it.each([
    [{ cluster: 'nowhere' }, 'unknown_node'],
    [{ node: 'm9' }, 'unknown_node'],
    [{ id: idAt(99) }, 'unknown_query'],
    [{ id: 'all' }, 'refused'],
  ])('are refused with the reason: %j', async (changes, kind) => {
    const { watch, run, nodes, end } = await bedWith({ policies: [patient] });
    await run(5);
    const wish = { cluster: 'prod', node: 'm1', id: idAt(0), by: 'anna', reason: 'it blocks', whilePaused: false };
    const answer = watch.abort({ ...wish, ...changes });
    await run(12);
    expect(await answer).toMatchObject({ ok: false, error: { kind } });
    expect(nodes.orders).toEqual([]);
    await end();
  });
});
