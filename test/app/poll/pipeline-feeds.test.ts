import { describe, expect, it } from 'vitest';
import { createFeed } from '../../../src/app/poll/collector-feed.ts';
import { clusterOf } from '../fakes.ts';
import { FakeMetricsPage, feed, planned, prod, setUpPipeline } from './pipeline-setup.ts';

describe('declaring feeds', () => {
  it('exposes the fallback as soon as the preferred collector is disabled', async () => {
    const [load, backup] = [feed('load'), feed('backup')];
    const { clock, good, page, pipeline } = await setUpPipeline([load, backup]);
    await good(load, 7);
    await good(backup, 1);
    await clock.settle();
    expect(page.values('graphdb_load')).toEqual(['7']);
    const alone = planned.filter(({ collector }) => collector.name === 'backup');
    await pipeline.setFeeds('prod', [createFeed(prod, alone[0] ?? expect.fail(), '', alone)]);
    expect(page.values('graphdb_load')).toEqual(['101']);
  });

  it('ends after a removed feed has left the page, so that the feed can be added again', async () => {
    const health = feed('health', 'm1');
    const { clock, good, page, pipeline } = await setUpPipeline([health]);
    const held = Promise.withResolvers<void>();
    page.hold = held.promise;
    const reading = good(health, 1);
    await clock.settle();
    const gone = pipeline.setFeeds('prod', []).then(() => {
      page.hold = Promise.resolve();
      return pipeline.setFeeds('prod', [health]);
    });
    await clock.settle();
    held.resolve();
    await Promise.all([reading, gone]);
    await clock.settle();
    expect(page.values('graphwarden_collector_success')).toEqual([]);
    expect(page.values('graphwarden_collector_last_success_timestamp_seconds')).toEqual(['0']);
  });

  it('gives each feed its rank before the first poll result', async () => {
    const { good, page } = await setUpPipeline([feed('load'), feed('health', 'm1')]);
    await good(feed('health', 'm1'), 1);
    const names = page.order.map((source) => JSON.parse(source)).filter((parts) => parts.length === 3);
    expect(names).toEqual([
      ['prod', 'load', ''],
      ['prod', 'health', 'm1'],
    ]);
  });

  it('keeps the state of remaining feeds, also under new labels', async () => {
    const { good, page, pipeline } = await setUpPipeline([feed('health', 'm1'), feed('health', 'm2')]);
    await good(feed('health', 'm1'), 1);
    const labelled = clusterOf('prod', ['m1', 'm2'], { labels: { env: 'prod' } });
    await pipeline.setFeeds('prod', [feed('health', 'm1', labelled)]);
    const lines = [...page.sources.values()].flat();
    expect(lines).toContain('graphdb_up{"cluster_name":"prod","env":"prod","node":"m1"} 1');
    expect(lines.some((line) => line.includes('m2'))).toBe(false);
  });

  it('keeps a feed on the page while its labels change', async () => {
    const { good, page, pipeline } = await setUpPipeline([feed('health', 'm1')]);
    await good(feed('health', 'm1'), 1);
    const labelled = feed('health', 'm1', clusterOf('prod', ['m1'], { labels: { env: 'prod' } }));
    page.puts.length = 0;
    await pipeline.setFeeds('prod', [labelled]);
    expect(page.puts[0]).toEqual(['graphdb_up{"cluster_name":"prod","env":"prod","node":"m1"} 1']);
  });

  it('forgets a removed feed, which starts with no state when it is added again', async () => {
    const health = feed('health', 'm1');
    const { bad, log, page, pipeline, board } = await setUpPipeline([health]);
    await bad(health);
    await pipeline.setFeeds('prod', []);
    expect(board.all()).toEqual([]);
    expect(page.sources.size).toBe(0);
    await pipeline.setFeeds('prod', [health]);
    expect(page.values('graphwarden_collector_last_success_timestamp_seconds')).toEqual(['0']);
    await bad(health);
    expect(log.lines.filter(({ message }) => message === 'collector failed')).toHaveLength(2);
  });
});

describe('a change to another page', () => {
  it('takes effect when the new page is complete, without losing a poll result', async () => {
    const [load, health] = [feed('load'), feed('health', 'm1')];
    const { bad, good, page, pipeline } = await setUpPipeline([load, health]);
    await good(load, 7);
    await good(health, 1);
    await bad(health);
    const next = new FakeMetricsPage();
    const moving = pipeline.switchPage(next, async () => expect(pipeline.page).toBe(page));
    const late = good(load, 8);
    expect(pipeline.page).toBe(page);
    await moving;
    await late;
    expect(pipeline.page).toBe(next);
    expect(next.values('graphdb_load')).toEqual(['8']);
    expect(next.values('graphdb_up')).toEqual(['0']);
    expect(next.values('graphwarden_collector_success')).toEqual(['1', '0']);
    expect(next.overlaps).toBe(0);
  });

  it('keeps counters of failing collectors', async () => {
    const load = feed('load');
    const { bad, good, pipeline } = await setUpPipeline([load]);
    await good(load, 7);
    await bad(load);
    const next = new FakeMetricsPage();
    await pipeline.switchPage(next);
    await pipeline.setFeeds('prod', [feed('load', '', clusterOf('prod', [], { labels: { env: 'prod' } }))]);
    expect([...next.sources.values()].flat()).toContain('graphdb_bytes_total{"cluster_name":"prod","env":"prod"} 7');
    expect(next.values('graphdb_load')).toEqual([]);
  });
});
