import { describe, expect, it } from 'vitest';
import type { GuardNodeAccess } from '../../../src/app/guard/node-access.ts';
import { queries } from '../../../src/collect/queries.ts';
import { ok } from '../../../src/kernel/result.ts';
import type { Store } from '../../../src/kernel/store.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { epoch, idAt } from '../../guard/observations.ts';
import { configWith, createGuardFixture, entryAt, runaway } from './guard-fixture.ts';

const clusters = ['prod', 'test'] as const;
type Cluster = (typeof clusters)[number];

const enforced = {
  mode: 'enforce',
  budgets: { per_node: { max: 100, within: '1h' }, per_cluster: { max: 100, within: '1h' } },
  breakers: { same_query: { aborts: 100, within: '1h' } },
  policies: [{ ...runaway, clusters: [...clusters], mode: 'enforce', grace: '2s', cooldown: '0s' }],
};

/** What runs on the node of a cluster, by arrival after the epoch, and what the node does. */
interface ClusterSetup {
  arrivals: readonly number[];
  /** Another guard aborts its queries just before this one does. */
  isContested: boolean;
  /** Ids that the response to the abort of a query names. */
  named: (id: string) => readonly string[];
  /** Ids of the abort requests. */
  readonly aborted: string[];
}

function setupOf(): ClusterSetup {
  return { arrivals: [], isContested: false, named: (id) => [id], aborted: [] };
}

/** No query ends because of its timeout. */
const oneHour = { expirationTime: '2026-09-21 15:13:20.000' };

/** A guard over two clusters with one node each. */
function openTwoClusters(store: Store = memoryStore()) {
  const setups: Readonly<Record<Cluster, ClusterSetup>> = { prod: setupOf(), test: setupOf() };
  const nodeAccess = (name: string): GuardNodeAccess | undefined => {
    const cluster = clusters.find((one) => one === name);
    return cluster && accessTo(cluster);
  };
  const { supervisor, clock, run, end } = createGuardFixture(enforced, { store, nodeAccess });
  const list = (cluster: Cluster, isUrgent = false): void => {
    const now = clock.now();
    const { arrivals, isContested } = setups[cluster];
    const shown = isUrgent && isContested ? [] : arrivals;
    const results = shown.map((arrival) => entryAt(now.wall - epoch, arrival, oneHour));
    const times = { started: now, received: now };
    const raw = { body: { error: false, results }, address: `${cluster}:14240`, connection: 'c1', ...times };
    supervisor.onPollResult(
      { cluster, collector: 'queries', node: 'm1', definition: queries, labels: {}, passthrough: false },
      { result: ok({ graphs: [], queries: [], raw }), source: 'm1', started: now, ended: now },
      { interval: 5000, lifetime: 15_000 },
    );
  };
  const accessTo = (cluster: Cluster): GuardNodeAccess => ({
    nodes: () => [{ name: 'm1', url: `http://${cluster}.test:14240`, instance: 'RESTPP_1_1' }],
    graphs: async () => ['fraud'],
    lacksCredentials: () => false,
    requestList: async (_, isUrgent) => {
      list(cluster, isUrgent);
      return true;
    },
    abort: async ({ id }, mayWrite) => {
      if (!mayWrite()) return { kind: 'unsent', reason: 'not permitted' };
      setups[cluster].aborted.push(id);
      return { kind: 'accepted', aborted: setups[cluster].named(id) };
    },
  });
  const begin = async (): Promise<void> => {
    supervisor.start();
    supervisor.applyConfig(configWith(enforced, clusters));
    await clock.settle();
  };
  return { supervisor, clock, setups, begin, run, end };
}

describe('an automatic pause of the guard', () => {
  it('applies to the cluster whose node names an id that was not requested, and not to the other cluster', async () => {
    const { supervisor, setups, begin, run, end } = openTwoClusters();
    setups.prod.arrivals = [0];
    setups.prod.named = (id) => [id, idAt(7)];
    await begin();
    await run(20);
    expect([setups.prod.aborted, setups.test.aborted]).toEqual([[idAt(0)], []]);
    expect(clusters.map((one) => supervisor.paused(one).reasons)).toEqual([['unexpected_id'], []]);
    expect([supervisor.view('prod')?.paused?.reasons, supervisor.view('test')?.paused]).toEqual([
      ['unexpected_id'],
      undefined,
    ]);
    setups.prod.arrivals = [20_000];
    setups.test.arrivals = [20_000];
    await run(20);
    expect([setups.prod.aborted, setups.test.aborted]).toEqual([[idAt(0)], [idAt(20_000)]]);
    await end();
  });

  it('applies to the cluster in which a second guard aborts the same queries', async () => {
    const { supervisor, clock, setups, begin, run, end } = openTwoClusters();
    setups.prod.isContested = true;
    setups.prod.named = () => [];
    await begin();
    for (let at = 0; at < 9 && !supervisor.paused('prod').isPaused; at += 1) {
      setups.prod.arrivals = [at * 20_000];
      setups.test.arrivals = [at * 20_000];
      await run(20);
    }
    expect(clusters.map((one) => supervisor.paused(one).reasons)).toEqual([['other_guard'], []]);
    const before = setups.test.aborted.length;
    expect(before).toBeGreaterThan(0);
    const attempts = setups.prod.aborted.length;
    const next = clock.now().wall - epoch;
    setups.prod.isContested = false;
    setups.prod.arrivals = [next];
    setups.test.arrivals = [next];
    await run(40);
    expect([setups.prod.aborted.slice(attempts), setups.test.aborted.slice(before)]).toEqual([[], [idAt(next)]]);
    await end();
  });

  it('continues after a restart, until an operator resumes the cluster', async () => {
    const store = memoryStore();
    const first = openTwoClusters(store);
    first.setups.prod.arrivals = [0];
    first.setups.prod.named = () => [idAt(7)];
    await first.begin();
    await first.run(20);
    await first.end();
    const { supervisor, setups, begin, run, end } = openTwoClusters(store);
    setups.prod.arrivals = [5];
    setups.test.arrivals = [5];
    await begin();
    await run(20);
    expect(clusters.map((one) => supervisor.paused(one).reasons)).toEqual([['unexpected_id'], []]);
    expect([setups.prod.aborted, setups.test.aborted]).toEqual([[], [idAt(5)]]);
    expect(await supervisor.resume('anna', 'prod')).toEqual(ok(undefined));
    await run(20);
    expect(setups.prod.aborted).toEqual([idAt(5)]);
    const acts = await store.find({ table: 'guard_actions' });
    expect(acts.ok && acts.value.map(({ what, actor, cluster, subject }) => [what, actor, cluster, subject])).toEqual(
      expect.arrayContaining([
        ['pause', 'graphwarden', 'prod', 'unexpected_id'],
        ['resume', 'anna', 'prod', ''],
      ]),
    );
    await end();
  });

  it('that a crash prevents from being stored does not repeat the abort', async () => {
    const store = memoryStore();
    const commit: Store['commit'] = store.commit.bind(store);
    let isCrashed = false;
    // The process dies before the pause reaches the disk; the intent is there.
    store.commit = (changes) => {
      isCrashed ||= changes.some((change) => 'put' in change && change.put.kind === 'pause');
      return isCrashed ? new Promise(() => undefined) : commit(changes);
    };
    const first = openTwoClusters(store);
    first.setups.prod.arrivals = [0];
    first.setups.prod.named = () => [idAt(7)];
    await first.begin();
    await first.run(20);
    expect([isCrashed, first.supervisor.paused('prod').reasons]).toEqual([true, ['unexpected_id']]);
    store.commit = commit;
    const { supervisor, setups, begin, run, end } = openTwoClusters(store);
    setups.prod.arrivals = [0];
    setups.test.arrivals = [0];
    await begin();
    await run(40);
    expect([setups.prod.aborted, setups.test.aborted]).toEqual([[], [idAt(0)]]);
    expect(supervisor.view('prod')?.aborts).toMatchObject([{ id: idAt(0) }]);
    await end();
  });
});
