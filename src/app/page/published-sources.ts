import type { MetricsPage, SourceContent } from '../../expose/metrics-page.ts';
import { deepEqual } from '../../kernel/deep-equal.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { Sample } from '../../metric/metric.ts';
import type { SeriesDrop } from '../../model/series-drop.ts';

/** The part of the page that this class uses. */
type SourcePage = Pick<MetricsPage, 'put' | 'remove'>;

/** Content of one source. */
export interface SourceSamples {
  readonly labels: Readonly<Record<string, string>>;
  /** Lists are compared with the previous list; lazy samples are unchanged if they are the same object. */
  readonly samples: Iterable<Sample>;
}

interface PublishedSource {
  readonly page: SourcePage;
  readonly showing: SourceSamples;
  dropped: readonly SeriesDrop[];
}

/** Publishes the sources that are not polled from a server, and updates the page only if something changed. */
export class PublishedSources {
  readonly #published = new Map<string, PublishedSource>();
  readonly #queue = new SerialQueue();

  /** Yields the series that the page dropped, with their cluster. */
  *dropped(): Generator<readonly [cluster: string, drops: readonly SeriesDrop[]]> {
    for (const { showing, dropped } of this.#published.values()) yield [showing.labels.cluster_name ?? '', dropped];
  }

  /** Replaces all sources on `page` with `wanted`; calls run one after another. */
  publish(page: SourcePage, wanted: ReadonlyMap<string, SourceSamples>): Promise<void> {
    return this.#queue.run(() => this.#publishAll(page, wanted));
  }

  /** Replaces these sources on `page`, and keeps the others. */
  update(page: SourcePage, changed: Iterable<readonly [source: string, showing: SourceSamples]>): Promise<void> {
    return this.#queue.run(async () => {
      for (const [source, showing] of changed) await this.#publishOne(page, source, showing);
    });
  }

  async #publishAll(page: SourcePage, wanted: ReadonlyMap<string, SourceSamples>): Promise<void> {
    for (const source of this.#published.keys()) if (!wanted.has(source)) this.#remove(page, source);
    for (const [source, showing] of wanted) await this.#publishOne(page, source, showing);
  }

  async #publishOne(page: SourcePage, source: string, content: SourceSamples & SourceContent): Promise<void> {
    const before = this.#published.get(source);
    if (before?.page === page && isSameContent(before.showing, content)) return;
    const shown = { page, showing: content, dropped: before?.dropped ?? [] };
    this.#published.set(source, shown);
    const { dropped } = await page.put(source, content);
    shown.dropped = dropped;
  }

  #remove(page: SourcePage, source: string): void {
    this.#published.delete(source);
    page.remove(source);
  }
}

/** Lazy samples are not compared: they may be many, and are read in slices. */
function isSameContent(one: SourceSamples, other: SourceSamples): boolean {
  if (!deepEqual(one.labels, other.labels)) return false;
  if (one.samples === other.samples) return true;
  return isList(one.samples) && isList(other.samples) && areSameSamples(one.samples, other.samples);
}

function isList(samples: Iterable<Sample>): samples is readonly Sample[] {
  return Array.isArray(samples);
}

function areSameSamples(one: readonly Sample[], other: readonly Sample[]): boolean {
  return one.length === other.length && one.every((sample, at) => isSameSample(sample, other[at]));
}

/**
 * Compares the value first: this runs every second for every source, and most samples are equal or differ in their
 * value.
 */
function isSameSample(one: Sample, other: Sample | undefined): boolean {
  if (other === undefined || !Object.is(one.value, other.value)) return false;
  if (one.metric.name !== other.metric.name || one.part !== other.part) return false;
  return deepEqual(one.labels, other.labels) && deepEqual(one.exemplar, other.exemplar);
}
