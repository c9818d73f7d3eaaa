import type { Board, Entry, Place } from '../collect/board.ts';
import type { Reading } from '../collect/runner.ts';
import { ShownMemory } from '../collect/withheld.ts';
import type { Page, Shown } from '../expose/page.ts';
import { failure } from '../kernel/failure.ts';
import type { Logger } from '../kernel/logger.ts';
import { err } from '../kernel/result.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { Fact } from '../model/situation.ts';
import { CollectorRecord } from './collector-metrics.ts';
import { contentOf, type Feed, hiddenFrom, labelsOf, rejectedOf } from './content.ts';
import { FactTap } from './fact-tap.ts';
import { TroubleLog } from './trouble-log.ts';

/** When the next reading comes, and how old this one may become. */
export interface Pace {
  /** 0 for what runs by calendar. */
  readonly interval: Millis;
  readonly lifetime: Millis;
}

const nothing: Shown = { series: 0, dropped: 0 };

/** A feed with what was counted and shown of it. */
export interface Fed {
  readonly feed: Feed;
  readonly record: CollectorRecord;
  readonly memory: ShownMemory;
}

/** Who else wants to know what comes in. */
export interface Listeners {
  /** Families whose samples are kept for {@link Pipeline.facts}. */
  readonly wanted: ReadonlySet<string>;
  /** Called when a reading is on the page. */
  taken(feed: Feed, reading: Reading, pace: Pace): void;
}

const nobody: Listeners = { wanted: new Set(), taken: () => undefined };

interface Channel extends Fed {
  feed: Feed;
  readonly tap: FactTap;
  /** Ends when the last put is done: puts of one source must not overlap. */
  line: Promise<unknown>;
}

/**
 * The way of a reading: into the board, on the page, into the collector's own metrics. The one place that
 * knows which collector feeds what.
 */
export class Pipeline {
  readonly #board: Board;
  readonly #log: Logger;
  readonly #troubles: TroubleLog;
  readonly #listeners: Listeners;
  readonly #channels = new Map<string, Channel>();
  /** Where readings go. */
  #page: Page;
  /** What scrapers get: another one while a new page is being filled. */
  #served: Page;

  constructor(board: Board, page: Page, log: Logger, listeners = nobody) {
    this.#board = board;
    this.#listeners = listeners;
    this.#page = page;
    this.#served = page;
    this.#log = log;
    this.#troubles = new TroubleLog(log);
  }

  /** The page at present. */
  get page(): Page {
    return this.#served;
  }

  /** All feeds, in the order of the configuration. */
  feeds(): readonly Fed[] {
    return [...this.#channels.values()];
  }

  /** What a cluster shows of a family at present, where that was wanted; `node` is among the labels of a node's facts. */
  facts(cluster: string, family: string): readonly Fact[] {
    return this.#channels
      .values()
      .filter(({ feed }) => feed.cluster === cluster)
      .flatMap(({ feed, tap }) => {
        const { node, of } = feed;
        const facts = tap.of(family);
        return of.scope === 'cluster' ? facts : facts.map((one) => ({ ...one, labels: { ...one.labels, node } }));
      })
      .toArray();
  }

  /** What is counted about a place; undefined for one that nobody declared. */
  record(place: Place): CollectorRecord | undefined {
    return this.#channels.get(sourceOf(place))?.record;
  }

  /**
   * Makes `feeds` the feeds of `cluster`. New ones take their rank on the page at once, before any reading;
   * those that are gone leave it.
   */
  async declare(cluster: string, feeds: readonly Feed[]): Promise<void> {
    const wanted = new Set(feeds.map(sourceOf));
    const gone = [...this.#channels].filter(([source, { feed }]) => feed.cluster === cluster && !wanted.has(source));
    // A feed that comes back must not be wiped off the page by its own earlier end.
    await Promise.all(gone.map(([source, channel]) => this.#remove(source, channel)));
    this.#board.forget((place) => place.cluster === cluster && !wanted.has(sourceOf(place)));
    this.#troubles.forget((place) => place.cluster === cluster && !wanted.has(sourceOf(place)));
    await Promise.all(feeds.map((feed) => this.#declare(feed)));
  }

  /** Takes a reading in; resolves when the page shows it. A reading for a feed that is gone is ignored. */
  async take(place: Place, reading: Reading, pace: Pace): Promise<void> {
    const channel = this.#channels.get(sourceOf(place));
    if (channel === undefined) return;
    await this.#inLine(channel, async () => {
      const wasFresh = this.#board.isFresh(place);
      if (reading.result.ok) channel.memory.refresh(reading.source);
      this.#noteSource(channel, reading);
      const entry = this.#board.note(place, reading, pace.lifetime);
      const shown = await this.#show(channel);
      const judged = this.#board.latest(place) ?? entry;
      this.#troubles.note(place, judged.reading.result);
      channel.record.interval = pace.interval > 0 ? pace.interval : undefined;
      const dropped = shown.dropped + rejectedOf(channel.feed, judged.reading.result);
      channel.record.count(judged.reading, { ...shown, dropped });
      await this.#showRecord(channel);
      if (wasFresh !== judged.fresh) this.#showYielding(place);
      this.#showBetter(channel.feed);
      this.#listeners.taken(channel.feed, judged.reading, pace);
    });
  }

  /** Facts of the whole cluster come from one node; that it is another one now has a reason that somebody may want. */
  #noteSource({ feed, record }: Channel, { result, source, failedTries = [] }: Reading): void {
    const before = this.#board.sourceOf(feed) ?? failedTries[0]?.node;
    if (!result.ok || before === undefined || before === source || feed.of.scope === 'node') return;
    record.switches += 1;
    const { reason, message } = failedTries.find(({ node }) => node === before)?.error ?? {};
    this.#log.info('another node gives the facts of the whole cluster', {
      ...placeOf(feed),
      from: before,
      to: source,
      reason,
      message,
    });
  }

  /** Takes what has become overdue off the page. */
  async expire(now: Instant): Promise<void> {
    const overdue = this.#board.overdue(now);
    await Promise.all(overdue.map((entry) => this.#showAgain(entry)));
    for (const entry of overdue) this.#showYielding(entry);
  }

  /** Shows everything on another page, which scrapers get when it is complete: `complete` adds what is not ours. */
  async moveTo(page: Page, complete = async (): Promise<void> => undefined): Promise<void> {
    this.#page = page;
    await Promise.all([...this.#channels.values()].map((channel) => this.#inLine(channel, () => this.#fill(channel))));
    await complete();
    this.#served = page;
  }

  async #fill(channel: Channel): Promise<void> {
    // A family's rank is where it was first put, so an empty feed is put too.
    await this.#showKept(channel);
    await this.#show(channel);
    await this.#showRecord(channel);
  }

  async #declare(feed: Feed): Promise<void> {
    const source = sourceOf(feed);
    const known = this.#channels.get(source);
    if (known !== undefined) return this.#redeclare(known, feed);
    const channel: Channel = {
      feed,
      record: new CollectorRecord(feed.every),
      memory: new ShownMemory(),
      tap: new FactTap(this.#listeners.wanted),
      line: Promise.resolve(),
    };
    this.#channels.set(source, channel);
    await this.#inLine(channel, () => this.#fill(channel));
  }

  async #redeclare(channel: Channel, feed: Feed): Promise<void> {
    const before = channel.feed;
    channel.feed = feed;
    if (looksOf(before) === looksOf(feed)) return;
    if (before.every !== feed.every) channel.record.configure(feed.every);
    await this.#inLine(channel, () => this.#showAnew(channel));
  }

  /** Under other labels, each source in one step: a scrape in between must not miss what is known. */
  async #showAnew(channel: Channel): Promise<void> {
    const { series } = await this.#show(channel);
    if (series === 0) await this.#showKept(channel);
    await this.#showRecord(channel);
  }

  async #showKept({ feed, memory }: Channel): Promise<void> {
    await this.#page.put(sourceOf(feed), { labels: labelsOf(feed), samples: memory.kept() });
  }

  async #remove(source: string, channel: Channel): Promise<void> {
    this.#channels.delete(source);
    await this.#inLine(channel, async () => {
      this.#page.remove(source);
      this.#page.remove(recordSourceOf(channel.feed));
    });
  }

  /** Shows the latest of a feed; one that cannot be shown becomes a failed reading. */
  async #show({ feed, memory, tap }: Channel): Promise<Shown> {
    const source = sourceOf(feed);
    const entry = this.#board.latest(feed);
    const elsewhere = this.#shownElsewhere(feed);
    memory.forget(elsewhere);
    if (entry?.fresh === false) this.#page.expire(source, elsewhere);
    try {
      const content = contentOf(feed, memory, this.#board);
      if (content !== undefined)
        return await this.#page.put(source, { ...content, samples: tap.pass(content.samples) });
      tap.clear();
      return nothing;
    } catch (error) {
      this.#log.error('a reading could not be shown, which is a bug', { ...placeOf(feed), error });
      this.#page.expire(source);
      if (entry !== undefined) this.#discard(entry);
      return nothing;
    }
  }

  #discard(entry: Entry): void {
    const result = err(failure('body', `the reading of '${entry.collector}' could not be shown`));
    this.#board.note(placeOf(entry), { ...entry.reading, result }, 0);
  }

  async #showRecord({ feed, record }: Channel): Promise<void> {
    const { cluster, labels, node } = feed;
    const content = { labels: { cluster_name: cluster, ...labels, node }, samples: record.samples(feed.of) };
    await this.#page.put(recordSourceOf(feed), content);
  }

  #showYielding({ cluster, collector, node }: Place): void {
    for (const { feed } of this.#channels.values()) {
      if (feed.cluster !== cluster || feed.node !== node || feed.better?.name !== collector) continue;
      void this.#showAgain(feed).then(() => this.#showBetter(feed));
    }
  }

  /** What a failed feed kept would hide the fresh values of the one that stands in for it. */
  #showBetter({ better, cluster, node }: Feed): void {
    const place = { cluster, collector: better?.name ?? '', node };
    if (better !== undefined && !this.#board.isFresh(place)) void this.#showAgain(place);
  }

  /** The families of a feed that another one shows in its place: the better one, or the one that stands in for it. */
  #shownElsewhere(feed: Feed): ReadonlySet<string> {
    if (this.#board.isFresh(feed)) return hiddenFrom(feed, this.#board);
    const standIns = [...this.#channels.values()].filter(
      ({ feed: other }) =>
        other.better?.name === feed.collector && other.cluster === feed.cluster && other.node === feed.node,
    );
    const kept = standIns.flatMap(({ memory }) => [...memory.kept()].map(({ metric }) => metric.name));
    return new Set([...hiddenFrom(feed, this.#board), ...kept]);
  }

  async #showAgain(place: Place): Promise<void> {
    const channel = this.#channels.get(sourceOf(place));
    if (channel !== undefined) await this.#inLine(channel, () => this.#show(channel));
  }

  async #inLine(channel: Channel, work: () => Promise<unknown>): Promise<void> {
    channel.line = channel.line.then(work).catch((error: unknown) => {
      this.#log.error('the page could not be brought up to date, which is a bug', { ...placeOf(channel.feed), error });
    });
    await channel.line;
  }
}

/** What of a feed changes what is shown of the same reading. */
function looksOf({ labels, passthrough, better, every }: Feed): string {
  return JSON.stringify([labels, passthrough, better?.name, every]);
}

function sourceOf({ cluster, collector, node }: Place): string {
  return JSON.stringify([cluster, collector, node]);
}

function recordSourceOf({ cluster, collector, node }: Place): string {
  return JSON.stringify([cluster, collector, node, 'record']);
}

function placeOf({ cluster, collector, node }: Place): Place {
  return { cluster, collector, node };
}
