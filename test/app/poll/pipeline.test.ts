import { describe, expect, it } from 'vitest';
import type { CollectorFeed } from '../../../src/app/poll/collector-feed.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { feed, setUpPipeline } from './pipeline-setup.ts';

describe('a poll result', () => {
  const health = feed('health', 'm1');
  const load = feed('load');

  it('is put on the page with its labels', async () => {
    const { good, page } = await setUpPipeline([health, load]);
    await good(health, 1);
    await good(load, 7);
    const lines = [...page.sources.values()].flat();
    expect(lines).toContain('graphdb_up{"cluster_name":"prod","node":"m1"} 1');
    expect(lines).toContain('graphdb_load{"cluster_name":"prod"} 7');
  });

  it('logs cut label values once a minute, and counts them', async () => {
    const { good, log, page, clock } = await setUpPipeline([health]);
    const logged = () => log.lines.filter(({ message }) => message === 'label values cut');
    page.cutLabels = 2;
    await good(health, 1);
    await good(health, 1);
    expect(logged()).toMatchObject([{ level: 'warn', fields: { collector: 'health', node: 'm1', values: 2 } }]);
    await clock.advance(120_000);
    await good(health, 1);
    expect(logged()).toHaveLength(2);
    page.cutLabels = 0;
    await good(health, 1);
    expect(page.values('graphwarden_collector_label_values_cut_total')).toEqual(['6']);
  });

  it('that failed removes its gauges, exposes the state of the collector, and keeps counters', async () => {
    const { bad, good, page } = await setUpPipeline([health, load]);
    await good(health, 1);
    await good(load, 7);
    await bad(health);
    await bad(load);
    expect(page.values('graphdb_up')).toEqual(['0']);
    expect(page.values('graphdb_load')).toEqual([]);
    expect(page.values('graphdb_bytes_total')).toEqual(['7']);
  });

  it('that failed leaves the former samples on the page until it is rendered, so that no scrape misses the series', async () => {
    const { bad, good, page } = await setUpPipeline([health]);
    await good(health, 1);
    const rendering = Promise.withResolvers<undefined>();
    page.hold = rendering.promise;
    const accepted = bad(health);
    await new Promise((resolve) => setImmediate(resolve));
    expect(page.values('graphdb_up')).toEqual(['1']);
    rendering.resolve(undefined);
    await accepted;
    expect(page.values('graphdb_up')).toEqual(['0']);
  });

  it('exposes the part that arrived, and counts as a failure', async () => {
    const { page, pipeline, reading, pace } = await setUpPipeline([load]);
    await pipeline.accept(load, reading({ ...err(failure('timeout', 'half')), partial: 3 }), pace);
    expect(page.values('graphdb_load')).toEqual(['3']);
    expect(page.values('graphwarden_collector_success')).toEqual(['0']);
  });

  it('counts unreadable entries in addition to series that the page dropped', async () => {
    const { bad, good, pipeline } = await setUpPipeline([
      { ...load, definition: { ...load.definition, rejectedSeries: () => 3 } },
    ]);
    await good(load, 1);
    await bad(load);
    await good(load, 1);
    expect(pipeline.statusOf(load)?.dropped).toEqual(new Map([['invalid', 6]]));
  });

  it('counts in the self-monitoring metrics of its collector', async () => {
    const { bad, good, page } = await setUpPipeline([load]);
    await good(load, 1);
    await bad(load, 'auth');
    await bad(load, 'auth');
    const failures = [...page.sources.values()].flat().filter((line) => line.includes('"reason":"auth"'));
    expect(
      failures.some((line) => line.startsWith('graphwarden_collector_failures_total') && line.endsWith(' 2')),
    ).toBe(true);
    expect(page.values('graphwarden_collector_interval_seconds')).toEqual(['5']);
  });

  it('shows failed sources as 0 for a minute, and then their number without another poll', async () => {
    const { clock, page, pace, pipeline, reading } = await setUpPipeline([load]);
    const failedAttempts = [{ node: 'm2', error: failure('auth', 'no') }];
    await pipeline.accept(load, { ...reading(ok(1)), failedAttempts }, pace);
    const shown = (): readonly string[] => page.values('graphwarden_collector_source_failures_total');
    expect(shown()).toEqual(['0']);
    await clock.advance(60_000);
    await pipeline.expire(clock.now());
    expect(shown()).toEqual(['1']);
  });

  it('that never ends is visible: its interval is exposed from the start, except with a schedule', async () => {
    const { interval: _, ...byCalendar } = load;
    const { page, pipeline } = await setUpPipeline([health, byCalendar]);
    expect(page.values('graphwarden_collector_interval_seconds')).toEqual(['5']);
    expect(page.values('graphwarden_collector_success')).toEqual([]);
    await pipeline.setFeeds('prod', [{ ...health, interval: 7000 }, byCalendar]);
    expect(page.values('graphwarden_collector_interval_seconds')).toEqual(['7']);
    expect(page.values('graphwarden_collector_configured_interval_seconds')).toEqual(['7']);
  });

  it('of a removed feed is ignored', async () => {
    const { good, page, pipeline } = await setUpPipeline([health]);
    await pipeline.setFeeds('prod', []);
    await good(health, 1);
    expect([...page.sources.values()].flat()).toEqual([]);
  });

  it('whose samples throw is a failed one, and logged as a bug', async () => {
    const broken: CollectorFeed = {
      ...load,
      definition: {
        ...load.definition,
        *samples() {
          yield* load.definition.samples(1, { wall: 0, mono: 0 });
          throw new Error('a bug in the mapping');
        },
      },
    };
    const { good, log, page } = await setUpPipeline([broken]);
    await good(broken, 1);
    expect(page.values('graphwarden_collector_success')).toEqual(['0']);
    expect(page.values('graphdb_load')).toEqual([]);
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('never overlaps another one of the same feed on the page', async () => {
    const { good, page } = await setUpPipeline([load]);
    await Promise.all(Array.from({ length: 20 }, (_, at) => good(load, at)));
    expect(page.overlaps).toBe(0);
    expect(page.values('graphdb_load')).toEqual(['19']);
  });

  it('from another source withholds a lower counter', async () => {
    const { good, page, clock } = await setUpPipeline([load]);
    await good(load, 100, 'm1');
    await good(load, 90, 'm2');
    expect(page.values('graphdb_bytes_total')).toEqual(['100']);
    expect(page.values('graphdb_load')).toEqual(['90']);
    await good(load, 91, 'm2');
    await clock.advance(120_000);
    await good(load, 92, 'm2');
    expect(page.values('graphdb_bytes_total')).toEqual(['92']);
  });
});

describe('another source', () => {
  const load = feed('load');
  const tries = [{ node: 'm1', error: failure('timeout', 'm1 is slow') }];

  async function switched(...sources: readonly string[]) {
    const bed = await setUpPipeline([load]);
    const { pipeline, reading, pace, log, page } = bed;
    for (const source of sources) {
      const failedAttempts = source === 'm1' ? [] : tries;
      await pipeline.accept(load, { ...reading(ok(1), source), failedAttempts }, pace);
    }
    const lines = log.lines.filter(({ message }) => message.startsWith('cluster source'));
    const [count] = page.values('graphwarden_collector_source_switches_total');
    return { ...bed, lines, count };
  }

  it('is counted and logged once, with the reason why the former one was left', async () => {
    const { lines, count } = await switched('m1', 'm2', 'm2');
    expect(count).toBe('1');
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'cluster source node changed',
        fields: {
          cluster: 'prod',
          collector: 'load',
          node: '',
          from: 'm1',
          to: 'm2',
          reason: 'timeout',
          error: 'm1 is slow',
        },
      },
    ]);
  });

  it('is counted at the first poll if the first node failed', async () => {
    const { lines, count } = await switched('m2');
    expect([count, lines.length, lines[0]?.fields.from]).toEqual(['1', 1, 'm1']);
  });

  it('is not used while the same node answers', async () => {
    const { lines, count } = await switched('m1', 'm1');
    expect([count, lines]).toEqual(['0', []]);
  });

  it('is not used after a failed poll', async () => {
    const { log, page, pipeline, reading, pace } = await switched('m1');
    const failed = { ...reading(err(failure('status', 'no')), 'm2'), failedAttempts: tries };
    await pipeline.accept(load, failed, pace);
    expect(page.values('graphwarden_collector_source_switches_total')).toEqual(['0']);
    expect(log.lines.map(({ message }) => message).filter((message) => message !== 'poll finished')).toEqual([
      'collector failed',
    ]);
  });

  it('is not used for node-scoped facts', async () => {
    const health = feed('health', 'm1');
    const { pipeline, reading, pace, log } = await setUpPipeline([health]);
    await pipeline.accept(health, reading(ok(1), 'm1'), pace);
    await pipeline.accept(health, reading(ok(1), 'm2'), pace);
    expect(log.lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  });
});

describe('an overdue poll result', () => {
  it('is removed, and replaced by the next poll result', async () => {
    const load = feed('load');
    const { clock, good, page, pipeline } = await setUpPipeline([load]);
    await good(load, 7);
    await clock.advance(14_999);
    await pipeline.expire(clock.now());
    expect(page.values('graphdb_load')).toEqual(['7']);
    await clock.advance(1);
    await pipeline.expire(clock.now());
    expect(page.values('graphdb_load')).toEqual([]);
    expect(page.values('graphdb_bytes_total')).toEqual(['7']);
    await good(load, 8);
    expect(page.values('graphdb_load')).toEqual(['8']);
  });

  it('is shown as a failure if the collector has samples for failures', async () => {
    const health = feed('health', 'm1');
    const { clock, good, page, pipeline } = await setUpPipeline([health]);
    await good(health, 1);
    await clock.advance(15_000);
    await pipeline.expire(clock.now());
    expect(page.values('graphdb_up')).toEqual(['0']);
  });
});

describe('a feed that yields', () => {
  it('exposes shared families only while the other feed has none', async () => {
    const [load, backup] = [feed('load'), feed('backup')];
    const { bad, clock, good, page, pipeline } = await setUpPipeline([load, backup]);
    await good(backup, 1);
    expect(page.values('graphdb_load')).toEqual(['101']);
    await good(load, 7);
    await clock.settle();
    expect(page.values('graphdb_load')).toEqual(['7']);
    expect(page.values('graphdb_collected')).toEqual(['1']);
    await bad(load);
    await clock.settle();
    expect(page.values('graphdb_load')).toEqual(['101']);
    await good(load, 8);
    await clock.advance(20_000);
    await pipeline.expire(clock.now());
    await clock.settle();
    expect(page.values('graphdb_load')).toEqual([]);
  });
});
