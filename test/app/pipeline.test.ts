import { describe, expect, it } from 'vitest';
import { type Feed, feedOf } from '../../src/app/content.ts';
import { Pipeline } from '../../src/app/pipeline.ts';
import type { Planned } from '../../src/app/plan.ts';
import { Board, type Place } from '../../src/collect/board.ts';
import type { Reading } from '../../src/collect/runner.ts';
import type { Content, Page, Shown } from '../../src/expose/page.ts';
import { type FailureReason, failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';
import { clusterOf, fakeCollectors, settingsOf, World } from './fakes.ts';

/** A page that holds what was put, as `name{labels} value`, and notices puts that overlap. */
class FakePage implements Page {
  readonly sources = new Map<string, readonly string[]>();
  readonly order: string[] = [];
  readonly puts: (readonly string[])[] = [];
  overlaps = 0;
  /** Puts do not end before this. */
  hold: Promise<unknown> = Promise.resolve();
  readonly #busy = new Set<string>();

  async put(source: string, { labels, samples }: Content): Promise<Shown> {
    if (this.#busy.has(source)) this.overlaps += 1;
    if (!this.sources.has(source)) this.order.push(source);
    this.#busy.add(source);
    await Promise.all([this.hold, new Promise((resolve) => setImmediate(resolve))]);
    const lines = [...samples].map(
      ({ metric, labels: own, value }) => `${metric.name}${JSON.stringify({ ...labels, ...own })} ${value}`,
    );
    this.sources.set(source, lines);
    this.puts.push(lines);
    this.#busy.delete(source);
    return { series: lines.length, dropped: 0 };
  }

  expire(source: string): void {
    this.sources.set(source, this.sources.get(source)?.filter((line) => line.includes('_total')) ?? []);
  }

  remove(source: string): void {
    this.sources.delete(source);
  }

  body(): Promise<readonly Uint8Array[]> {
    return Promise.resolve([]);
  }

  metrics() {
    return [];
  }

  /** The values of a family, whatever its labels. */
  values(name: string): readonly string[] {
    const lines = [...this.sources.values()].flat();
    return lines.filter((line) => line.startsWith(`${name}{`)).map((line) => line.split(' ').at(-1) ?? '');
  }
}

const collectors = fakeCollectors(new World());
const planned: readonly Planned[] = collectors.map((collector) => ({ collector, settings: settingsOf(collector) }));
const prod = clusterOf('prod', ['m1', 'm2']);

function feed(collector: string, node = '', settings = prod): Feed {
  const one = planned.find((other) => other.collector.name === collector) ?? expect.fail(collector);
  return feedOf(settings, one, node, planned);
}

async function setUp(feeds: readonly Feed[]) {
  const clock = new FakeClock();
  const log = recordingLogger();
  const page = new FakePage();
  const board = new Board();
  const pipeline = new Pipeline(board, page, log);
  await pipeline.declare('prod', feeds);
  const reading = (result: Reading['result'], source = 'm1'): Reading => {
    const now = clock.now();
    return { result, source, started: now, ended: now };
  };
  const pace = { interval: 5000, lifetime: 15_000 };
  const good = (place: Place, facts: unknown, source = 'm1') => pipeline.take(place, reading(ok(facts), source), pace);
  const bad = (place: Place, reason: FailureReason = 'status') =>
    pipeline.take(place, reading(err(failure(reason, 'no'))), pace);
  return { clock, log, page, board, pipeline, reading, pace, good, bad };
}

describe('a reading', () => {
  const health = feed('health', 'm1');
  const load = feed('load');

  it('is put on the page with its labels', async () => {
    const { good, page } = await setUp([health, load]);
    await good(health, 1);
    await good(load, 7);
    const lines = [...page.sources.values()].flat();
    expect(lines).toContain('graphdb_up{"cluster_name":"prod","node":"m1"} 1');
    expect(lines).toContain('graphdb_load{"cluster_name":"prod"} 7');
  });

  it('that failed takes its gauges with it, shows what the collector says of it, and keeps counters', async () => {
    const { bad, good, page } = await setUp([health, load]);
    await good(health, 1);
    await good(load, 7);
    await bad(health);
    await bad(load);
    expect(page.values('graphdb_up')).toEqual(['0']);
    expect(page.values('graphdb_load')).toEqual([]);
    expect(page.values('graphdb_bytes_total')).toEqual(['7']);
  });

  it('shows the part that did arrive, and is a failure all the same', async () => {
    const { page, pipeline, reading, pace } = await setUp([load]);
    await pipeline.take(load, reading({ ...err(failure('timeout', 'half')), partial: 3 }), pace);
    expect(page.values('graphdb_load')).toEqual(['3']);
    expect(page.values('graphwarden_collector_success')).toEqual(['0']);
  });

  it('counts in the own metrics of its collector', async () => {
    const { bad, good, page } = await setUp([load]);
    await good(load, 1);
    await bad(load, 'auth');
    await bad(load, 'auth');
    const failures = [...page.sources.values()].flat().filter((line) => line.includes('"reason":"auth"'));
    expect(
      failures.some((line) => line.startsWith('graphwarden_collector_failures_total') && line.endsWith(' 2')),
    ).toBe(true);
    expect(page.values('graphwarden_collector_interval_seconds')).toEqual(['5']);
  });

  it('of a feed that is gone is ignored', async () => {
    const { good, page, pipeline } = await setUp([health]);
    await pipeline.declare('prod', []);
    await good(health, 1);
    expect([...page.sources.values()].flat()).toEqual([]);
  });

  it('whose samples throw is a failed one, and logged as a bug', async () => {
    const broken: Feed = {
      ...load,
      of: {
        ...load.of,
        *samples() {
          yield* load.of.samples(1, { wall: 0, mono: 0 });
          throw new Error('a bug in the mapping');
        },
      },
    };
    const { good, log, page } = await setUp([broken]);
    await good(broken, 1);
    expect(page.values('graphwarden_collector_success')).toEqual(['0']);
    expect(page.values('graphdb_load')).toEqual([]);
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('never overlaps another one of the same feed on the page', async () => {
    const { good, page } = await setUp([load]);
    await Promise.all(Array.from({ length: 20 }, (_, at) => good(load, at)));
    expect(page.overlaps).toBe(0);
    expect(page.values('graphdb_load')).toEqual(['19']);
  });

  it('from another source holds a lower counter back', async () => {
    const { good, page } = await setUp([load]);
    await good(load, 100, 'm1');
    await good(load, 90, 'm2');
    expect(page.values('graphdb_bytes_total')).toEqual(['100']);
    expect(page.values('graphdb_load')).toEqual(['90']);
    await good(load, 91, 'm2');
    await good(load, 92, 'm2');
    expect(page.values('graphdb_bytes_total')).toEqual(['92']);
  });
});

describe('another source', () => {
  const load = feed('load');
  const tries = [{ node: 'm1', error: failure('timeout', 'm1 is slow') }];

  async function switched(...sources: readonly string[]) {
    const bed = await setUp([load]);
    const { pipeline, reading, pace, log, page } = bed;
    for (const source of sources) {
      const failedTries = source === 'm1' ? [] : tries;
      await pipeline.take(load, { ...reading(ok(1), source), failedTries }, pace);
    }
    const lines = log.lines.filter(({ message }) => message.startsWith('another node gives'));
    const [count] = page.values('graphwarden_collector_source_switches_total');
    return { ...bed, lines, count };
  }

  it('is counted and logged once, with the reason why the former one was left', async () => {
    const { lines, count } = await switched('m1', 'm2', 'm2');
    expect(count).toBe('1');
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'another node gives the facts of the whole cluster',
        fields: {
          cluster: 'prod',
          collector: 'load',
          node: '',
          from: 'm1',
          to: 'm2',
          reason: 'timeout',
          message: 'm1 is slow',
        },
      },
    ]);
  });

  it('counts at the first reading as well, where the first node to ask failed', async () => {
    const { lines, count } = await switched('m2');
    expect([count, lines.length, lines[0]?.fields.from]).toEqual(['1', 1, 'm1']);
  });

  it('is none where the same node goes on', async () => {
    const { lines, count } = await switched('m1', 'm1');
    expect([count, lines]).toEqual(['0', []]);
  });

  it('is not taken up by a failure', async () => {
    const { log, page, pipeline, reading, pace } = await switched('m1');
    const failed = { ...reading(err(failure('status', 'no')), 'm2'), failedTries: tries };
    await pipeline.take(load, failed, pace);
    expect(page.values('graphwarden_collector_source_switches_total')).toEqual(['0']);
    expect(log.lines.map(({ message }) => message)).toEqual(['reading fails']);
  });

  it('cannot be had for what belongs to a node', async () => {
    const health = feed('health', 'm1');
    const { pipeline, reading, pace, log } = await setUp([health]);
    await pipeline.take(health, reading(ok(1), 'm1'), pace);
    await pipeline.take(health, reading(ok(1), 'm2'), pace);
    expect(log.lines).toEqual([]);
  });
});

describe('what becomes overdue', () => {
  it('goes, and comes back with the next reading', async () => {
    const load = feed('load');
    const { clock, good, page, pipeline } = await setUp([load]);
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

  it('is told as the failure that it is where the collector has something to say', async () => {
    const health = feed('health', 'm1');
    const { clock, good, page, pipeline } = await setUp([health]);
    await good(health, 1);
    await clock.advance(15_000);
    await pipeline.expire(clock.now());
    expect(page.values('graphdb_up')).toEqual(['0']);
  });
});

describe('a feed that yields', () => {
  it('shows shared families only while the other has none', async () => {
    const [load, backup] = [feed('load'), feed('backup')];
    const { bad, clock, good, page, pipeline } = await setUp([load, backup]);
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

describe('declaring feeds', () => {
  it('shows what was hidden as soon as the better collector is switched off', async () => {
    const [load, backup] = [feed('load'), feed('backup')];
    const { clock, good, page, pipeline } = await setUp([load, backup]);
    await good(load, 7);
    await good(backup, 1);
    await clock.settle();
    expect(page.values('graphdb_load')).toEqual(['7']);
    const alone = planned.filter(({ collector }) => collector.name === 'backup');
    await pipeline.declare('prod', [feedOf(prod, alone[0] ?? expect.fail(), '', alone)]);
    expect(page.values('graphdb_load')).toEqual(['101']);
  });

  it('does not end before a feed that is gone has left the page, so that it can come back', async () => {
    const health = feed('health', 'm1');
    const { clock, good, page, pipeline } = await setUp([health]);
    const held = Promise.withResolvers<void>();
    page.hold = held.promise;
    const reading = good(health, 1);
    await clock.settle();
    const gone = pipeline.declare('prod', []).then(() => {
      page.hold = Promise.resolve();
      return pipeline.declare('prod', [health]);
    });
    await clock.settle();
    held.resolve();
    await Promise.all([reading, gone]);
    await clock.settle();
    expect(page.values('graphwarden_collector_success')).toEqual([]);
    expect(page.values('graphwarden_collector_last_success_timestamp_seconds')).toEqual(['0']);
  });

  it('gives each its rank before any reading', async () => {
    const { good, page } = await setUp([feed('load'), feed('health', 'm1')]);
    await good(feed('health', 'm1'), 1);
    const names = page.order.map((source) => JSON.parse(source)).filter((parts) => parts.length === 3);
    expect(names).toEqual([
      ['prod', 'load', ''],
      ['prod', 'health', 'm1'],
    ]);
  });

  it('keeps what is known of those that stay, under new labels too', async () => {
    const { good, page, pipeline } = await setUp([feed('health', 'm1'), feed('health', 'm2')]);
    await good(feed('health', 'm1'), 1);
    const labelled = clusterOf('prod', ['m1', 'm2'], { labels: { env: 'prod' } });
    await pipeline.declare('prod', [feed('health', 'm1', labelled)]);
    const lines = [...page.sources.values()].flat();
    expect(lines).toContain('graphdb_up{"cluster_name":"prod","env":"prod","node":"m1"} 1');
    expect(lines.some((line) => line.includes('m2'))).toBe(false);
  });

  it('never misses it while the labels change', async () => {
    const { good, page, pipeline } = await setUp([feed('health', 'm1')]);
    await good(feed('health', 'm1'), 1);
    const labelled = feed('health', 'm1', clusterOf('prod', ['m1'], { labels: { env: 'prod' } }));
    page.puts.length = 0;
    await pipeline.declare('prod', [labelled]);
    expect(page.puts[0]).toEqual(['graphdb_up{"cluster_name":"prod","env":"prod","node":"m1"} 1']);
  });

  it('forgets a feed for good: back again it begins anew', async () => {
    const health = feed('health', 'm1');
    const { bad, log, page, pipeline, board } = await setUp([health]);
    await bad(health);
    await pipeline.declare('prod', []);
    expect(board.entries()).toEqual([]);
    expect(page.sources.size).toBe(0);
    await pipeline.declare('prod', [health]);
    expect(page.values('graphwarden_collector_last_success_timestamp_seconds')).toEqual(['0']);
    await bad(health);
    expect(log.lines.filter(({ message }) => message === 'reading fails')).toHaveLength(2);
  });
});

describe('moving to another page', () => {
  it('is seen when the new page is complete, and loses no reading meanwhile', async () => {
    const [load, health] = [feed('load'), feed('health', 'm1')];
    const { bad, good, page, pipeline } = await setUp([load, health]);
    await good(load, 7);
    await good(health, 1);
    await bad(health);
    const next = new FakePage();
    const moving = pipeline.moveTo(next, async () => expect(pipeline.page).toBe(page));
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

  it('keeps counters of what fails at present', async () => {
    const load = feed('load');
    const { bad, good, pipeline } = await setUp([load]);
    await good(load, 7);
    await bad(load);
    const next = new FakePage();
    await pipeline.moveTo(next);
    await pipeline.declare('prod', [feed('load', '', clusterOf('prod', [], { labels: { env: 'prod' } }))]);
    expect([...next.sources.values()].flat()).toContain('graphdb_bytes_total{"cluster_name":"prod","env":"prod"} 7');
    expect(next.values('graphdb_load')).toEqual([]);
  });
});
