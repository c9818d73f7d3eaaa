import { expect } from 'vitest';
import { type CollectorFeed, createFeed } from '../../../src/app/poll/collector-feed.ts';
import type { PlannedCollector } from '../../../src/app/poll/collector-plan.ts';
import { Pipeline } from '../../../src/app/poll/pipeline.ts';
import { LatestResults } from '../../../src/collect/latest-results.ts';
import type { PollResult } from '../../../src/collect/poll-runner.ts';
import type { MetricsPage, PageBody, SeriesCounts, SourceContent } from '../../../src/expose/metrics-page.ts';
import { type FailureReason, failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { CollectorTarget } from '../../../src/model/collector-key.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';
import { fakeCollectors } from '../fake-collectors.ts';
import { clusterOf, FakeClusters, settingsOf } from '../fakes.ts';

/** A page that holds what was put, as `name{labels} value`, and notices puts that overlap. */
export class FakeMetricsPage implements MetricsPage {
  readonly sources = new Map<string, readonly string[]>();
  readonly order: string[] = [];
  readonly puts: (readonly string[])[] = [];
  overlaps = 0;
  /** Label values that each put cuts. */
  cutLabels = 0;
  /** Puts do not end before this. */
  hold: Promise<unknown> = Promise.resolve();
  readonly #busy = new Set<string>();

  async put(source: string, { labels, samples }: SourceContent): Promise<SeriesCounts> {
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
    return { series: lines.length, dropped: [], cutLabels: this.cutLabels };
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

const collectors = fakeCollectors(new FakeClusters());
/** Tasks to run. */
export const planned: readonly PlannedCollector[] = collectors.map((collector) => ({
  collector,
  settings: settingsOf(collector),
}));
/** The cluster that the feeds are of. */
export const prod = clusterOf('prod', ['m1', 'm2']);

/** The feed of one collector. */
export function feed(collector: string, node = '', settings = prod): CollectorFeed {
  const one = planned.find((other) => other.collector.name === collector) ?? expect.fail(collector);
  return createFeed(settings, one, node, planned);
}

/** A pipeline that feeds a fake page, with helpers that create poll results. */
export async function setUpPipeline(feeds: readonly CollectorFeed[]) {
  const clock = new FakeClock();
  const log = recordingLogger();
  const page = new FakeMetricsPage();
  const board = new LatestResults();
  const wantedFamilies = new Set(['graphdb_up', 'graphdb_load']);
  const taken: string[] = [];
  const pipeline = new Pipeline(board, page, log, wantedFamilies);
  pipeline.subscribe({
    onPollResult: ({ collector, node }, { result }) =>
      void taken.push(`${collector}@${node} ${result.ok ? 'good' : 'bad'}`),
  });
  await pipeline.setFeeds('prod', feeds);
  const reading = (result: PollResult['result'], source = 'm1'): PollResult => {
    const now = clock.now();
    return { result, source, started: now, ended: now };
  };
  const pace = { interval: 5000, lifetime: 15_000 };
  const good = (target: CollectorTarget, facts: unknown, source = 'm1') =>
    pipeline.accept(target, reading(ok(facts), source), pace);
  const bad = (target: CollectorTarget, reason: FailureReason = 'status') =>
    pipeline.accept(target, reading(err(failure(reason, 'no'))), pace);
  return { clock, log, page, board, pipeline, reading, pace, good, bad, wanted: wantedFamilies, taken };
}
