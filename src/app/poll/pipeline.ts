import { IdentityCheck } from '../../collect/identity-check.ts';
import { KeptSamples } from '../../collect/kept-samples.ts';
import type { LatestResult, LatestResults } from '../../collect/latest-results.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { MetricsPage, SeriesCounts } from '../../expose/metrics-page.ts';
import type { Logger } from '../../kernel/logger.ts';
import { err } from '../../kernel/result.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { Instant } from '../../kernel/time.ts';
import { type CollectorTarget, collectorKey } from '../../model/collector-key.ts';
import type { SampleFact } from '../../model/situation.ts';
import {
  type CollectorFeed,
  confirmsIdentities,
  type FeedState,
  feedContent,
  feedLabels,
  invalidSeries,
  notProcessed,
  passCounters,
  renderingKey,
  startResult,
  statusSource,
  targetOf,
} from './collector-feed.ts';
import { CollectorStatus } from './collector-status.ts';
import { DroppedSeries } from './dropped-series.ts';
import { type FeedChannel, FeedChannels } from './feed-channels.ts';
import { PollFailureLog } from './poll-failure-log.ts';
import type { PollResultListener, PollTiming } from './poll-result-listener.ts';
import { SampleCapture } from './sample-capture.ts';

const noSeries: SeriesCounts = { series: 0, dropped: [], cutLabels: 0 };

/**
 * Path of a poll result: latest results, metrics page, self-metrics, consumers.
 */
export class Pipeline {
  readonly #latestResults: LatestResults;
  readonly #log: Logger;
  readonly #failureLog: PollFailureLog;
  /** Families whose samples are kept for {@link Pipeline.facts}. */
  readonly #wantedFamilies: ReadonlySet<string>;
  readonly #listeners: PollResultListener[] = [];
  readonly #channels = new FeedChannels();
  #page: MetricsPage;
  /** The page that scrapers get: the former one while a new page is filled. */
  #served: MetricsPage;
  /** Time of the latest poll result or tick. */
  #now: Instant = { wall: 0, mono: 0 };
  /** Series that are not on the page. */
  readonly dropped: DroppedSeries;
  /** Largest partition or replica number that is plausible. */
  largestNumber = Number.POSITIVE_INFINITY;

  constructor(board: LatestResults, page: MetricsPage, log: Logger, wantedFamilies: ReadonlySet<string> = new Set()) {
    this.#latestResults = board;
    this.#wantedFamilies = wantedFamilies;
    this.#page = page;
    this.#served = page;
    this.#log = log;
    this.dropped = new DroppedSeries(log);
    this.#failureLog = new PollFailureLog(log);
  }

  /** Adds consumers of poll results; each poll result reaches them in this order. */
  subscribe(...listeners: readonly PollResultListener[]): void {
    this.#listeners.push(...listeners);
  }

  /** Returns the current page. */
  get page(): MetricsPage {
    return this.#served;
  }

  /** Returns the feeds of a cluster, or of all, in the order of the configuration. */
  feeds(cluster?: string): readonly FeedState[] {
    return [...(cluster === undefined ? this.#channels.all() : this.#channels.of(cluster))];
  }

  /** Returns the current samples of a family of a cluster, if it was requested; node facts have the label `node`. */
  facts(cluster: string, family: string): readonly SampleFact[] {
    const facts: SampleFact[] = [];
    for (const { feed, capture } of this.#channels.of(cluster)) {
      for (const fact of capture.facts(family, feed)) facts.push(fact);
    }
    return facts;
  }

  /** Returns the counts of a target; undefined for an undeclared one. */
  statusOf(target: CollectorTarget): CollectorStatus | undefined {
    return this.#channels.get(target)?.status;
  }

  /**
   * Sets the feeds of `cluster`. New feeds take their rank on the page before their first poll; removed feeds leave the
   * page.
   */
  async setFeeds(cluster: string, feeds: readonly CollectorFeed[]): Promise<void> {
    const wanted = new Set(feeds.map(collectorKey));
    const gone = Array.from(this.#channels.of(cluster)).filter(({ feed }) => !wanted.has(collectorKey(feed)));
    // A feed that comes back must not be removed from the page by its own earlier removal.
    await Promise.all(gone.map((channel) => this.#remove(channel)));
    this.#latestResults.forget((target) => target.cluster === cluster && !wanted.has(collectorKey(target)));
    this.#failureLog.forget((target) => target.cluster === cluster && !wanted.has(collectorKey(target)));
    await Promise.all(feeds.map((feed) => this.#setFeed(feed)));
  }

  /** Accepts a poll result; resolves when it is on the page. Results of removed feeds are ignored. */
  async accept(target: CollectorTarget, given: PollResult, pace: PollTiming): Promise<void> {
    const channel = this.#channels.get(target);
    if (channel === undefined) return;
    await this.#enqueue(channel, async () => {
      this.#now = given.ended;
      const wasFresh = this.#latestResults.isFresh(target);
      const pollResult = startResult(channel.feed, channel, given);
      this.#recordSource(channel, pollResult);
      const entry = this.#latestResults.record(target, pollResult, pace.lifetime);
      await this.#show(channel);
      const evaluated = this.#latestResults.latest(target) ?? entry;
      this.#failureLog.recordPoll(target, evaluated.pollResult, channel.identities.problem);
      channel.status.interval = pace.interval > 0 ? pace.interval : undefined;
      channel.status.count(evaluated.pollResult, channel.status.shown);
      await this.#showStatus(channel);
      if (wasFresh !== evaluated.fresh) this.#showFallbacks(target);
      this.#showPreferred(channel.feed);
      const notified = this.#listeners.map((one) => this.#notify(one, channel.feed, evaluated.pollResult, pace));
      if (notified.includes(false)) await this.#degrade(channel, evaluated);
    });
  }

  /** Returns false if the listener threw; the others receive the result all the same. */
  #notify(listener: PollResultListener, feed: CollectorFeed, ...given: readonly [PollResult, PollTiming]): boolean {
    try {
      listener.onPollResult(feed, ...given);
      return true;
    } catch (error) {
      this.#log.error('processing poll result failed', { ...targetOf(feed), error });
      return false;
    }
  }

  /** Turns a result that a listener could not process into a failed poll. */
  async #degrade(channel: FeedChannel, entry: LatestResult): Promise<void> {
    const pollResult = this.#discard(entry);
    this.#failureLog.record(targetOf(entry), pollResult.result);
    await this.#show(channel);
    channel.status.count(pollResult, channel.status.shown);
    await this.#showStatus(channel);
  }

  #recordSource({ feed, status }: FeedChannel, pollResult: PollResult): void {
    const before = this.#latestResults.sourceOf(feed) ?? pollResult.failedAttempts?.[0]?.node;
    if (feed.definition.scope === 'node' || !pollResult.result.ok) return;
    if (before === undefined || before === pollResult.source) return;
    status.sourceSwitches += 1;
    this.#failureLog.recordSource(targetOf(feed), before, pollResult);
  }

  /** Removes overdue gauges from the page; returns whether there were any. */
  async expire(now: Instant): Promise<boolean> {
    this.#now = now;
    const overdue = this.#latestResults.markStale(now);
    await Promise.all(overdue.map((entry) => this.#showAgain(entry)));
    for (const entry of overdue) this.#showFallbacks(entry);
    for (const channel of this.#channels.all()) {
      if (channel.status.isOutdated(now)) await this.#enqueue(channel, () => this.#showStatus(channel));
    }
    return overdue.length > 0;
  }

  /** Fills another page, which scrapers get when it is complete; `complete` adds the series of this process. */
  async switchPage(page: MetricsPage, complete = async (): Promise<void> => undefined): Promise<void> {
    this.#page = page;
    await Promise.all([...this.#channels.all()].map((channel) => this.#enqueue(channel, () => this.#fill(channel))));
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
    const known = this.#channels.get(feed);
    if (known !== undefined) return this.#updateFeed(known, feed);
    const identities = new IdentityCheck((number) => Number(number) <= this.largestNumber);
    const channel: FeedChannel = {
      feed,
      status: new CollectorStatus(feed.interval, identities.counts),
      keptSamples: new KeptSamples(confirmsIdentities(feed) ? identities : undefined),
      identities,
      capture: new SampleCapture(this.#wantedFamilies),
      queue: new SerialQueue(),
    };
    this.#channels.add(channel);
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
    await this.#show(channel);
    if (channel.status.series === 0) await this.#showKept(channel);
    await this.#showStatus(channel);
  }

  async #showKept({ feed, keptSamples }: FeedChannel): Promise<void> {
    await this.#page.put(collectorKey(feed), { labels: feedLabels(feed), samples: keptSamples.all() });
  }

  async #remove(channel: FeedChannel): Promise<void> {
    this.#channels.delete(channel);
    await this.#enqueue(channel, async () => {
      this.#page.remove(collectorKey(channel.feed));
      this.#page.remove(statusSource(channel.feed));
    });
  }

  /** Puts the latest result of a feed on the page. */
  async #show(channel: FeedChannel): Promise<void> {
    const { dropped, ...shown } = await this.#render(channel);
    const invalid = invalidSeries(channel.feed, this.#latestResults.latest(channel.feed));
    channel.status.shown = { ...shown, dropped: [...dropped, ...invalid] };
    if (channel.status.countCutLabels(shown.cutLabels, this.#now))
      this.#log.warn('label values cut', { ...targetOf(channel.feed), values: shown.cutLabels });
  }

  /** Renders the latest result of a feed; a result that cannot be rendered becomes a failed poll. */
  async #render(channel: FeedChannel): Promise<SeriesCounts> {
    const { feed, keptSamples, capture } = channel;
    const source = collectorKey(feed);
    const entry = this.#latestResults.latest(feed);
    const elsewhere = passCounters(channel, this.#channels.of(feed.cluster), this.#latestResults);
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

  #discard(entry: LatestResult): PollResult {
    const pollResult = { ...entry.pollResult, result: err(notProcessed(entry)) };
    this.#latestResults.record(targetOf(entry), pollResult, 0);
    return pollResult;
  }

  async #showStatus({ feed, status }: FeedChannel): Promise<void> {
    // With the collector among the labels of all lines, no other source can have the same series.
    const labels = { cluster_name: feed.cluster, ...feed.labels, node: feed.node, collector: feed.collector };
    const samples = status.samples(feed.definition, this.#now);
    await this.#page.put(statusSource(feed), { labels, samples });
  }

  #showFallbacks({ cluster, collector, node }: CollectorTarget): void {
    for (const { feed } of this.#channels.of(cluster)) {
      if (feed.node !== node || feed.preferred?.name !== collector) continue;
      void this.#showAgain(feed).then(() => this.#showPreferred(feed));
    }
  }

  /** Renders the preferred feed again: its kept samples would hide the fresh values of the fallback. */
  #showPreferred({ preferred, cluster, node }: CollectorFeed): void {
    const target = { cluster, collector: preferred?.name ?? '', node };
    if (preferred !== undefined && !this.#latestResults.isFresh(target)) void this.#showAgain(target);
  }

  async #showAgain(target: CollectorTarget): Promise<void> {
    const channel = this.#channels.get(target);
    if (channel !== undefined) await this.#enqueue(channel, () => this.#show(channel));
  }

  async #enqueue(channel: FeedChannel, work: () => Promise<unknown>): Promise<void> {
    await channel.queue.run(work).catch((error: unknown) => {
      this.#log.error('metrics page update failed', { ...targetOf(channel.feed), error });
    });
  }
}
