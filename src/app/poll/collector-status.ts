import type { Collector } from '../../collect/collector.ts';
import type { ImplausibleReason } from '../../collect/identity-check.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { SeriesCounts } from '../../expose/metrics-page.ts';
import { type FailureReason, failureReasons, type ReplyLimitName } from '../../kernel/failure.ts';
import { type Instant, type Millis, toSeconds } from '../../kernel/time.ts';
import { FirstUse } from '../../metric/first-use.ts';
import { counter, gauge, type Metric, type Sample, sample } from '../../metric/metric.ts';
import type { SeriesDropReason } from '../../model/series-drop.ts';
import type { PollSkipReason } from './poll-pacing.ts';
import { StateDuration } from './state-duration.ts';

const source = 'measured by graphwarden';
const collectorLabels = ['collector'] as const;

const lastPollSucceeded = gauge({
  name: 'graphwarden_collector_success',
  help: 'Whether the last poll of the collector succeeded (1) or failed (0); absent before the first poll.',
  labels: collectorLabels,
  source,
});
const duration = gauge({
  name: 'graphwarden_collector_duration_seconds',
  help: 'Duration of the last poll of the collector.',
  labels: collectorLabels,
  source,
});
const lastSuccess = gauge({
  name: 'graphwarden_collector_last_success_timestamp_seconds',
  help: 'Unix timestamp of the last successful poll of the collector; 0 if no poll succeeded.',
  labels: collectorLabels,
  source,
});
const interval = gauge({
  name: 'graphwarden_collector_interval_seconds',
  help: 'Current poll interval of the collector; longer than configured during backoff, or while process lists take more than 5 % of the time of the node.',
  labels: collectorLabels,
  source,
});
const configuredInterval = gauge({
  name: 'graphwarden_collector_configured_interval_seconds',
  help: 'Configured poll interval of the collector; absent for collectors with a schedule.',
  labels: collectorLabels,
  source,
});
const shownSeries = gauge({
  name: 'graphwarden_collector_series',
  help: 'Series on the page from the last poll of the collector.',
  labels: collectorLabels,
  source,
});
const failures = counter({
  name: 'graphwarden_collector_failures_total',
  help: 'Failed polls of the collector by reason.',
  labels: ['collector', 'reason'],
  source,
});
const overLimit = counter({
  name: 'graphwarden_collector_replies_over_limit_total',
  help: 'Polls of the collector that failed because a reply exceeded a limit, by limit.',
  labels: ['collector', 'reason'],
  source,
});
const failing = gauge({
  name: 'graphwarden_collector_failing',
  help: 'Reason of the last failed poll of the collector; absent if the last poll succeeded.',
  labels: ['collector', 'reason'],
  source,
});
const dropped = counter({
  name: 'graphwarden_collector_series_dropped_total',
  help: 'Series of poll results that were not exposed, by reason; counted again at each poll.',
  labels: ['collector', 'reason'],
  source,
});
const cut = counter({
  name: 'graphwarden_collector_label_values_cut_total',
  help: 'Label values that were cut, by limit; counted when a series is added to the page.',
  labels: ['collector', 'reason'],
  source,
});
const skipped = counter({
  name: 'graphwarden_collector_skipped_total',
  help: 'Skipped polls of the collector by reason.',
  labels: ['collector', 'reason'],
  source,
});
const sourceSwitches = counter({
  name: 'graphwarden_collector_source_switches_total',
  help: 'Changes of the node that is polled for cluster-wide data; absent for collectors that poll every node.',
  labels: collectorLabels,
  source,
});
const sourceFailures = counter({
  name: 'graphwarden_collector_source_failures_total',
  help: 'Failed polls of single nodes for cluster-wide data by reason, also if another node responded.',
  labels: ['collector', 'reason'],
  source,
});

const implausibleEntries = counter({
  name: 'graphwarden_implausible_entries_total',
  help: 'Entries of responses that were not exposed, by reason: an impossible partition, replica, service, host or endpoint, or an identity that only one response contained.',
  labels: ['collector', 'reason'],
  source,
});

/** Self-metrics of the collectors. */
export const collectorMetrics: readonly Metric[] = [
  lastPollSucceeded,
  duration,
  lastSuccess,
  interval,
  configuredInterval,
  shownSeries,
  failures,
  overLimit,
  failing,
  dropped,
  cut,
  implausibleEntries,
  skipped,
  sourceSwitches,
  sourceFailures,
];

/** Time without cut label values after which the next one is logged again. */
const quietPeriod: Millis = 60_000;

/** Counts of one collector on one node (or the whole cluster) since the start. */
export class CollectorStatus {
  readonly failures = new Map<FailureReason, number>(failureReasons.map((reason) => [reason, 0]));
  readonly skipped = new Map<PollSkipReason, number>();
  readonly sourceFailures = new Map<FailureReason, number>();
  readonly overLimit = new Map<ReplyLimitName, number>();
  sourceSwitches = 0;
  /** Whether the poll succeeded, and since when. */
  readonly success = new StateDuration<boolean>();
  /** Whether the poll returned any facts, and since when. */
  readonly answered = new StateDuration<boolean>();
  /** Dropped series since the start. */
  readonly dropped = new Map<SeriesDropReason, number>();
  /** Label values that were cut, by limit. */
  readonly #cut = new Map<'label_value_bytes', number>();
  #cutAt = Number.NEGATIVE_INFINITY;
  /** Series of the last poll on the page, and those that were dropped. */
  shown: SeriesCounts = { series: 0, dropped: [], cutLabels: 0 };
  /** Current interval; undefined for collectors with a schedule. */
  interval: Millis | undefined;
  readonly #implausible: ReadonlyMap<ImplausibleReason, number>;
  readonly #firstUses = {
    skipped: new FirstUse<PollSkipReason>(),
    sourceFailures: new FirstUse<FailureReason>(),
    overLimit: new FirstUse<ReplyLimitName>(),
    implausible: new FirstUse<ImplausibleReason>(),
    dropped: new FirstUse<SeriesDropReason>(),
    cut: new FirstUse<'label_value_bytes'>(),
  };
  readonly #uses = Object.values(this.#firstUses);
  #shownAt = Number.NEGATIVE_INFINITY;
  #configured: Millis | undefined;
  pollResult: PollResult | undefined;
  lastSuccess = 0;

  /**
   * Starts with the configured interval, so that a poll that never ends is visible. @param every configured interval
   * @param implausible entries that were not exposed, by reason
   */
  constructor(every?: Millis, implausible: ReadonlyMap<ImplausibleReason, number> = new Map()) {
    this.#implausible = implausible;
    this.configure(every);
  }

  /** Applies another configured interval. */
  configure(every?: Millis): void {
    this.interval = every;
    this.#configured = every;
  }

  /** Counts a poll and its dropped series. */
  count(pollResult: PollResult, shown: SeriesCounts): void {
    const { result, ended } = pollResult;
    this.pollResult = pollResult;
    this.success.record(result.ok, ended);
    this.answered.record(result.ok || result.partial !== undefined, ended);
    this.shown = shown;
    for (const { reason, series } of shown.dropped) increase(this.dropped, reason, series);
    if (result.ok) this.lastSuccess = toSeconds(ended.wall);
    else increase(this.failures, result.error.reason, 1);
    if (!result.ok && result.error.limit !== undefined) increase(this.overLimit, result.error.limit, 1);
    for (const { error } of pollResult.failedAttempts ?? []) increase(this.sourceFailures, error.reason, 1);
  }

  /** Counts label values that were cut. Returns whether they are the first ones for a minute. */
  countCutLabels(values: number, { mono }: Instant): boolean {
    if (values === 0) return false;
    increase(this.#cut, 'label_value_bytes', values);
    const isFirst = mono - this.#cutAt >= quietPeriod;
    this.#cutAt = mono;
    return isFirst;
  }

  /** Number of series on the page. */
  get series(): number {
    return this.shown.series;
  }

  /** Counts skipped polls. */
  skip(reason: PollSkipReason, cycles: number): void {
    increase(this.skipped, reason, cycles);
  }

  /**
   * Records that the next poll is later than published: `until` is the new time until it, which the next samples show.
   */
  delay(until: Millis): void {
    this.interval = until;
    this.#shownAt = Number.NaN;
  }

  /** Returns the duration of the last poll; undefined before the first. */
  get duration(): Millis | undefined {
    return this.pollResult === undefined ? undefined : this.pollResult.ended.mono - this.pollResult.started.mono;
  }

  /** Returns whether {@link samples} would return other values than before, apart from poll results. */
  isOutdated({ mono }: Instant): boolean {
    return Number.isNaN(this.#shownAt) || this.#uses.some((one) => one.settledBetween(this.#shownAt, mono));
  }

  /** Yields the self-metrics of the collector. */
  *samples({ name: collector, scope }: Pick<Collector, 'name' | 'scope'>, now: Instant): Generator<Sample> {
    this.#shownAt = now.mono;
    if (this.pollResult !== undefined) {
      yield sample(lastPollSucceeded, { collector }, this.pollResult.result.ok ? 1 : 0);
      yield sample(duration, { collector }, toSeconds(this.duration ?? 0));
      const { result } = this.pollResult;
      if (!result.ok) yield sample(failing, { collector, reason: result.error.reason }, 1);
    }
    yield sample(lastSuccess, { collector }, this.lastSuccess);
    if (this.interval !== undefined) yield sample(interval, { collector }, toSeconds(this.interval));
    if (this.#configured !== undefined) yield sample(configuredInterval, { collector }, toSeconds(this.#configured));
    yield sample(shownSeries, { collector }, this.series);
    yield* this.#reasonSamples(collector, now);
    if (scope === 'cluster') yield sample(sourceSwitches, { collector }, this.sourceSwitches);
  }

  *#reasonSamples(collector: string, now: Instant): Generator<Sample> {
    const uses = this.#firstUses;
    const counts = [
      [failures, this.failures],
      [skipped, uses.skipped.shown(this.skipped, now)],
      [overLimit, uses.overLimit.shown(this.overLimit, now)],
      [sourceFailures, uses.sourceFailures.shown(this.sourceFailures, now)],
      [implausibleEntries, uses.implausible.shown(this.#implausible, now)],
      [dropped, uses.dropped.shown(this.dropped, now)],
      [cut, uses.cut.shown(this.#cut, now)],
    ] as const;
    for (const [metric, shown] of counts) {
      for (const [reason, count] of shown) yield sample(metric, { collector, reason }, count);
    }
  }
}

function increase<Key>(counts: Map<Key, number>, key: Key, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}
