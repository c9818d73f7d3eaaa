import { SerialQueue } from '../kernel/serial-queue.ts';
import type { Clock } from '../kernel/time.ts';
import { startTimeSlices } from '../kernel/time-slices.ts';
import type { Metric } from '../metric/metric.ts';
import type { SeriesDrop } from '../model/series-drop.ts';
import type { LimitSettings } from '../model/settings.ts';
import { BodyCache, type ShownFamily, shownFamily, shownSeries } from './body-cache.ts';
import { FragmentIndex, type Fragments, seriesCount } from './fragment-registry.ts';
import { gzipMember } from './gzip.ts';
import type { Format, MetricsPage, PageBody, SeriesCounts, SourceContent } from './metrics-page.ts';
import { renderContent, type SeriesLimits } from './render-content.ts';

/** Creates an empty page. Pages share no state. */
export function createMetricsPage(limits: LimitSettings, clock: Clock): MetricsPage {
  return new FragmentMetricsPage(limits, clock);
}

const noSeries: SeriesCounts = { series: 0, dropped: [], cutLabels: 0 };

class FragmentMetricsPage implements MetricsPage {
  readonly #limits: LimitSettings;
  readonly #clock: Clock;
  readonly #index = new FragmentIndex();
  readonly #bodies: BodyCache;
  readonly #queue = new SerialQueue();
  #borrowed = 0;

  constructor(limits: LimitSettings, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#bodies = new BodyCache(() => this.#families());
  }

  put(source: string, content: SourceContent): Promise<SeriesCounts> {
    this.#index.register(source);
    // One at a time: the limits are shared, and so is the event loop.
    return this.#queue.run(() => this.#put(source, content));
  }

  expire(source: string, gone?: ReadonlySet<string>): void {
    const fragments = this.#index.fragmentsOf(source);
    if (fragments !== undefined) this.#replace(source, keptFragments(fragments, gone));
  }

  remove(source: string): void {
    this.#index.remove(source);
    this.#bodies.invalidate();
  }

  async body(format: Format, encoding: 'identity' | 'gzip', tail: string): Promise<PageBody> {
    const end = new TextEncoder().encode(format === 'text' ? tail : `${tail}# EOF\n`);
    if (encoding === 'identity') return { pieces: [...this.#bodies.plain(format), end], release: this.#borrow() };
    const stable = await this.#bodies.gzip(format, this.#clock.now().mono);
    return { pieces: await gzipMember(stable, end), release: () => undefined };
  }

  metrics(): readonly Metric[] {
    return this.#families().flatMap(({ family }) => family.metric ?? []);
  }

  async #put(source: string, content: SourceContent): Promise<SeriesCounts> {
    const before = this.#index.fragmentsOf(source);
    if (before === undefined) return noSeries;
    const slices = startTimeSlices(this.#clock);
    const areBuffersFree = this.#borrowed === 0 && !this.#bodies.isDeflating;
    const previous = { fragments: before, areBuffersFree };
    const rendered = await renderContent(content, previous, this.#bounds(source, content), slices);
    const { fragments, dropped, cutLabels } = rendered;
    for (const { lines, annotated } of fragments.values()) {
      await this.#bodies.prepare(lines.bytes, this.#clock.now().mono);
      if (annotated !== undefined) await this.#bodies.prepare(annotated, this.#clock.now().mono);
    }
    // The source may have been removed or expired in the meantime.
    const now = this.#index.fragmentsOf(source);
    if (now === undefined) return noSeries;
    this.#replace(source, new Map([...keptFragments(now, content.supersededFamilies), ...fragments]));
    const hidden = this.#hiddenSeries(fragments);
    const series = totalSeries(fragments) - hidden.reduce((sum, one) => sum + one.series, 0);
    return { series, dropped: [...dropped, ...hidden], cutLabels };
  }

  /** Marks fragments as being sent; fragments that leave the page meanwhile must not change. */
  #borrow(): () => void {
    this.#borrowed += 1;
    return () => {
      this.#borrowed -= 1;
    };
  }

  #replace(source: string, fragments: Fragments): void {
    if (this.#index.replace(source, fragments)) this.#bodies.invalidate();
  }

  /** Returns the remaining limits of a source. Those of families apply to each cluster. */
  #bounds(source: string, { labels }: SourceContent): SeriesLimits {
    const { labelValueBytes, seriesPerCollector, seriesPerFamily, seriesPerPage } = this.#limits;
    const others = this.#index.series - totalSeries(this.#index.fragmentsOf(source) ?? new Map());
    return {
      labelValueBytes,
      ofCollector: seriesPerCollector,
      ofPage: seriesPerPage - others,
      ofFamily: (name) => {
        const cluster = labels.cluster_name ?? '';
        const own = this.#index.fragmentsOf(source)?.get(name);
        const ownSeries = own?.cluster === cluster ? seriesCount(own) : 0;
        return seriesPerFamily - (this.#index.seriesOfFamily(name, cluster) - ownSeries);
      },
    };
  }

  #families(): readonly ShownFamily[] {
    return this.#index.familyNames().flatMap((name) => shownFamily(this.#index.fragmentsOfFamily(name)) ?? []);
  }

  /** Returns the series of fragments that another source hides. */
  #hiddenSeries(fragments: Fragments): readonly SeriesDrop[] {
    return [...fragments].flatMap(([family, fragment]) => {
      if (this.#index.isFullyShown(fragment)) return [];
      const series = seriesCount(fragment) - shownSeries(this.#index.siblings(fragment), fragment);
      if (series === 0) return [];
      const reason = this.#index.hasItsType(fragment) ? 'duplicate' : 'type_conflict';
      return [{ reason, family, series }];
    });
  }
}

function totalSeries(fragments: Fragments): number {
  return fragments.values().reduce((sum, one) => sum + seriesCount(one), 0);
}

/** Returns the fragments that outlive a failed poll. */
function keptFragments(fragments: Fragments, gone?: ReadonlySet<string>): Fragments {
  return new Map(
    [...fragments].filter(([name, { family }]) => family.metric?.keep === true && gone?.has(name) !== true),
  );
}
