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
  readonly values: unknown;
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
    const isKept = before?.page === page && before.showing.samples === content.samples;
    if (isKept && deepEqual(before.showing.labels, content.labels)) return;
    const values = valuesOf(content);
    if (values !== undefined && before?.page === page && deepEqual(before.values, values)) return;
    const shown = { page, showing: content, values, dropped: before?.dropped ?? [] };
    this.#published.set(source, shown);
    const { dropped } = await page.put(source, content);
    shown.dropped = dropped;
  }

  #remove(page: SourcePage, source: string): void {
    this.#published.delete(source);
    page.remove(source);
  }
}

/** Returns a comparable value of a list. Undefined for lazy samples: they may be many, and are read in slices. */
function valuesOf({ labels, samples }: SourceSamples): unknown {
  if (!Array.isArray(samples)) return undefined;
  return [
    labels,
    samples.map(({ metric, labels: own, value, exemplar }: Sample) => [metric.name, own, value, exemplar]),
  ];
}
