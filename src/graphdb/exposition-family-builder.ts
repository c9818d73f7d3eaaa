import {
  type FamilyType,
  labelValue,
  type ParsedFamily,
  type ParsedSeries,
  parseSampleValue,
  SampleValueWriter,
} from '../model/exposition.ts';
import { StableList } from '../model/stable-list.ts';
import { familyType, type Metadata } from './exposition-syntax.ts';
import type { StringPool } from './interned-series.ts';
import { maxFamilies } from './reply-limits.ts';

interface FamilyDraft {
  readonly name: string;
  type: FamilyType;
  /** Whether a TYPE line declared the type. */
  declared: boolean;
  /** Whether the last TYPE line contradicted the first; the following samples are then dropped. */
  conflicting: boolean;
  help: string;
  readonly series: StableList<ParsedSeries>;
  readonly values: SampleValueWriter;
}

/** Sorts the samples of one page into families, by the TYPE lines met so far. */
export class FamilyBuilder {
  /** Series of the last page by family. */
  readonly #previous: ReadonlyMap<string, readonly ParsedSeries[]>;
  readonly #drafts = new Map<string, FamilyDraft>();
  #name = '';
  #draft: FamilyDraft | undefined;

  constructor(before: readonly ParsedFamily[]) {
    this.#previous = new Map(before.map(({ name, series }) => [name, series]));
  }

  /** Handles a HELP or TYPE line; `pool` copies the texts that outlive the page. */
  addMetadata(line: Metadata, pool: StringPool): void {
    if (line.kind !== 'HELP' && line.kind !== 'TYPE') return;
    this.#draft = undefined;
    const draft = this.#open(pool.intern(line.name));
    if (line.kind === 'TYPE') declareType(draft, familyType(line.text));
    else if (draft.help === '') draft.help = pool.intern(line.text);
  }

  /** Adds a sample to its family. Returns the target of its value; undefined if the sample contradicts the family. */
  add(series: ParsedSeries): SampleValueWriter | undefined {
    if (this.#draft === undefined || series.name !== this.#name) {
      this.#draft = this.#resolve(series.name);
      this.#name = series.name;
    }
    const draft = this.#draft;
    if (draft.conflicting || !fitsType(draft, series)) return undefined;
    draft.series.add(series);
    return draft.values;
  }

  /** Whether the page names more families than a page may have. */
  get isOverLimit(): boolean {
    return this.#drafts.size > maxFamilies;
  }

  /** Returns the families with samples, in the order of the page. */
  families(): readonly ParsedFamily[] {
    return [...this.#drafts.values()]
      .filter((draft) => draft.series.length > 0)
      .map(({ name, type, help, series, values }) => ({
        name,
        type,
        help,
        series: series.items,
        values: values.finish(),
      }));
  }

  #resolve(name: string): FamilyDraft {
    const exact = this.#drafts.get(name);
    if (exact !== undefined && (exact.declared || exact.series.length > 0)) return exact;
    const stem = /^(.+)_(?:bucket|sum|count)$/.exec(name)?.[1];
    const owner = stem === undefined ? undefined : this.#drafts.get(stem);
    if (owner?.type === 'histogram' || owner?.type === 'summary') return owner;
    return this.#openMetricsCounter(name) ?? this.#open(name);
  }

  /** OpenMetrics declares `x` where the samples, and the family of the classic format, are `x_total`. */
  #openMetricsCounter(name: string): FamilyDraft | undefined {
    const stem = name.endsWith('_total') ? this.#drafts.get(name.slice(0, -'_total'.length)) : undefined;
    if (stem?.type !== 'counter') return undefined;
    const draft = this.#open(name);
    declareType(draft, 'counter');
    draft.conflicting = stem.conflicting;
    if (draft.help === '') draft.help = stem.help;
    return draft;
  }

  #open(name: string): FamilyDraft {
    const known = this.#drafts.get(name);
    if (known !== undefined) return known;
    const before = this.#previous.get(name) ?? [];
    const draft: FamilyDraft = {
      name,
      type: 'untyped',
      declared: false,
      conflicting: false,
      help: '',
      series: new StableList(before),
      values: new SampleValueWriter(before.length),
    };
    this.#drafts.set(name, draft);
    return draft;
  }
}

function declareType(draft: FamilyDraft, type: FamilyType): void {
  draft.conflicting = draft.declared && draft.type !== type;
  if (draft.declared) return;
  // Samples before the TYPE line that cannot belong to its type take precedence over it.
  const settled = draft.series.length > 0 && (type === 'histogram' || type === 'summary');
  if (!settled) draft.type = type;
  draft.declared = true;
  draft.conflicting = settled;
}

function fitsType(draft: FamilyDraft, series: ParsedSeries): boolean {
  if (draft.type !== 'histogram' && draft.type !== 'summary') return true;
  const suffix = series.name.slice(draft.name.length);
  if (suffix === '_sum' || suffix === '_count') return true;
  if (draft.type === 'histogram') return suffix === '_bucket' && isNumber(labelValue(series, 'le'));
  return suffix === '' && isNumber(labelValue(series, 'quantile'));
}

function isNumber(text: string): boolean {
  return text !== '' && !Number.isNaN(parseSampleValue(text));
}
