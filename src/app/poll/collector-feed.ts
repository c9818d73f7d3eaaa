import type { Collector } from '../../collect/collector.ts';
import type { IdentityCheck } from '../../collect/identity-check.ts';
import type { KeptSamples } from '../../collect/kept-samples.ts';
import type { LatestResult, LatestResults } from '../../collect/latest-results.ts';
import { mapPollOutcome } from '../../collect/poll-each.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { SourceContent } from '../../expose/metrics-page.ts';
import { errorName, type Failure, failure } from '../../kernel/failure.ts';
import { err } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import type { Sample } from '../../metric/metric.ts';
import type { CollectorTarget } from '../../model/collector-key.ts';
import type { SeriesDrop } from '../../model/series-drop.ts';
import type { ClusterSettings } from '../../model/settings.ts';
import type { PlannedCollector } from './collector-plan.ts';
import type { CollectorStatus } from './collector-status.ts';

/** Target whose poll results appear on the page. */
export interface CollectorFeed extends CollectorTarget {
  readonly definition: Collector;
  /** Labels of the cluster. */
  readonly labels: Readonly<Record<string, string>>;
  readonly passthrough: boolean;
  /** Whether the log may contain names of users. */
  readonly names?: true;
  /** Configured poll interval; absent for collectors with a schedule. */
  readonly interval?: Millis;
  /** Collector that is preferred for the same families while it has a successful result. */
  readonly preferred?: Collector;
}

/** A feed with its counts and kept samples. */
export interface FeedState {
  readonly feed: CollectorFeed;
  readonly status: CollectorStatus;
  readonly keptSamples: KeptSamples;
}

/** Creates the feed of one collector on one node, or of the whole cluster if `node` is `''`. */
export function createFeed(
  { name: cluster, labels }: ClusterSettings,
  { collector: definition, settings }: PlannedCollector,
  node: string,
  planned: readonly PlannedCollector[],
): CollectorFeed {
  const preferred = planned.find(({ collector }) => collector.name === definition.fallbackFor)?.collector;
  const { passthrough, names, interval, schedule } = settings;
  return {
    cluster,
    collector: definition.name,
    node,
    definition,
    labels,
    passthrough,
    ...(names && { names }),
    ...(schedule === undefined ? { interval } : {}),
    ...(preferred === undefined ? {} : { preferred }),
  };
}

/** Returns whether identities are checked: nothing confirms the result of a scheduled check soon. */
export function confirmsIdentities({ interval, definition }: CollectorFeed): boolean {
  return interval !== undefined && definition.isCustom !== true;
}

/**
 * Returns the labels of every series of a feed. Families of probes and custom queries may be about one node or about the
 * cluster, and always have the label `node`.
 */
export function feedLabels({ cluster, labels, definition, node }: CollectorFeed): Readonly<Record<string, string>> {
  const hasNode = definition.scope === 'node' || definition.isCustom === true;
  return { cluster_name: cluster, ...labels, ...(hasNode ? { node } : {}) };
}

/** Returns a key of the settings that affect the rendering of a result. */
export function renderingKey({ labels, passthrough, preferred, interval }: CollectorFeed): string {
  return JSON.stringify([labels, passthrough, preferred?.name, interval]);
}

/** Returns the source of the self-metrics of a feed on the page. */
export function statusSource({ cluster, collector, node }: CollectorTarget): string {
  return JSON.stringify([cluster, collector, node, 'record']);
}

/**
 * Returns the content of a feed for its latest poll result; undefined if gauges disappear without replacement.
 * Consuming the samples updates `memory`.
 */
export function feedContent(feed: CollectorFeed, memory: KeptSamples, board: LatestResults): SourceContent | undefined {
  const entry = board.latest(feed);
  const hidden = hiddenFamilies(feed, board);
  const labels = feedLabels(feed);
  if (entry === undefined) return { labels, samples: [] };
  const { result, ended } = entry.pollResult;
  if (!result.ok && result.partial !== undefined && entry.hasFacts) {
    const samples = withoutFamilies(hidden, memory.plausible(feed.definition.samples(result.partial, ended)));
    return { labels, samples: memory.passPartial(samples), supersededFamilies: hidden };
  }
  if (!result.ok || !entry.fresh) {
    const error = result.ok ? failure('timeout', 'the latest poll result is overdue') : result.error;
    const samples = feed.definition.failureSamples?.(error);
    return samples === undefined ? undefined : { labels, samples: memory.passPartial(memory.plausible(samples)) };
  }
  const passthrough = feed.passthrough ? feed.definition.passthrough?.(result.value) : undefined;
  return {
    labels,
    samples: memory.passComplete(
      withoutFamilies(hidden, memory.plausible(feed.definition.samples(result.value, ended))),
    ),
    supersededFamilies: hidden,
    ...(passthrough === undefined ? {} : { passthrough: memory.passFamilies(passthrough) }),
  };
}

/**
 * Prepares a poll result, complete or partial: returns it without implausible entries, or a failure if it cannot be
 * processed.
 */
export function startResult(
  feed: CollectorFeed,
  { keptSamples, identities }: { readonly keptSamples: KeptSamples; readonly identities: IdentityCheck },
  given: PollResult,
): PollResult {
  const { result } = given;
  const { definition } = feed;
  const facts = result.ok ? result.value : result.partial;
  if (facts === undefined) return given;
  try {
    const unconfirmedSeries = definition.unconfirmedSeries?.(facts);
    identities.startAnswer({ isComplete: result.ok, ...(unconfirmedSeries && { unconfirmedSeries }) });
    keptSamples.startResult(given.source, given.ended.mono);
    if (definition.plausible === undefined) return given;
    const accepts = (labels: Readonly<Record<string, string>>): boolean => identities.accepts(labels);
    return { ...given, result: mapPollOutcome(result, (own) => definition.plausible?.(own, accepts)) };
  } catch (error) {
    return { ...given, result: err(notProcessed(feed, error)) };
  }
}

/** Failure of a result that a later step could not process, whatever the reply contained. */
export function notProcessed({ collector }: CollectorTarget, error?: unknown): Failure {
  const cause = error === undefined ? '' : `: ${errorName(error)}`;
  return failure('body', `processing the result of '${collector}' failed${cause}`);
}

/** Returns the series of a successful poll that were rejected before the page. */
export function invalidSeries({ definition }: CollectorFeed, latest: LatestResult | undefined): readonly SeriesDrop[] {
  const result = latest?.pollResult.result;
  const series = result?.ok === true ? (definition.rejectedSeries?.(result.value) ?? 0) : 0;
  return series === 0 ? [] : [{ reason: 'invalid', family: '', series }];
}

/** Returns the families that the preferred collector exposes now. */
function hiddenFamilies({ preferred, cluster, node }: CollectorFeed, board: LatestResults): ReadonlySet<string> {
  const shows = preferred !== undefined && board.isFresh({ cluster, collector: preferred.name, node });
  return new Set(shows ? preferred.metrics.map((metric) => metric.name) : []);
}

/**
 * Returns the families that another collector exposes instead of `feed`: the preferred collector or the fallback; `all` are
 * the feeds of its cluster.
 */
function shownElsewhere(feed: CollectorFeed, all: Iterable<FeedState>, board: LatestResults): ReadonlySet<string> {
  const hidden = hiddenFamilies(feed, board);
  if (board.isFresh(feed)) return hidden;
  const standIns = Array.from(all).filter(
    ({ feed: other }) => other.preferred?.name === feed.collector && other.node === feed.node,
  );
  const kept = standIns.flatMap(({ keptSamples }) => [...keptSamples.all()].map(({ metric }) => metric.name));
  return new Set([...hidden, ...kept]);
}

/**
 * Passes counters from the collector that exposed them to `feed`, if it exposes them now, and returns the families that
 * another collector exposes instead of it; `all` are the feeds of its cluster.
 */
export function passCounters(
  { feed, keptSamples }: FeedState,
  all: Iterable<FeedState>,
  board: LatestResults,
): ReadonlySet<string> {
  const elsewhere = shownElsewhere(feed, all, board);
  keptSamples.forget(elsewhere);
  const latest = board.latest(feed);
  const own = new Set(feed.definition.metrics.filter(({ type }) => type === 'counter').map(({ name }) => name));
  // Most collectors have no counters, and a large cluster has thousands of feeds.
  if (latest?.hasFacts !== true || own.size === 0) return elsewhere;
  for (const { feed: other, keptSamples: kept } of all) {
    if (other.node !== feed.node || !isSubstitute(feed, other)) continue;
    const shown = Array.from(kept.all()).filter(({ metric: { name } }) => own.has(name) && !elsewhere.has(name));
    keptSamples.takeOver(shown, latest.pollResult.ended.mono);
  }
  return elsewhere;
}

/** Returns whether one of two collectors is the fallback of the other. */
function isSubstitute(one: CollectorFeed, other: CollectorFeed): boolean {
  return one.preferred?.name === other.collector || other.preferred?.name === one.collector;
}

function withoutFamilies(hidden: ReadonlySet<string>, samples: Iterable<Sample>): Iterable<Sample> {
  return hidden.size === 0 ? samples : filterSamples(samples, ({ metric }) => !hidden.has(metric.name));
}

function* filterSamples(samples: Iterable<Sample>, isShown: (sample: Sample) => boolean): Generator<Sample> {
  for (const sample of samples) if (isShown(sample)) yield sample;
}

/** Returns the target of a feed or result. */
export function targetOf({ cluster, collector, node }: CollectorTarget): CollectorTarget {
  return { cluster, collector, node };
}
