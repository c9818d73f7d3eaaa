import { expect } from 'vitest';
import { type Feed, feedOf } from '../../src/app/content.ts';
import { Pipeline } from '../../src/app/pipeline.ts';
import type { Planned } from '../../src/app/plan.ts';
import { Board, type Place } from '../../src/collect/board.ts';
import type { Reading } from '../../src/collect/runner.ts';
import type { Content, Page, PageBody, Shown } from '../../src/expose/page.ts';
import { type FailureReason, failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';
import { clusterOf, fakeCollectors, settingsOf, World } from './fakes.ts';

/** A page that holds what was put, as `name{labels} value`, and notices puts that overlap. */
export class FakePage implements Page {
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

  body(): Promise<PageBody> {
    return Promise.resolve({ pieces: [], release: () => undefined });
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
/** What there is to run. */
export const planned: readonly Planned[] = collectors.map((collector) => ({
  collector,
  settings: settingsOf(collector),
}));
/** The cluster that the feeds are of. */
export const prod = clusterOf('prod', ['m1', 'm2']);

/** The feed of one collector. */
export function feed(collector: string, node = '', settings = prod): Feed {
  const one = planned.find((other) => other.collector.name === collector) ?? expect.fail(collector);
  return feedOf(settings, one, node, planned);
}

/** A pipeline that feeds a fake page, with what a test needs to make readings. */
export async function setUp(feeds: readonly Feed[]) {
  const clock = new FakeClock();
  const log = recordingLogger();
  const page = new FakePage();
  const board = new Board();
  const wanted = new Set(['graphdb_up', 'graphdb_load']);
  const taken: string[] = [];
  const pipeline = new Pipeline(board, page, log, {
    wanted,
    taken: ({ collector, node }, { result }) => void taken.push(`${collector}@${node} ${result.ok ? 'good' : 'bad'}`),
  });
  await pipeline.declare('prod', feeds);
  const reading = (result: Reading['result'], source = 'm1'): Reading => {
    const now = clock.now();
    return { result, source, started: now, ended: now };
  };
  const pace = { interval: 5000, lifetime: 15_000 };
  const good = (place: Place, facts: unknown, source = 'm1') => pipeline.take(place, reading(ok(facts), source), pace);
  const bad = (place: Place, reason: FailureReason = 'status') =>
    pipeline.take(place, reading(err(failure(reason, 'no'))), pace);
  return { clock, log, page, board, pipeline, reading, pace, good, bad, wanted, taken };
}
