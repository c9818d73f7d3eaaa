import { IdentityCheck } from '../../collect/identity-check.ts';
import { KeptSamples } from '../../collect/kept-samples.ts';
import type { LatestResult, LatestResults } from '../../collect/latest-results.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { MetricsPage, SeriesCounts } from '../../expose/metrics-page.ts';
import { failure } from '../../kernel/failure.ts';
import type { Logger } from '../../kernel/logger.ts';
import { err } from '../../kernel/result.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { Instant, Millis } from '../../kernel/time.ts';
import { type CollectorTarget, collectorKey } from '../../model/collector-key.ts';
import type { SampleFact } from '../../model/situation.ts';
import {
  type CollectorFeed,
  feedContent,
  feedLabels,
  hiddenFamilies,
  rejectedSeriesCount,
  renderingKey,
  startResult,
  statusSource,
  targetOf,
} from './collector-feed.ts';
import { CollectorStatus, FailureLog } from './collector-status.ts';
import { SampleCapture } from './sample-capture.ts';

/** Time until the next poll, and maximum age of this result. */
export interface PollTiming {
  /** 0 for collectors with a schedule. */
  readonly interval: Millis;
  readonly lifetime: Millis;
}

const noSeries: SeriesCounts = { series: 0, dropped: 0 };

/** A feed with its counts and kept samples. */
export interface FeedState {
  readonly feed: CollectorFeed;
  readonly status: CollectorStatus;
  readonly keptSamples: KeptSamples;
}

/** Consumer of poll results. */
export interface PollResultListener {
  /** Called when the metrics page shows the poll result. */
  onPollResult(feed: CollectorFeed, pollResult: PollResult, timing: PollTiming): void;
}

interface FeedChannel extends FeedState {
  readonly identities: IdentityCheck;
  feed: CollectorFeed;
  readonly capture: SampleCapture;
  /** Serializes puts: puts of one source must not overlap. */
  readonly queue: SerialQueue;
}

/**
 * Path of a poll result: latest results, metrics page, self-metrics, consumers. The only file that knows which
 * collector feeds which consumer.
 */
export class Pipeline {
  readonly #latestResults: LatestResults;
  readonly #log: Logger;
  readonly #failureLog: FailureLog;
  /** Families whose samples are kept for {@link Pipeline.facts}. */
  readonly #wantedFamilies: ReadonlySet<string>;
  readonly #listeners: PollResultListener[] = [];
  readonly #channels = new Map<string, FeedChannel>();
  /** Consumers of poll results. */
  #page: MetricsPage;
  /** The page that scrapers get; another one while a new page is filled. */
  #served: MetricsPage;
  /** Time of the latest poll result or tick. */
  #now: Instant = { wall: 0, mono: 0 };
  /** Largest partition or replica number that is plausible. */
  largestNumber = Number.POSITIVE_INFINITY;

  constructor(board: LatestResults, page: MetricsPage, log: Logger, wantedFamilies: ReadonlySet<string> = new Set()) {
    this.#latestResults = board;
    this.#wantedFamilies = wantedFamilies;
    this.#page = page;
    this.#served = page;
    this.#log = log;
    this.#failureLog = new FailureLog(log);
  }

  /** Adds consumers of poll results; each poll result reaches them in this order. */
  subscribe(...listeners: readonly PollResultListener[]): void {
    this.#listeners.push(...listeners);
  }

  /** Returns the current page. */
  get page(): MetricsPage {
    return this.#served;
  }

  /** Returns all feeds, in the order of the configuration. */
  feeds(): readonly FeedState[] {
    return [...this.#channels.values()];
  }

  /** Returns the current samples of a family of a cluster, if it was requested; node facts have the label `node`. */
  facts(cluster: string, family: string): readonly SampleFact[] {
    const channels = this.#channels.values().filter(({ feed }) => feed.cluster === cluster);
    return channels.flatMap(({ feed, capture }) => capture.facts(family, feed)).toArray();
  }

  /** Returns the counts of a target; undefined for an undeclared one. */
  statusOf(place: CollectorTarget): CollectorStatus | undefined {
    return this.#channels.get(collectorKey(place))?.status;
  }

  /**
   * Sets the feeds of `cluster`. New feeds take their rank on the page before their first poll; removed feeds leave the
   * page.
   */
  async setFeeds(cluster: string, feeds: readonly CollectorFeed[]): Promise<void> {
    const wanted = new Set(feeds.map(collectorKey));
    const gone = [...this.#channels].filter(([source, { feed }]) => feed.cluster === cluster && !wanted.has(source));
    // A feed that comes back must not be removed from the page by its own earlier removal.
    await Promise.all(gone.map(([source, channel]) => this.#remove(source, channel)));
    this.#latestResults.forget((place) => place.cluster === cluster && !wanted.has(collectorKey(place)));
    this.#failureLog.forget((place) => place.cluster === cluster && !wanted.has(collectorKey(place)));
    await Promise.all(feeds.map((feed) => this.#setFeed(feed)));
  }

  /** Accepts a poll result; resolves when it is on the page. Results of removed feeds are ignored. */
  async accept(place: CollectorTarget, given: PollResult, pace: PollTiming): Promise<void> {
    const channel = this.#channels.get(collectorKey(place));
    if (channel === undefined) return;
    await this.#enqueue(channel, async () => {
      this.#now = given.ended;
      const wasFresh = this.#latestResults.isFresh(place);
      const reading = startResult(channel.feed, channel, given);
      this.#recordSource(channel, reading);
      const entry = this.#latestResults.record(place, reading, pace.lifetime);
      const shown = await this.#show(channel);
      const evaluated = this.#latestResults.latest(place) ?? entry;
      this.#failureLog.record(place, evaluated.pollResult.result, channel.identities.problem);
      channel.status.interval = pace.interval > 0 ? pace.interval : undefined;
      const dropped = shown.dropped + rejectedSeriesCount(channel.feed, evaluated.pollResult.result);
      channel.status.count(evaluated.pollResult, { ...shown, dropped });
      await this.#showStatus(channel);
      if (wasFresh !== evaluated.fresh) this.#showFallbacks(place);
      this.#showPreferred(channel.feed);
      for (const listener of this.#listeners) listener.onPollResult(channel.feed, evaluated.pollResult, pace);
    });
  }

  #recordSource({ feed, status }: FeedChannel, reading: PollResult): void {
    const before = this.#latestResults.sourceOf(feed) ?? reading.failedAttempts?.[0]?.node;
    if (feed.definition.scope === 'node' || !reading.result.ok) return;
    if (before === undefined || before === reading.source) return;
    status.sourceSwitches += 1;
    this.#failureLog.recordSource(targetOf(feed), before, reading);
  }

  /** Removes overdue gauges from the page. */
  async expire(now: Instant): Promise<void> {
    this.#now = now;
    const overdue = this.#latestResults.markStale(now);
    await Promise.all(overdue.map((entry) => this.#showAgain(entry)));
    for (const entry of overdue) this.#showFallbacks(entry);
    for (const channel of this.#channels.values()) {
      if (channel.status.isOutdated(now)) await this.#enqueue(channel, () => this.#showStatus(channel));
    }
  }

  /** Fills another page, which scrapers get when it is complete; `complete` adds the series of this process. */
  async switchPage(page: MetricsPage, complete = async (): Promise<void> => undefined): Promise<void> {
    this.#page = page;
    await Promise.all([...this.#channels.values()].map((channel) => this.#enqueue(channel, () => this.#fill(channel))));
    await complete();
    this.#served = page;
  }

  async #fill(channel: FeedChannel): Promise<void> {
    // The rank of a family is its first put, so empty feeds are put too.
    await this.#showKept(channel);
    await this.#show(channel);
    await this.#showStatus(channel);
  }

  async #setFeed(feed: CollectorFeed): Promise<void> {
    const source = collectorKey(feed);
    const known = this.#channels.get(source);
    if (known !== undefined) return this.#updateFeed(known, feed);
    const identities = new IdentityCheck((number) => Number(number) <= this.largestNumber);
    const channel: FeedChannel = {
      feed,
      status: new CollectorStatus(feed.interval, identities.counts),
      // Nothing confirms the result of a scheduled check soon.
      keptSamples: new KeptSamples(feed.interval === undefined ? undefined : identities),
      identities,
      capture: new SampleCapture(this.#wantedFamilies),
      queue: new SerialQueue(),
    };
    this.#channels.set(source, channel);
    await this.#enqueue(channel, () => this.#fill(channel));
  }

  async #updateFeed(channel: FeedChannel, feed: CollectorFeed): Promise<void> {
    const before = channel.feed;
    channel.feed = feed;
    if (renderingKey(before) === renderingKey(feed)) return;
    if (before.interval !== feed.interval) channel.status.configure(feed.interval);
    await this.#enqueue(channel, () => this.#showRelabeled(channel));
  }

  /** Applies other labels to each source in one step: a scrape in between must not miss series. */
  async #showRelabeled(channel: FeedChannel): Promise<void> {
    const { series } = await this.#show(channel);
    if (series === 0) await this.#showKept(channel);
    await this.#showStatus(channel);
  }

  async #showKept({ feed, keptSamples }: FeedChannel): Promise<void> {
    await this.#page.put(collectorKey(feed), { labels: feedLabels(feed), samples: keptSamples.all() });
  }

  async #remove(source: string, channel: FeedChannel): Promise<void> {
    this.#channels.delete(source);
    await this.#enqueue(channel, async () => {
      this.#page.remove(source);
      this.#page.remove(statusSource(channel.feed));
    });
  }

  /** Renders the latest result of a feed; a result that cannot be rendered becomes a failed poll. */
  async #show({ feed, keptSamples, capture }: FeedChannel): Promise<SeriesCounts> {
    const source = collectorKey(feed);
    const entry = this.#latestResults.latest(feed);
    const elsewhere = this.#shownElsewhere(feed);
    keptSamples.forget(elsewhere);
    try {
      const content = feedContent(feed, keptSamples, this.#latestResults);
      // A scrape during the rendering gets the former samples: a gap would restart the pending period of an alert.
      if (content !== undefined)
        return await this.#page.put(source, { ...content, samples: capture.pass(content.samples) });
      this.#page.expire(source, elsewhere);
      capture.clear();
      return noSeries;
    } catch (error) {
      this.#log.error('rendering samples failed', { ...targetOf(feed), error });
      this.#page.expire(source);
      if (entry !== undefined) this.#discard(entry);
      return noSeries;
    }
  }

  #discard(entry: LatestResult): void {
    const result = err(failure('body', `rendering the samples of '${entry.collector}' failed`));
    this.#latestResults.record(targetOf(entry), { ...entry.pollResult, result }, 0);
  }

  async #showStatus({ feed, status }: FeedChannel): Promise<void> {
    const labels = { cluster_name: feed.cluster, ...feed.labels, node: feed.node };
    const samples = status.samples(feed.definition, this.#now);
    await this.#page.put(statusSource(feed), { labels, samples });
  }

  #showFallbacks({ cluster, collector, node }: CollectorTarget): void {
    for (const { feed } of this.#channels.values()) {
      if (feed.cluster !== cluster || feed.node !== node || feed.preferred?.name !== collector) continue;
      void this.#showAgain(feed).then(() => this.#showPreferred(feed));
    }
  }

  /** Renders the preferred feed again: its kept samples would hide the fresh values of the fallback. */
  #showPreferred({ preferred, cluster, node }: CollectorFeed): void {
    const place = { cluster, collector: preferred?.name ?? '', node };
    if (preferred !== undefined && !this.#latestResults.isFresh(place)) void this.#showAgain(place);
  }

  /** Returns the families that another collector exposes instead: the preferred collector or the fallback. */
  #shownElsewhere(feed: CollectorFeed): ReadonlySet<string> {
    if (this.#latestResults.isFresh(feed)) return hiddenFamilies(feed, this.#latestResults);
    const standIns = [...this.#channels.values()].filter(
      ({ feed: other }) =>
        other.preferred?.name === feed.collector && other.cluster === feed.cluster && other.node === feed.node,
    );
    const kept = standIns.flatMap(({ keptSamples }) => [...keptSamples.all()].map(({ metric }) => metric.name));
    return new Set([...hiddenFamilies(feed, this.#latestResults), ...kept]);
  }

  async #showAgain(place: CollectorTarget): Promise<void> {
    const channel = this.#channels.get(collectorKey(place));
    if (channel !== undefined) await this.#enqueue(channel, () => this.#show(channel));
  }

  async #enqueue(channel: FeedChannel, work: () => Promise<unknown>): Promise<void> {
    await channel.queue.run(work).catch((error: unknown) => {
      this.#log.error('metrics page update failed', { ...targetOf(channel.feed), error });
    });
  }
}
