import { startSlices } from '../kernel/slices.ts';
import type { Clock } from '../kernel/time.ts';
import type { Metric } from '../metric/metric.ts';
import type { LimitSettings } from '../model/settings.ts';
import { type ShownFamily, shownFamily, shownSeries } from './assembly.ts';
import { gzipMember } from './gzip.ts';
import type { Content, Format, Page, PageBody, Shown } from './page.ts';
import { type Bounds, renderContent } from './render-content.ts';
import { type Fragments, Shelf, seriesOf } from './shelf.ts';
import { StablePart } from './stable-part.ts';

/** Makes an empty page. Two pages share nothing. */
export function createPage(limits: LimitSettings, clock: Clock): Page {
  return new FragmentPage(limits, clock);
}

const nothing: Shown = { series: 0, dropped: 0 };

class FragmentPage implements Page {
  readonly #limits: LimitSettings;
  readonly #clock: Clock;
  readonly #shelf = new Shelf();
  readonly #stable: StablePart;
  #queue: Promise<unknown> = Promise.resolve();
  #lent = 0;

  constructor(limits: LimitSettings, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#stable = new StablePart(() => this.#families(), clock.now().mono);
  }

  put(source: string, content: Content): Promise<Shown> {
    this.#shelf.open(source);
    // One at a time: the caps are shared, and so is the event loop.
    const shown = this.#queue.then(() => this.#put(source, content));
    this.#queue = shown.catch(() => undefined);
    return shown;
  }

  expire(source: string, gone?: ReadonlySet<string>): void {
    const fragments = this.#shelf.of(source);
    if (fragments !== undefined) this.#replace(source, kept(fragments, gone));
  }

  remove(source: string): void {
    this.#shelf.remove(source);
    this.#stable.changed();
  }

  async body(format: Format, encoding: 'identity' | 'gzip', tail: string): Promise<PageBody> {
    const end = new TextEncoder().encode(format === 'text' ? tail : `${tail}# EOF\n`);
    if (encoding === 'identity') return { pieces: [...this.#stable.plain(format), end], release: this.#lend() };
    const stable = await this.#stable.gzip(format, this.#clock.now().mono);
    return { pieces: await gzipMember(stable, end), release: () => undefined };
  }

  metrics(): readonly Metric[] {
    return this.#families().flatMap(({ family }) => family.metric ?? []);
  }

  async #put(source: string, content: Content): Promise<Shown> {
    const before = this.#shelf.of(source);
    if (before === undefined) return nothing;
    const slices = startSlices(this.#clock);
    const usable = this.#lent > 0 || this.#stable.busy ? withoutSpares(before) : before;
    const { fragments, offered } = await renderContent(content, usable, this.#bounds(before), slices);
    for (const { lines, annotated } of fragments.values()) {
      await this.#stable.prepare(lines.bytes, this.#clock.now().mono);
      if (annotated !== undefined) await this.#stable.prepare(annotated, this.#clock.now().mono);
    }
    // The source may have been removed or expired in the meantime.
    const now = this.#shelf.of(source);
    if (now === undefined) return nothing;
    this.#replace(source, new Map([...kept(now, content.gone), ...fragments]));
    const series = this.#shownOf(fragments);
    return { series, dropped: offered - series };
  }

  /** Fragments are being sent; those that leave the page meanwhile must stay as they are. */
  #lend(): () => void {
    this.#lent += 1;
    return () => {
      this.#lent -= 1;
    };
  }

  #replace(source: string, fragments: Fragments): void {
    this.#shelf.replace(source, fragments);
    this.#stable.changed();
  }

  /** What the caps leave for a source that shows `own` at present. */
  #bounds(own: Fragments): Bounds {
    const { labelValueBytes, seriesPerCollector, seriesPerFamily, seriesPerPage } = this.#limits;
    const others = this.#shelf.series - total(own);
    return {
      labelValueBytes,
      series: Math.min(seriesPerCollector, seriesPerPage - others),
      seriesOf: (name) => {
        const all = this.#shelf.family(name);
        return seriesPerFamily - all.reduce((sum, one) => (one === own.get(name) ? sum : sum + seriesOf(one)), 0);
      },
    };
  }

  #families(): readonly ShownFamily[] {
    return this.#shelf.names().flatMap((name) => shownFamily(this.#shelf.family(name)) ?? []);
  }

  #shownOf(fragments: Fragments): number {
    let shown = 0;
    for (const [name, fragment] of fragments) {
      shown += shownSeries(this.#shelf.family(name), fragment);
    }
    return shown;
  }
}

function total(fragments: Fragments): number {
  return fragments.values().reduce((sum, one) => sum + seriesOf(one), 0);
}

/** The fragments, without memory of their predecessors that somebody may still read. */
function withoutSpares(fragments: Fragments): Fragments {
  return new Map(
    fragments.entries().map(([name, one]) => [name, { ...one, lines: { ...one.lines, spare: undefined } }]),
  );
}

/** The fragments that outlive a failed reading. */
function kept(fragments: Fragments, gone?: ReadonlySet<string>): Fragments {
  return new Map(
    [...fragments].filter(([name, { family }]) => family.metric?.keep === true && gone?.has(name) !== true),
  );
}
