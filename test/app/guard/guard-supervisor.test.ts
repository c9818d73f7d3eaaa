import { describe, expect, it } from 'vitest';
import type { CollectorFeed } from '../../../src/app/poll/collector-feed.ts';
import { delayedQueries } from '../../../src/collect/delayed-queries.ts';
import { metrics } from '../../../src/collect/metrics.ts';
import { queries } from '../../../src/collect/queries.ts';
import type { Failure } from '../../../src/kernel/failure.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok, type Result } from '../../../src/kernel/result.ts';
import type { ListedQuery } from '../../../src/model/query.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { epoch, idAt } from '../../guard/observations.ts';
import { configWith, createGuardFixture, runaway } from './guard-fixture.ts';

const scan: ListedQuery = { state: 'running', id: idAt(0), graph: 'fraud', query: 'ring_scan', kind: 'installed' };
const waiting = { partialId: '1', graph: 'fraud', query: 'ring_scan', kind: 'installed' };
/** A policy that means nothing that runs here. */
const patient = { name: 'patient', when: { age: '> 1d' } };
const enforced = { mode: 'enforce', policies: [{ ...runaway, mode: 'enforce', grace: '5s' }] };

async function bedWith(guard: Readonly<Record<string, unknown>>) {
  const bed = createGuardFixture(guard);
  bed.nodes.arrivals = [0];
  await bed.begin();
  const read = (result: Result<unknown, Failure>, definition = delayedQueries): void => {
    const now = bed.clock.now();
    const feed: CollectorFeed = {
      cluster: 'prod',
      collector: definition.name,
      node: 'm1',
      definition,
      labels: {},
      passthrough: false,
    };
    bed.supervisor.onPollResult(
      feed,
      { result, source: 'm1', started: now, ended: now },
      { interval: 5000, lifetime: 15_000 },
    );
  };
  const policy = (): string | null => bed.supervisor.queryStatuses('prod')('m1', scan).policy;
  return { ...bed, read, policy };
}

describe('the guard supervisor', () => {
  it('names the policy that matches a listed query', async () => {
    const { supervisor, run, end } = await bedWith({ policies: [runaway] });
    await run(15);
    const reported = supervisor.queryStatuses('prod')('m1', scan);
    expect(reported).toMatchObject({
      policy: 'runaway',
      matchesAt: new Date(epoch + 10_000).toISOString(),
      protected: false,
    });
    expect(supervisor.activeGuard('prod')?.counters.count('match', 'runaway', 'm1')).toBe(1);
    await end();
  });

  it('has no data without policies, or for an unknown cluster', async () => {
    const { supervisor, run, end } = await bedWith({ protect: [{ query: 'nightly_*' }] });
    await run(15);
    for (const cluster of ['prod', 'test']) {
      expect(supervisor.activeGuard(cluster)).toBeUndefined();
      expect(supervisor.view(cluster)).toBeUndefined();
      expect(supervisor.queryStatuses(cluster)('m1', scan)).toMatchObject({ policy: null, protected: null });
    }
    await end();
  });

  it.each([
    ['queue_depth', '> 1', [0, 0], 0],
    ['queue_depth', '> 1', [0, 31_000], 5000],
    ['queue_oldest', '> 30s', [31_000], 5000],
  ])('opens a gate on %s from the list of delayed queries', async (source, bound, waits, growth) => {
    const gate = { all: [{ [source]: bound, for: '10s' }] };
    const { run, read, policy, end } = await bedWith({ policies: [{ ...runaway, gate }] });
    await run(15);
    for (const [at, found] of [null, null, 'runaway'].entries()) {
      read(ok({ graphs: [], queries: waits.map((wait) => ({ ...waiting, elapsed: wait + at * growth })) }));
      expect(policy()).toBe(found);
      await run(5);
    }
    read(ok({ graphs: [], queries: [] }), queries);
    expect(policy()).toBe('runaway');
    read(err(failure('timeout', 'no answer')));
    expect(policy()).toBeNull();
    await end();
  });

  it.each(['queue_depth', 'queue_oldest'])(
    'closes a gate on %s while the list of delayed queries is repeated',
    async (source) => {
      const gate = { all: [{ [source]: source === 'queue_depth' ? '> 0' : '> 1s', for: '10s' }] };
      const { run, read, policy, end } = await bedWith({ policies: [{ ...runaway, gate }] });
      const list = (elapsed: number) => ok({ graphs: [], queries: [{ ...waiting, elapsed }] });
      await run(15);
      for (const elapsed of [31_000, 36_000, 41_000]) {
        read(list(elapsed));
        await run(5);
      }
      expect(policy()).toBe('runaway');
      for (let repeated = 0; repeated < 3; repeated += 1) {
        read(list(41_000));
        await run(5);
      }
      expect(policy()).toBeNull();
      await end();
    },
  );

  it.each([
    ['node_memory', { graphdb_host_memory_used_bytes: 9, graphdb_host_memory_total_bytes: 10 }],
    ['node_cpu', { graphdb_host_cpu_usage_ratio: 0.9 }],
  ])('opens a gate on %s from the host metrics of a node', async (source, shown) => {
    const gate = { all: [{ [source]: '> 0.85', for: '10s' }] };
    const { clock, run, read, policy, facts, end } = await bedWith({ policies: [{ ...runaway, gate }] });
    for (const [family, value] of Object.entries(shown)) facts[`prod ${family}`] = value;
    await run(15);
    for (const found of [null, null, 'runaway']) {
      facts['prod graphdb_informant_collected_timestamp_seconds'] = clock.now().wall / 1000;
      read(ok('a page'), metrics);
      expect(policy()).toBe(found);
      await run(5);
    }
    for (const key of Object.keys(facts)) delete facts[key];
    read(err(failure('timeout', 'no answer')), metrics);
    expect(policy()).toBeNull();
    await end();
  });

  it('keeps its state through a reload without changes, and drops removed clusters', async () => {
    const { supervisor, run, policy, end } = await bedWith({ policies: [runaway] });
    await run(15);
    supervisor.applyConfig(configWith({ policies: [runaway] }));
    expect(policy()).toBe('runaway');
    supervisor.applyConfig(configWith({ policies: [{ ...runaway, name: 'other' }] }));
    await run(15);
    expect(policy()).toBe('other');
    supervisor.applyConfig(configWith({ policies: [runaway] }, ['test']));
    expect([supervisor.activeGuard('prod'), policy()]).toEqual([undefined, null]);
    expect(supervisor.activeGuard('test')?.policies).toHaveLength(1);
    await end();
  });
});

describe('the pause switch', () => {
  it('pauses during the grace period, and reports the pause to rules if a policy enforces', async () => {
    const { supervisor, run, nodes, clock, end } = await bedWith(enforced);
    await run(12);
    expect(supervisor.decisions()).toMatchObject([{ phase: 'grace', policy: 'runaway', mode: 'enforce' }]);
    expect([supervisor.view('prod')?.paused, supervisor.paused()]).toEqual([
      undefined,
      { isPaused: false, reasons: [] },
    ]);
    expect(await supervisor.pause('anna', 'operator')).toEqual(ok(undefined));
    expect(supervisor.view('prod')?.paused).toEqual({ since: clock.now().wall, reasons: ['operator'] });
    await run(30);
    expect([nodes.orders, supervisor.decisions()]).toEqual([[], []]);
    expect(await supervisor.resume('anna')).toEqual(ok(undefined));
    await run(15);
    expect(nodes.orders).toHaveLength(1);
    await end();
  });

  it('stays on after a restart, until an operator resumes', async () => {
    const store = memoryStore();
    const first = createGuardFixture(enforced, { store });
    await first.begin();
    await first.supervisor.pause('anna', 'operator');
    await first.end();
    const second = createGuardFixture(enforced, { store });
    second.nodes.arrivals = [0];
    await second.begin();
    await second.run(30);
    expect([second.supervisor.paused().reasons, second.nodes.orders]).toEqual([['operator'], []]);
    await second.end();
  });

  it('pauses after a loss of the state: lost budgets do not count as full', async () => {
    const lost = Object.assign(memoryStore(), { wasRecreated: true });
    const { supervisor, begin, run, nodes, end } = createGuardFixture(enforced, { store: lost });
    nodes.arrivals = [0];
    await begin();
    await run(30);
    expect([supervisor.paused().reasons, nodes.orders]).toEqual([['state_lost'], []]);
    await end();
  });

  it('pauses if a server names a query that the guard did not abort', async () => {
    const { supervisor, run, nodes, end } = await bedWith(enforced);
    nodes.reply = { kind: 'accepted', aborted: [idAt(0), idAt(7)] };
    await run(20);
    expect([supervisor.paused('prod').reasons, nodes.orders.length]).toEqual([['unexpected_id'], 1]);
    expect([supervisor.paused().reasons, supervisor.paused('test').reasons]).toEqual([[], []]);
    await end();
  });

  it.each(['present', 'unreadable'] as const)('is on while the pause file is %s', async (presence) => {
    const { supervisor, begin, run, nodes, end } = createGuardFixture(enforced, {
      files: { presence: async () => presence },
    });
    nodes.arrivals = [0];
    await begin();
    await run(30);
    expect([supervisor.paused().reasons, nodes.orders]).toEqual([['file'], []]);
    expect((await supervisor.resume('anna')).ok).toBe(false);
    await end();
  });
});

describe('operators', () => {
  it('reset circuit breakers, which is stored, and get an error if the circuit breaker is not open', async () => {
    const store = memoryStore();
    const { supervisor, begin, run, nodes, end } = createGuardFixture(
      { ...enforced, breakers: { same_query: { aborts: 1, within: '15m' } } },
      { store },
    );
    nodes.arrivals = [0];
    await begin();
    await run(20);
    const [breaker] = supervisor.breakers('prod');
    expect(breaker).toMatchObject({ reason: 'same_query', graph: 'fraud', query: 'ring_scan' });
    expect(await supervisor.resetBreaker('prod', 'no such', 'anna')).toEqual(ok(false));
    expect(await supervisor.resetBreaker('test', breaker?.key ?? '', 'anna')).toEqual(ok(false));
    expect(await supervisor.resetBreaker('prod', breaker?.key ?? '', 'anna')).toEqual(ok(true));
    expect(supervisor.breakers('prod')).toEqual([]);
    const acts = await store.find({ table: 'guard_actions' });
    expect(acts.ok && acts.value.map(({ what, actor }) => [what, actor])).toEqual([['reset_breaker', 'anna']]);
    await end();
  });

  it('abort a query that no policy matches, and the abort and its reason are stored', async () => {
    const store = memoryStore();
    const { supervisor, begin, run, nodes, end } = createGuardFixture({ policies: [patient] }, { store });
    nodes.arrivals = [0];
    nodes.reply = { kind: 'accepted', aborted: [idAt(0)] };
    await begin();
    await run(5);
    const listRequest = {
      cluster: 'prod',
      node: 'm1',
      id: idAt(0),
      by: 'anna',
      reason: 'it blocks',
      whilePaused: false,
    };
    const answer = supervisor.abort(listRequest);
    await run(1);
    nodes.arrivals = [];
    await run(40);
    expect(await answer).toMatchObject({ ok: true, value: { outcome: 'confirmed', manual: { by: 'anna' } } });
    expect(nodes.orders).toMatchObject([{ id: idAt(0), graph: 'fraud', connection: 'c1' }]);
    expect(supervisor.view('prod')?.aborts).toMatchObject([{ policy: '', outcome: 'confirmed' }]);
    const acts = await store.find({ table: 'guard_actions' });
    expect(acts.ok && acts.value).toMatchObject([{ what: 'manual_abort', actor: 'anna', reason: 'it blocks' }]);
    await end();
  });

  it('cannot abort if no connection is reserved for aborts', async () => {
    const { supervisor, nodes, end } = await bedWith({ policies: [] });
    const listRequest = {
      cluster: 'prod',
      node: 'm1',
      id: idAt(0),
      by: 'anna',
      reason: 'it blocks',
      whilePaused: false,
    };
    const message = expect.stringContaining('no policy covers the cluster');
    expect(await supervisor.abort(listRequest)).toEqual(err({ kind: 'refused', message }));
    expect(nodes.orders).toEqual([]);
    await end();
  });

  it.each([
    [{ cluster: 'nowhere' }, 'unknown_node'],
    [{ node: 'm9' }, 'unknown_node'],
    [{ id: idAt(99) }, 'unknown_query'],
    [{ id: 'all' }, 'refused'],
  ])('are refused with the reason: %j', async (changes, kind) => {
    const { supervisor, run, nodes, end } = await bedWith({ policies: [patient] });
    await run(5);
    const listRequest = {
      cluster: 'prod',
      node: 'm1',
      id: idAt(0),
      by: 'anna',
      reason: 'it blocks',
      whilePaused: false,
    };
    const answer = supervisor.abort({ ...listRequest, ...changes });
    await run(12);
    expect(await answer).toMatchObject({ ok: false, error: { kind } });
    expect(nodes.orders).toEqual([]);
    await end();
  });
});
