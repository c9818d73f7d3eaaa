import type { Content, Page } from '../expose/page.ts';
import { same } from '../kernel/same.ts';
import type { Sample } from '../metric/metric.ts';

/** What is wanted of the page. */
type ShownOn = Pick<Page, 'put' | 'remove'>;

/** What one source is to show. */
export interface Showing {
  readonly labels: Readonly<Record<string, string>>;
  /** A list is compared with the one before; of what comes lazily, the same object shows the same. */
  readonly samples: Iterable<Sample>;
}

interface Source {
  readonly page: ShownOn;
  readonly showing: Showing;
  readonly values: unknown;
  /** Series of it that are not on the page. */
  dropped: number;
}

/** Brings what is not read from a server onto the page, and touches the page only where something changed. */
export class ShownSources {
  readonly #shown = new Map<string, Source>();
  #line: Promise<void> = Promise.resolve();

  /** Series that the page did not take when they were last put there. */
  get dropped(): number {
    return this.#shown.values().reduce((sum, one) => sum + one.dropped, 0);
  }

  /** Makes `wanted` all that is shown, on `page`; calls wait for each other. */
  show(page: ShownOn, wanted: ReadonlyMap<string, Showing>): Promise<void> {
    this.#line = this.#line.then(() => this.#showAll(page, wanted));
    return this.#line;
  }

  async #showAll(page: ShownOn, wanted: ReadonlyMap<string, Showing>): Promise<void> {
    for (const source of this.#shown.keys()) if (!wanted.has(source)) this.#remove(page, source);
    for (const [source, showing] of wanted) await this.#showOne(page, source, showing);
  }

  async #showOne(page: ShownOn, source: string, content: Showing & Content): Promise<void> {
    const before = this.#shown.get(source);
    const isKept = before?.page === page && before.showing.samples === content.samples;
    if (isKept && same(before.showing.labels, content.labels)) return;
    const values = valuesOf(content);
    if (values !== undefined && before?.page === page && same(before.values, values)) return;
    const shown = { page, showing: content, values, dropped: 0 };
    this.#shown.set(source, shown);
    const { dropped } = await page.put(source, content);
    shown.dropped = dropped;
  }

  #remove(page: ShownOn, source: string): void {
    this.#shown.delete(source);
    page.remove(source);
  }
}

/** What a list shows. Undefined for what comes lazily: it may be long, and is read in slices. */
function valuesOf({ labels, samples }: Showing): unknown {
  if (!Array.isArray(samples)) return undefined;
  return [
    labels,
    samples.map(({ metric, labels: own, value, exemplar }: Sample) => [metric.name, own, value, exemplar]),
  ];
}
