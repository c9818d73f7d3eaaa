import { describe, expect, it } from 'vitest';
import { DroppedSeries } from '../../../src/app/poll/dropped-series.ts';
import { SituationBuilder } from '../../../src/app/poll/situation-builder.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err } from '../../../src/kernel/result.ts';
import type { GuardView } from '../../../src/model/guard.ts';
import { recordingLogger } from '../../support/logger.ts';
import { createRouteDependencies } from '../fake-route-dependencies.ts';
import { clusterOf, configOf, testbed } from '../fakes.ts';

const unknown = { replicas: [], partitions: [] };
const guardView = (cluster: string): GuardView | undefined =>
  cluster === 'prod'
    ? { aborts: [], breakers: [], nodesWithoutData: [{ node: 'm1', since: 5, reason: 'failed' }] }
    : undefined;
const config = configOf([clusterOf('prod', ['m1', 'm2'], { labels: { env: 'x' } }), clusterOf('test', ['t1'])]);

async function setUp(bed = testbed()) {
  const dependencies = await createRouteDependencies(config, bed);
  const situations = new SituationBuilder({
    ...dependencies,
    guardView,
    store: dependencies.ports.store,
    slopes: ['graphdb_load'],
  });
  const of = (at = 0) => {
    const poller = dependencies.pollers()[at];
    if (poller === undefined) throw new Error('no such cluster');
    return situations.build(poller, unknown, dependencies.clock.now());
  };
  return { ...dependencies, situations, of };
}

describe('the situation of a cluster', () => {
  it('names the cluster, its labels and its nodes', async () => {
    const { of } = await setUp();
    expect(of()).toMatchObject({ cluster: 'prod', labels: { env: 'x' }, nodes: ['m1', 'm2'] });
    expect(of(1)).toMatchObject({ cluster: 'test', labels: {}, nodes: ['t1'] });
  });

  it('contains the state of each of its collectors', async () => {
    const bed = testbed();
    bed.fakeClusters.set('health', 'm2', err(failure('timeout', 'no answer')));
    const { of, clock } = await setUp(bed);
    const start = clock.now().wall;
    const before = of().collectors;
    expect(before.map(({ collector, node, fresh }) => [collector, node, fresh])).toContainEqual([
      'health',
      'm1',
      false,
    ]);
    await clock.advance(3000);
    const [first, second] = of().collectors.filter(({ collector }) => collector === 'health');
    expect(first).toMatchObject({ node: 'm1', fresh: true, reason: '', interval: 5000, dueSince: start });
    expect(first?.lastSuccess).toBeGreaterThan(start);
    expect(second).toMatchObject({ node: 'm2', fresh: false, reason: 'timeout', message: 'no answer' });
    expect(second).not.toHaveProperty('lastSuccess');
  });

  it('marks fresh facts', async () => {
    const bed = testbed();
    bed.fakeClusters.set('health', 'm2', err(failure('timeout', 'no answer')));
    const { of, clock } = await setUp(bed);
    expect(of().isFresh('health', 'm1')).toBe(false);
    await clock.advance(3000);
    const situation = of();
    expect(['m1', 'm2'].map((node) => situation.isFresh('health', node))).toEqual([true, false]);
    expect(situation.isFresh('load', '')).toBe(true);
  });

  it('drops the due time of a removed collector', async () => {
    const { pipeline, of, clock } = await setUp();
    of();
    const feeds = pipeline.feeds().flatMap(({ feed }) => (feed.cluster === 'prod' ? [feed] : []));
    await pipeline.setFeeds('prod', []);
    expect(of().collectors).toEqual([]);
    await clock.advance(60_000);
    await pipeline.setFeeds('prod', feeds);
    expect(of().collectors.map(({ dueSince }) => dueSince)).toEqual(feeds.map(() => clock.now().wall));
  });

  it('forgets a cluster that is removed from the configuration', async () => {
    const { situations, of, clock } = await setUp();
    const dueIn = (at: number) => new Set(of(at).collectors.map(({ dueSince }) => dueSince));
    const [before, other] = [dueIn(0), dueIn(1)];
    await clock.advance(60_000);
    expect([dueIn(0), dueIn(1)]).toEqual([before, other]);
    situations.forget('prod');
    expect([dueIn(0), dueIn(1)]).toEqual([new Set([clock.now().wall]), other]);
  });

  it('reads the facts of a family once', async () => {
    const dependencies = await createRouteDependencies(config);
    const requested: string[] = [];
    const facts = [{ labels: {}, value: 3 }];
    const dropped = new DroppedSeries(recordingLogger());
    const pipeline = {
      feeds: () => [],
      facts: (_: string, family: string) => (requested.push(family) > 0 ? facts : []),
      dropped,
    };
    const situation = new SituationBuilder({
      ...dependencies,
      pipeline,
      guardView,
      store: dependencies.ports.store,
    }).build({ settings: clusterOf('prod', []), nodes: () => [], planned: [] }, unknown, dependencies.clock.now());
    expect([situation.samples('graphdb_up'), situation.samples('graphdb_up')]).toEqual([facts, facts]);
    expect(requested).toEqual(['graphdb_up']);
  });
});

describe('state of the daemon', () => {
  it('includes the state of a guard', async () => {
    const { of } = await setUp();
    expect(of().guard).toEqual(guardView('prod'));
    expect(of(1).guard).toBeUndefined();
  });

  it('contains the expiration times of tokens', async () => {
    const bed = testbed();
    bed.fakeClusters.tokenExpiresAt = 1_790_000_000;
    const { of } = await setUp(bed);
    expect(of().tokens).toEqual([
      { node: 'm1', expiresAt: 1_790_000_000_000 },
      { node: 'm2', expiresAt: 1_790_000_000_000 },
    ]);
    expect((await setUp()).of().tokens).toEqual([]);
  });

  it('contains the trends of requested families', async () => {
    const { of, clock } = await setUp();
    expect(of().slope('graphdb_load', {})).toBeUndefined();
    for (let round = 0; round < 8; round += 1) {
      await clock.advance(300_000);
      of();
    }
    // A family without a rule has no stored samples, so it has no trend.
    expect(of().slope('graphdb_load', {})).toBeUndefined();
  });
});
