import { describe, expect, it } from 'vitest';
import type { Feed } from '../../src/app/content.ts';
import { GuardWatch } from '../../src/app/guard-watch.ts';
import { delayedQueries } from '../../src/collect/delayed-queries.ts';
import { metrics } from '../../src/collect/metrics.ts';
import { queries } from '../../src/collect/queries.ts';
import type { Failure } from '../../src/kernel/failure.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';
import type { ListedQuery } from '../../src/model/query.ts';
import { epoch, idAt } from '../guard/listed.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';
import { clusterOf, configOf } from './fakes.ts';
import { entryAt, guardOf, heardAt, runaway } from './guard-scene.ts';

const scan: ListedQuery = { state: 'running', id: idAt(0), graph: 'fraud', query: 'ring_scan', kind: 'installed' };
const waiting = { partialId: '1', graph: 'fraud', query: 'ring_scan', kind: 'installed' };

function configWith(guard: Readonly<Record<string, unknown>>, clusters: readonly string[] = ['prod']) {
  const hostId = 'host-1';
  const config = configOf(
    clusters.map((name) => {
      const cluster = clusterOf(name, ['m1']);
      return { ...cluster, nodes: cluster.nodes.map((node) => ({ ...node, hostId })) };
    }),
  );
  return { ...config, guard: guardOf(guard) };
}

/** A watch, and what happens to it. */
function watchOver(guard: Readonly<Record<string, unknown>>) {
  const clock = new FakeClock(epoch);
  const log = recordingLogger();
  const facts: Record<string, number> = {};
  const watch = new GuardWatch({
    clock,
    log,
    facts: (cluster, family) => {
      const value = facts[`${cluster} ${family}`];
      return value === undefined ? [] : [{ labels: { host_id: 'host-1' }, value }];
    },
  });
  watch.follow(configWith(guard));
  /** Lists the query that arrived at the epoch at each of the next beats. */
  const list = async (beats: number): Promise<void> => {
    for (let beat = 0; beat < beats; beat += 1) {
      await clock.advance(5000);
      watch.heard(heardAt(clock.now(), [entryAt(clock.now().wall - epoch, 0)]));
    }
  };
  const read = (result: Result<unknown, Failure>, of = delayedQueries): void => {
    const now = clock.now();
    const feed: Feed = { cluster: 'prod', collector: of.name, node: 'm1', of, labels: {}, passthrough: false };
    watch.taken(feed, { result, source: 'm1', started: now, ended: now }, { interval: 5000, lifetime: 15_000 });
  };
  const policy = (): string | null => watch.verdicts('prod')('m1', scan).policy;
  return { clock, log, watch, list, read, policy, facts };
}

describe('the watch of the guard', () => {
  it('tells which policy means a query that it has heard of', async () => {
    const { watch, list } = watchOver({ policies: [runaway] });
    await list(3);
    expect(watch.verdicts('prod')('m1', scan)).toMatchObject({
      policy: 'runaway',
      matchesAt: new Date(epoch + 10_000).toISOString(),
      protected: false,
    });
    expect(watch.sight('prod')?.counts('m1').matches('runaway')).toBe(1);
  });

  it('sees at a beat what became a match between two lists', async () => {
    const { clock, watch, list } = watchOver({ policies: [{ ...runaway, when: { age: '> 12s' } }] });
    await list(2);
    await clock.advance(3000);
    expect(watch.sight('prod')?.counts('m1').matches('runaway')).toBe(0);
    watch.beat(clock.now());
    expect(watch.sight('prod')?.counts('m1').matches('runaway')).toBe(1);
  });

  it('has nothing to say where there are no policies, or no such cluster', async () => {
    const { watch, list } = watchOver({ protect: [{ query: '*' }] });
    await list(3);
    for (const cluster of ['prod', 'test']) {
      expect(watch.sight(cluster)).toBeUndefined();
      expect(watch.verdicts(cluster)('m1', scan)).toMatchObject({ policy: null, protected: null });
    }
    watch.heard({ ...heardAt({ wall: epoch, mono: 0 }, []), cluster: 'test' });
  });

  it.each([
    ['queue_depth', '> 1', ok({ graphs: [], queries: [waiting, waiting].map((one) => ({ ...one, elapsed: 0 })) })],
    ['queue_oldest', '> 30s', ok({ graphs: [], queries: [{ ...waiting, elapsed: 31_000 }] })],
  ])('opens a gate on %s by the list of what waits', async (source, bound, good) => {
    const gate = { all: [{ [source]: bound, for: '10s' }] };
    const { list, read, policy } = watchOver({ policies: [{ ...runaway, gate }] });
    await list(3);
    read(good);
    await list(1);
    read(good);
    expect(policy()).toBeNull();
    await list(1);
    read(ok({ graphs: [], queries: [] }), queries);
    read(good);
    expect(policy()).toBe('runaway');
    read(err(failure('timeout', 'no answer')));
    expect(policy()).toBeNull();
  });

  it.each([
    ['node_memory', { graphdb_host_memory_used_bytes: 9, graphdb_host_memory_total_bytes: 10 }],
    ['node_cpu', { graphdb_host_cpu_usage_ratio: 0.9 }],
  ])('opens a gate on %s by what is shown of the host of a node', async (source, shown) => {
    const gate = { all: [{ [source]: '> 0.85', for: '10s' }] };
    const { list, read, policy, facts } = watchOver({ policies: [{ ...runaway, gate }] });
    for (const [family, value] of Object.entries(shown)) facts[`prod ${family}`] = value;
    await list(3);
    for (const found of [null, null, 'runaway']) {
      read(ok('a page'), metrics);
      expect(policy()).toBe(found);
      await list(1);
    }
    for (const key of Object.keys(facts)) delete facts[key];
    read(err(failure('timeout', 'no answer')), metrics);
    expect(policy()).toBeNull();
  });

  it('keeps what it knows through a reload that leaves it alone, and forgets clusters that are gone', async () => {
    const { watch, list, policy } = watchOver({ policies: [runaway] });
    await list(3);
    watch.follow(configWith({ policies: [runaway] }));
    expect(policy()).toBe('runaway');
    watch.follow(configWith({ policies: [{ ...runaway, name: 'other' }] }));
    expect(policy()).toBeNull();
    await list(2);
    expect(policy()).toBe('other');
    watch.follow(configWith({ policies: [runaway] }, ['test']));
    expect([watch.sight('prod'), policy()]).toEqual([undefined, null]);
    expect(watch.sight('test')?.policies).toHaveLength(1);
  });

  it('warns of policies that are to enforce, once, and observes them', async () => {
    const guard = { mode: 'enforce', policies: [{ ...runaway, mode: 'enforce' }] };
    const { log, watch, list, policy } = watchOver(guard);
    watch.follow(configWith(guard));
    await list(3);
    expect(policy()).toBe('runaway');
    expect(log.lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: 'policies of the guard that say enforce are observed: this version aborts nothing',
        fields: { policies: ['runaway'] },
      }),
    ]);
    watch.follow(configWith({ ...guard, mode: 'observe' }));
    watch.follow(configWith(guard));
    expect(log.lines).toHaveLength(2);
  });
});
