import { type FamilyType, labelOf, type ParsedFamily, type ParsedSeries } from '../model/exposition.ts';
import { SteadyList } from '../model/steady-list.ts';
import { numberOf, ValueWriter } from '../model/value-texts.ts';
import { familyType, type Metadata } from './exposition-syntax.ts';
import type { TextPool } from './text-pool.ts';

interface Draft {
  readonly name: string;
  type: FamilyType;
  /** A TYPE line named the type. */
  declared: boolean;
  /** The last TYPE line contradicted the first: what follows is left out. */
  conflicting: boolean;
  help: string;
  readonly series: SteadyList<ParsedSeries>;
  readonly values: ValueWriter;
}

/** Sorts the samples of one page into families, by the TYPE lines met so far. */
export class FamilySorter {
  /** The series of the last page by family. */
  readonly #before: ReadonlyMap<string, readonly ParsedSeries[]>;
  readonly #drafts = new Map<string, Draft>();
  #name = '';
  #draft: Draft | undefined;

  constructor(before: readonly ParsedFamily[]) {
    this.#before = new Map(before.map(({ name, series }) => [name, series]));
  }

  /** Takes a HELP or TYPE line; `pool` detaches the texts that outlive the page. */
  describe(line: Metadata, pool: TextPool): void {
    if (line.kind !== 'HELP' && line.kind !== 'TYPE') return;
    this.#draft = undefined;
    const draft = this.#open(pool.own(line.name));
    if (line.kind === 'TYPE') declare(draft, familyType(line.text));
    else if (draft.help === '') draft.help = pool.own(line.text);
  }

  /** Adds a sample to its family: gives where its value has to be written, undefined where it contradicts it. */
  add(series: ParsedSeries): ValueWriter | undefined {
    if (this.#draft === undefined || series.name !== this.#name) {
      this.#draft = this.#resolve(series.name);
      this.#name = series.name;
    }
    const draft = this.#draft;
    if (draft.conflicting || !fits(draft, series)) return undefined;
    draft.series.add(series);
    return draft.values;
  }

  /** The families that have samples, in the order of the page. */
  families(): readonly ParsedFamily[] {
    return [...this.#drafts.values()]
      .filter((draft) => draft.series.length > 0)
      .map(({ name, type, help, series, values }) => ({
        name,
        type,
        help,
        series: series.items,
        values: values.done(),
      }));
  }

  #resolve(name: string): Draft {
    const exact = this.#drafts.get(name);
    if (exact !== undefined && (exact.declared || exact.series.length > 0)) return exact;
    const stem = /^(.+)_(?:bucket|sum|count)$/.exec(name)?.[1];
    const owner = stem === undefined ? undefined : this.#drafts.get(stem);
    if (owner?.type === 'histogram' || owner?.type === 'summary') return owner;
    return this.#openMetricsCounter(name) ?? this.#open(name);
  }

  /** OpenMetrics declares `x` where the samples, and the family of the classic format, are `x_total`. */
  #openMetricsCounter(name: string): Draft | undefined {
    const stem = name.endsWith('_total') ? this.#drafts.get(name.slice(0, -'_total'.length)) : undefined;
    if (stem?.type !== 'counter') return undefined;
    const draft = this.#open(name);
    declare(draft, 'counter');
    draft.conflicting = stem.conflicting;
    if (draft.help === '') draft.help = stem.help;
    return draft;
  }

  #open(name: string): Draft {
    const known = this.#drafts.get(name);
    if (known !== undefined) return known;
    const before = this.#before.get(name) ?? [];
    const draft: Draft = {
      name,
      type: 'untyped',
      declared: false,
      conflicting: false,
      help: '',
      series: new SteadyList(before),
      values: new ValueWriter(before.length),
    };
    this.#drafts.set(name, draft);
    return draft;
  }
}

function declare(draft: Draft, type: FamilyType): void {
  draft.conflicting = draft.declared && draft.type !== type;
  if (draft.declared) return;
  // Samples that came before their TYPE line and cannot belong to that type have settled the matter.
  const settled = draft.series.length > 0 && (type === 'histogram' || type === 'summary');
  if (!settled) draft.type = type;
  draft.declared = true;
  draft.conflicting = settled;
}

function fits(draft: Draft, series: ParsedSeries): boolean {
  if (draft.type !== 'histogram' && draft.type !== 'summary') return true;
  const suffix = series.name.slice(draft.name.length);
  if (suffix === '_sum' || suffix === '_count') return true;
  if (draft.type === 'histogram') return suffix === '_bucket' && isNumber(labelOf(series, 'le'));
  return suffix === '' && isNumber(labelOf(series, 'quantile'));
}

function isNumber(text: string): boolean {
  return text !== '' && !Number.isNaN(numberOf(text));
}
