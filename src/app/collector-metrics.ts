import type { Collector } from '../collect/collector.ts';
import type { Reading } from '../collect/runner.ts';
import type { Shown } from '../expose/page.ts';
import { type FailureReason, failureReasons } from '../kernel/failure.ts';
import { inSeconds, type Millis } from '../kernel/time.ts';
import { counter, gauge, type Metric, type Sample, sample } from '../metric/metric.ts';
import { type SkipReason, skipReasons } from './pace.ts';
import { Streak } from './streak.ts';

const source = 'measured by us';
const labels = ['collector'] as const;

const success = gauge({
  name: 'graphwarden_collector_success',
  help: 'Whether the last reading of the collector was good; absent before the first.',
  labels,
  source,
});
const duration = gauge({
  name: 'graphwarden_collector_duration_seconds',
  help: 'How long the last reading of the collector took.',
  labels,
  source,
});
const lastSuccess = gauge({
  name: 'graphwarden_collector_last_success_timestamp_seconds',
  help: 'When the collector last had a good reading; 0 if it never had one.',
  labels,
  source,
});
const interval = gauge({
  name: 'graphwarden_collector_interval_seconds',
  help: 'Time between two readings at present: longer than configured while it backs off or its calls are slow.',
  labels,
  source,
});
const configured = gauge({
  name: 'graphwarden_collector_configured_interval_seconds',
  help: 'Time between two readings as configured; absent for what runs by calendar.',
  labels,
  source,
});
const series = gauge({
  name: 'graphwarden_collector_series',
  help: 'Series that the last reading of the collector put on the page.',
  labels,
  source,
});
const failures = counter({
  name: 'graphwarden_collector_failures_total',
  help: 'Failed readings of the collector, by reason.',
  labels: ['collector', 'reason'],
  source,
});
const failing = gauge({
  name: 'graphwarden_collector_failing',
  help: '1 for the reason for which the last reading of the collector failed; absent where it was good.',
  labels: ['collector', 'reason'],
  source,
});
const dropped = counter({
  name: 'graphwarden_collector_series_dropped_total',
  help: 'Series of readings that are not shown: over a cap, invalid, twice, of a second type, or under a reserved name.',
  labels,
  source,
});
const skipped = counter({
  name: 'graphwarden_collector_skipped_total',
  help: 'Beats at which the collector was due and did not read, by reason.',
  labels: ['collector', 'reason'],
  source,
});
const switches = counter({
  name: 'graphwarden_collector_source_switches_total',
  help: 'How often another node than before gave the facts of the whole cluster; absent for facts of one node.',
  labels,
  source,
});
const failedTries = counter({
  name: 'graphwarden_collector_source_failures_total',
  help: 'Single nodes that failed to give a fact of the whole cluster, by reason, also where another node then gave it.',
  labels: ['collector', 'reason'],
  source,
});

/** The families in which the collectors tell about themselves. */
export const collectorMetrics: readonly Metric[] = [
  success,
  duration,
  lastSuccess,
  interval,
  configured,
  series,
  failures,
  failing,
  dropped,
  skipped,
  switches,
  failedTries,
];

/** What is counted about one collector on one node (or the whole cluster) over the life of the process. */
export class CollectorRecord {
  readonly failures = new Map<FailureReason, number>(failureReasons.map((reason) => [reason, 0]));
  readonly skipped = new Map<SkipReason, number>(skipReasons.map((reason) => [reason, 0]));
  readonly failedTries = new Map<FailureReason, number>(failureReasons.map((reason) => [reason, 0]));
  switches = 0;
  /** Good or not. */
  readonly success = new Streak<boolean>();
  /** Whether anything at all was answered. */
  readonly answer = new Streak<boolean>();
  dropped = 0;
  series = 0;
  /** At present; undefined for what runs by calendar. */
  interval: Millis | undefined;
  #configured: Millis | undefined;
  reading: Reading | undefined;
  lastSuccess = 0;

  /** @param every the configured interval, shown from the start: what never ends a reading is missed by it. */
  constructor(every?: Millis) {
    this.configure(every);
  }

  /** Takes another configured interval, and begins with it. */
  configure(every?: Millis): void {
    this.interval = every;
    this.#configured = every;
  }

  /** Counts a reading and what the page took of it. */
  count(reading: Reading, shown: Shown): void {
    const { result, ended } = reading;
    this.reading = reading;
    this.success.note(result.ok, ended);
    this.answer.note(result.ok || result.partial !== undefined, ended);
    this.series = shown.series;
    this.dropped += shown.dropped;
    if (result.ok) this.lastSuccess = inSeconds(ended.wall);
    else add(this.failures, result.error.reason, 1);
    for (const { error } of reading.failedTries ?? []) add(this.failedTries, error.reason, 1);
  }

  /** Counts beats that did not happen. */
  skip(reason: SkipReason, beats: number): void {
    add(this.skipped, reason, beats);
  }

  /** How long the last reading took; undefined before the first. */
  get duration(): Millis | undefined {
    return this.reading === undefined ? undefined : this.reading.ended.mono - this.reading.started.mono;
  }

  /** What the page shows of it. */
  *samples({ name: collector, scope }: Pick<Collector, 'name' | 'scope'>): Generator<Sample> {
    if (this.reading !== undefined) {
      yield sample(success, { collector }, this.reading.result.ok ? 1 : 0);
      yield sample(duration, { collector }, inSeconds(this.duration ?? 0));
      const { result } = this.reading;
      if (!result.ok) yield sample(failing, { collector, reason: result.error.reason }, 1);
    }
    yield sample(lastSuccess, { collector }, this.lastSuccess);
    if (this.interval !== undefined) yield sample(interval, { collector }, inSeconds(this.interval));
    if (this.#configured !== undefined) yield sample(configured, { collector }, inSeconds(this.#configured));
    yield sample(series, { collector }, this.series);
    yield sample(dropped, { collector }, this.dropped);
    for (const [reason, count] of this.failures) yield sample(failures, { collector, reason }, count);
    for (const [reason, count] of this.skipped) yield sample(skipped, { collector, reason }, count);
    if (scope === 'node') return;
    yield sample(switches, { collector }, this.switches);
    for (const [reason, count] of this.failedTries) yield sample(failedTries, { collector, reason }, count);
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}
