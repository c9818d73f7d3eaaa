import { describe, expect, it } from 'vitest';
import { createFeed, feedContent, feedLabels, startResult } from '../../../src/app/poll/collector-feed.ts';
import type { PlannedCollector } from '../../../src/app/poll/collector-plan.ts';
import type { Collector } from '../../../src/collect/collector.ts';
import { IdentityCheck } from '../../../src/collect/identity-check.ts';
import { KeptSamples } from '../../../src/collect/kept-samples.ts';
import { LatestResults } from '../../../src/collect/latest-results.ts';
import type { PollResult } from '../../../src/collect/poll-runner.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { gauge, sample } from '../../../src/metric/metric.ts';
import type { ParsedFamily } from '../../../src/model/exposition.ts';
import { sampleValues } from '../../../src/model/exposition.ts';
import { fakeCollectors } from '../fake-collectors.ts';
import { clusterOf, FakeClusters, settingsOf } from '../fakes.ts';

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
  it('has the labels of its cluster, and its node if the collector polls nodes', () => {
    expect(feedLabels(createFeed(cluster, of('health'), 'm1', planned))).toEqual({
      cluster_name: 'prod',
      env: 'x',
      node: 'm1',
    });
    expect(feedLabels(createFeed(cluster, of('load'), '', planned))).toEqual({ cluster_name: 'prod', env: 'x' });
  });

  it('has an empty node for a probe or a custom query of the whole cluster, whose families may also have nodes', () => {
    const { collector, settings } = of('load');
    const custom = { collector: { ...collector, isCustom: true as const }, settings };
    expect(feedLabels(createFeed(cluster, custom, '', planned))).toEqual({ cluster_name: 'prod', env: 'x', node: '' });
  });

  it('has the preferred collector if it is enabled', () => {
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
    ['a failure with failure samples', ['health', 'm1', err(failure('timeout', 'x'))], ['graphdb_up 0']],
    ['a failure without failure samples', ['load', '', err(failure('timeout', 'x'))], undefined],
    ['a partial result', ['health', 'm1', { ...err(failure('auth', 'x')), partial: 1 }], ['graphdb_up 1']],
  ] as const)('after %s', (_, [name, node, result], expected) => {
    expect(show(name, node, result)).toEqual(expected);
  });

  it('omits metrics that a preferred collector exposes', () => {
    const loaded = (board: LatestResults): void =>
      void board.record(createFeed(cluster, of('load'), '', planned), reading(ok(7)), 1000);
    expect(show('backup', '', ok(1), loaded)).toEqual(['graphdb_collected 1']);
    expect(show('backup', '', ok(1))).toEqual(['graphdb_load 101', 'graphdb_collected 1']);
  });

  it('shows values that a preferred collector exposed before, without waiting for a second answer', () => {
    const load = gauge({ name: 'graphdb_load', help: 'Load.', labels: ['service_name'], source: 'a test' });
    const collected = gauge({ name: 'graphdb_collected', help: 'Time.', labels: ['host_id'], source: 'a test' });
    const collector: Collector = {
      ...of('backup').collector,
      samples: () => [sample(collected, { host_id: 'm1' }, 1), sample(load, { service_name: 'GPE' }, 2)],
    };
    const feed = createFeed(cluster, { ...of('backup'), collector }, '', planned);
    const preferred = createFeed(cluster, of('load'), '', planned);
    const [board, identities] = [new LatestResults(), new IdentityCheck(() => true)];
    const keptSamples = new KeptSamples(identities);
    const shown = (): readonly string[] =>
      [...(feedContent(feed, keptSamples, board)?.samples ?? [])].map(({ metric }) => metric.name);

    board.record(preferred, reading(ok(7)), 1000);
    for (const answer of [1, 2]) {
      board.record(feed, startResult(feed, { keptSamples, identities }, reading(ok(answer))), 1000);
      expect(shown()).toEqual(['graphdb_collected']);
    }
    board.record(preferred, reading(err(failure('timeout', 'x'))), 1000);
    expect(shown()).toEqual(['graphdb_collected', 'graphdb_load']);
  });

  it('has the failure samples if the last successful result is overdue', () => {
    const board = new LatestResults();
    const feed = createFeed(cluster, of('health'), 'm1', planned);
    board.record(feed, reading(ok(1)), 1000);
    board.markStale({ wall: 2000, mono: 2000 });
    const content = feedContent(feed, new KeptSamples(), board);
    expect([...(content?.samples ?? [])].map(({ value }) => value)).toEqual([0]);
  });

  it.each([true, false])("passes the server's families through if configured: %s", (passthrough) => {
    const collector: Collector = { ...of('load').collector, passthrough: () => [theirs] };
    const feed = createFeed(cluster, { collector, settings: settingsOf(collector, { passthrough }) }, '', []);
    const board = new LatestResults();
    board.record(feed, reading(ok(1)), 1000);
    expect(feedContent(feed, new KeptSamples(), board)?.passthrough).toEqual(passthrough ? [theirs] : undefined);
  });
});

function partial(...names: readonly string[]) {
  return { ...err(failure('auth', 'x')), partial: names };
}

describe('poll results that stay partial', () => {
  const overdue = gauge({ name: 'graphdb_overdue', help: 'Overdue.', labels: ['graph', 'query'], source: 'a test' });
  const collector: Collector = {
    ...of('lists').collector,
    *samples(names) {
      for (const query of Array.isArray(names) ? names : []) yield sample(overdue, { graph: 'fraud', query }, 1);
    },
  };

  it('show a query that appears while one graph keeps failing', () => {
    const feed = createFeed(cluster, { ...of('lists'), collector }, 'm1', planned);
    const [board, identities] = [new LatestResults(), new IdentityCheck(() => true)];
    const keptSamples = new KeptSamples(identities);
    const shown = (result: PollResult['result']): readonly (string | undefined)[] => {
      board.record(feed, startResult(feed, { keptSamples, identities }, reading(result)), 1000);
      return [...(feedContent(feed, keptSamples, board)?.samples ?? [])].map(({ labels }) => labels.query);
    };
    expect(shown(ok(['a']))).toEqual(['a']);
    expect(shown(partial('a', 'b'))).toEqual(['a']);
    expect(shown(partial('a', 'b'))).toEqual(['a', 'b']);
  });
});
