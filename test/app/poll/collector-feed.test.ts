import { describe, expect, it } from 'vitest';
import { createFeed, feedContent, feedLabels } from '../../../src/app/poll/collector-feed.ts';
import type { PlannedCollector } from '../../../src/app/poll/collector-plan.ts';
import type { Collector } from '../../../src/collect/collector.ts';
import { KeptSamples } from '../../../src/collect/kept-samples.ts';
import { LatestResults } from '../../../src/collect/latest-results.ts';
import type { PollResult } from '../../../src/collect/poll-runner.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { ParsedFamily } from '../../../src/model/exposition.ts';
import { sampleValues } from '../../../src/model/exposition.ts';
import { clusterOf, FakeClusters, fakeCollectors, settingsOf } from '../fakes.ts';

const cluster = clusterOf('prod', ['m1'], { labels: { env: 'x' } });
const planned: readonly PlannedCollector[] = fakeCollectors(new FakeClusters()).map((collector) => ({
  collector,
  settings: settingsOf(collector),
}));
const theirs: ParsedFamily = { name: 'svc_x', type: 'gauge', help: '', series: [], values: sampleValues([]) };

function of(name: string): PlannedCollector {
  return planned.find(({ collector }) => collector.name === name) ?? expect.fail(name);
}

function reading(result: PollResult['result']): PollResult {
  return { result, source: 'm1', started: { wall: 0, mono: 0 }, ended: { wall: 1000, mono: 1000 } };
}

function show(name: string, node: string, result: PollResult['result'], before?: (board: LatestResults) => void) {
  const board = new LatestResults();
  const feed = createFeed(cluster, of(name), node, planned);
  before?.(board);
  board.record(feed, reading(result), 1000);
  const content = feedContent(feed, new KeptSamples(), board);
  return content && [...content.samples].map(({ metric, value }) => `${metric.name} ${value}`);
}

describe('a feed', () => {
  it('carries the labels of its cluster, and its node where it has one', () => {
    expect(feedLabels(createFeed(cluster, of('health'), 'm1', planned))).toEqual({
      cluster_name: 'prod',
      env: 'x',
      node: 'm1',
    });
    expect(feedLabels(createFeed(cluster, of('load'), '', planned))).toEqual({ cluster_name: 'prod', env: 'x' });
  });

  it('knows who is better, if that one runs at all', () => {
    expect(createFeed(cluster, of('backup'), '', planned).preferred?.name).toBe('load');
    expect(createFeed(cluster, of('backup'), '', [of('backup')]).preferred).toBeUndefined();
    expect(createFeed(cluster, of('load'), '', planned).preferred).toBeUndefined();
  });
});

describe('the content of a feed', () => {
  it('is empty before the first poll', () => {
    const content = feedContent(createFeed(cluster, of('load'), '', planned), new KeptSamples(), new LatestResults());
    expect([...(content?.samples ?? expect.fail())]).toEqual([]);
  });

  it.each([
    ['a successful poll', ['load', '', ok(7)], ['graphdb_load 7', 'graphdb_bytes_total 7']],
    ['a failure with something to say', ['health', 'm1', err(failure('timeout', 'x'))], ['graphdb_up 0']],
    ['a failure without', ['load', '', err(failure('timeout', 'x'))], undefined],
    ['a part', ['health', 'm1', { ...err(failure('auth', 'x')), partial: 1 }], ['graphdb_up 1']],
  ] as const)('is right for %s', (_, [name, node, result], expected) => {
    expect(show(name, node, result)).toEqual(expected);
  });

  it('omits metrics that a preferred collector exposes', () => {
    const loaded = (board: LatestResults): void =>
      void board.record(createFeed(cluster, of('load'), '', planned), reading(ok(7)), 1000);
    expect(show('backup', '', ok(1), loaded)).toEqual(['graphdb_collected 1']);
    expect(show('backup', '', ok(1))).toEqual(['graphdb_load 101', 'graphdb_collected 1']);
  });

  it('is the failure to read where the last good one is overdue', () => {
    const board = new LatestResults();
    const feed = createFeed(cluster, of('health'), 'm1', planned);
    board.record(feed, reading(ok(1)), 1000);
    board.markStale({ wall: 2000, mono: 2000 });
    const content = feedContent(feed, new KeptSamples(), board);
    expect([...(content?.samples ?? [])].map(({ value }) => value)).toEqual([0]);
  });

  it.each([true, false])("hands the server's own families on where that is wanted: %s", (passthrough) => {
    const collector: Collector = { ...of('load').collector, passthrough: () => [theirs] };
    const feed = createFeed(cluster, { collector, settings: settingsOf(collector, { passthrough }) }, '', []);
    const board = new LatestResults();
    board.record(feed, reading(ok(1)), 1000);
    expect(feedContent(feed, new KeptSamples(), board)?.passthrough).toEqual(passthrough ? [theirs] : undefined);
  });
});
