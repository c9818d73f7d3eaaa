import type { TimeSlices } from '../kernel/time-slices.ts';
import type { Exemplar, Metric, Sample } from '../metric/metric.ts';
import type { SeriesDrop, SeriesLimit } from '../model/series-drop.ts';
import { StableList } from '../model/stable-list.ts';
import { ChangedValues } from './changed-values.ts';
import { type Family, type FamilyDraft, type Fragment, isSeries, type RowKey, renderExemplars } from './fragment.ts';
import type { Fragments } from './fragment-registry.ts';
import { type BaseLabels, baseLabels, formatLabel, formatValue, type LabelLimit, linePrefix } from './labels.ts';
import { type LineRows, type RenderedLines, renderLines } from './lines.ts';
import type { SourceContent } from './metrics-page.ts';
import { draftServerFamily } from './server-family.ts';

/** Limits for the content of one source. */
export interface SeriesLimits {
  readonly labelValueBytes: number;
  /** Maximum series of the source. */
  readonly ofCollector: number;
  /** Series that the page has room for. */
  readonly ofPage: number;
  /** Maximum series of the source in one family. */
  ofFamily(family: string): number;
}

/** Content as fragments, and the series that are in none of them. */
export interface RenderedContent {
  readonly fragments: Fragments;
  readonly dropped: readonly SeriesDrop[];
  /** Label values that were cut in the lines that are not copied from earlier ones. */
  readonly cutLabels: number;
}

/** Previous fragments of a source. */
export interface PreviousFragments {
  readonly fragments: Fragments;
  /** Whether no response uses the memory of their predecessors. */
  readonly areBuffersFree: boolean;
}

/** Renders the content of a source; unchanged fragments are kept, and unchanged prefixes copied from the previous ones. */
export async function renderContent(
  content: SourceContent,
  previous: PreviousFragments,
  bounds: SeriesLimits,
  slices: TimeSlices,
): Promise<RenderedContent> {
  // Cut labels of the source are not counted: they come from the configuration, and would count again at each poll.
  const rendered = baseLabels(content.labels, { valueBytes: bounds.labelValueBytes, cut: 0 });
  // All fragments of a source share one text of its labels, which saves memory.
  const [kept] = previous.fragments.values();
  const base = kept?.base === rendered.text ? { ...rendered, text: kept.base } : rendered;
  const limit: LabelLimit = { valueBytes: bounds.labelValueBytes, cut: 0 };
  const fragments = new Map<string, Fragment>();
  const dropped: SeriesDrop[] = [];
  const capacity = new SeriesCapacity(bounds);
  const setting = { base, limit, before: previous.fragments };
  for (const draft of await draftFamilies(content, setting, slices)) {
    const { family } = draft;
    const offered = draft.rows.keys.length;
    const drop = (reason: SeriesDrop['reason'], series: number): void => {
      if (series > 0) dropped.push({ reason, family: family.name, series });
    };
    if (isReservedName(family.name) !== isOwn(family)) drop('reserved_name', offered);
    else if (fragments.has(family.name)) drop('duplicate', offered);
    else {
      const { most, limit: reason } = capacity.of(family);
      if (draft.unchanged !== undefined && offered <= most) {
        fragments.set(family.name, draft.unchanged);
        capacity.take(family, offered);
        continue;
      }
      const rows = firstRows(draft, most);
      drop(reason, offered - rows.keys.length);
      if (rows.keys.length === 0) continue;
      const lines = await renderLines(rows, reusableLines(draft, base, previous), slices);
      drop('duplicate', lines.repeated);
      const annotated = draft.exemplars && renderExemplars(lines, draft.exemplars);
      const cluster = content.labels.cluster_name ?? '';
      const fragment = { family, cluster, base: base.text, lines, ...(annotated && { annotated }) };
      const last = previous.fragments.get(family.name);
      fragments.set(family.name, last !== undefined && isSameFragment(fragment, last) ? last : fragment);
      capacity.take(family, lines.keys.length);
    }
  }
  return { fragments, dropped, cutLabels: limit.cut };
}

function isSameFragment(one: Fragment, last: Fragment): boolean {
  if (one.lines.bytes !== last.lines.bytes || one.annotated !== undefined || last.annotated !== undefined) return false;
  return one.family.type === last.family.type && one.family.help === last.family.help;
}

/** Series that the limits leave for the families of a source. No limit applies to essential families. */
class SeriesCapacity {
  readonly #bounds: SeriesLimits;
  #taken = 0;

  constructor(bounds: SeriesLimits) {
    this.#bounds = bounds;
  }

  /** Returns how many series of a family fit, and the limit that allows no more. */
  of({ name, metric }: Family): { readonly most: number; readonly limit: SeriesLimit } {
    if (metric?.essential === true) return { most: Number.POSITIVE_INFINITY, limit: 'series_per_family' };
    const { ofCollector, ofPage } = this.#bounds;
    const limits = [
      { most: this.#bounds.ofFamily(name), limit: 'series_per_family' },
      { most: ofCollector - this.#taken, limit: 'series_per_collector' },
      { most: ofPage - this.#taken, limit: 'series_per_page' },
    ] as const;
    return limits.reduce((least, one) => (one.most < least.most ? one : least));
  }

  take({ metric }: Family, series: number): void {
    if (metric?.essential !== true) this.#taken += series;
  }
}

async function draftFamilies(
  { samples, passthrough = [] }: SourceContent,
  setting: SourceSetting,
  slices: TimeSlices,
): Promise<readonly FamilyDraft[]> {
  const own = await draftOwnFamilies(samples, setting, slices);
  return [...own, ...passthrough.map((family) => draftServerFamily(family, setting.base, setting.limit))];
}

/** Returns at most `most` rows, up to the end of a histogram: an incomplete histogram would be wrong. */
function firstRows({ family, rows }: FamilyDraft, most: number): LineRows<RowKey> {
  const { keys } = rows;
  if (keys.length <= most) return rows;
  let end = Math.max(0, most);
  if (family.metric?.type === 'histogram') while (end > 0 && !endsHistogram(keys[end - 1])) end -= 1;
  return { ...rows, keys: keys.slice(0, end) };
}

function reusableLines(
  { family }: FamilyDraft,
  base: BaseLabels,
  { fragments, areBuffersFree }: PreviousFragments,
): RenderedLines<RowKey> | undefined {
  const fragment = fragments.get(family.name);
  if (fragment?.base !== base.text || fragment.family.metric !== family.metric) return undefined;
  return areBuffersFree ? fragment.lines : { ...fragment.lines, reusableBuffers: undefined };
}

/** Shared by all samples of one source. */
export interface SourceSetting {
  readonly base: BaseLabels;
  readonly limit: LabelLimit;
  /** Previous fragments of the source. */
  readonly before: Fragments;
}

/** Samples between two checks of the clock. */
const portionSamples = 1024;

/** Key of the histogram part in the identity of a row; no label has this name. */
const partKey = '';

/** Groups samples by declared family, in the order of their first sample. */
export async function draftOwnFamilies(
  samples: Iterable<Sample>,
  setting: SourceSetting,
  slices: TimeSlices,
): Promise<readonly FamilyDraft[]> {
  const groups = new Map<Metric, FamilyGroup>();
  let group: FamilyGroup | undefined;
  let taken = 0;
  for (const { metric, labels, value, part, exemplar } of samples) {
    if (group?.metric !== metric) group = getOrCreateGroup(groups, metric, setting);
    group.add(part === undefined ? labels : { ...labels, [partKey]: part }, value);
    if (exemplar !== undefined && part === '_bucket') group.addExemplar(exemplar);
    taken += 1;
    if (taken % portionSamples === 0 && slices.shouldYield()) await slices.nextSlice();
  }
  return Array.from(groups.values(), (one) => one.draft());
}

function getOrCreateGroup(groups: Map<Metric, FamilyGroup>, metric: Metric, setting: SourceSetting): FamilyGroup {
  const group = groups.get(metric) ?? new FamilyGroup(metric, setting);
  groups.set(metric, group);
  return group;
}

/** Returns whether a row is the last one of a histogram: the count follows buckets and sum. */
function endsHistogram(key: RowKey | undefined): boolean {
  return key !== undefined && !isSeries(key) && key[partKey] === '_count';
}

class FamilyGroup {
  readonly metric: Metric;
  readonly #renderer: Pick<LineRows<RowKey>, 'same' | 'prefix'>;
  readonly #last: Fragment | undefined;
  readonly #keys: StableList<RowKey>;
  readonly #values: ChangedValues;
  #exemplars: Map<number, Exemplar> | undefined;

  constructor(metric: Metric, { base, limit, before }: SourceSetting) {
    const last = before.get(metric.name);
    this.metric = metric;
    this.#renderer = rowRenderer(metric, base, limit);
    this.#last = last?.family.metric === metric && last.base === base.text ? last : undefined;
    this.#keys = new StableList(this.#last?.lines.keys, this.#renderer.same);
    this.#values = new ChangedValues(this.#last?.lines);
  }

  add(labels: Readonly<Record<string, string>>, value: number): void {
    this.#keys.add(labels);
    this.#values.add(formatValue(value));
  }

  /** Adds an exemplar to the last row. */
  addExemplar(exemplar: Exemplar): void {
    this.#exemplars ??= new Map();
    this.#exemplars.set(this.#keys.length - 1, exemplar);
  }

  draft(): FamilyDraft {
    const keys = this.#keys.items;
    const last = this.#last;
    const hasExemplars = this.#exemplars !== undefined || last?.annotated !== undefined;
    const isUnchanged = last !== undefined && keys === last.lines.keys && this.#values.areUnchanged && !hasExemplars;
    const values = this.#values;
    return {
      family: familyOf(this.metric),
      rows: {
        keys,
        // Unchanged values are hardly ever needed.
        get values() {
          return values.finish();
        },
        ...this.#renderer,
      },
      ...(isUnchanged && { unchanged: last }),
      ...(this.#exemplars && { exemplars: this.#exemplars }),
    };
  }
}

/** Header of each metric. All fragments share it: in a fleet, a copy for each takes some MiB. */
const families = new WeakMap<Metric, Family>();

function familyOf(metric: Metric): Family {
  const { name, type, help } = metric;
  const family = families.get(metric) ?? { name, type, help, metric };
  families.set(metric, family);
  return family;
}

/** Renders the labels in declared order; a label that the sample lacks is empty. */
function rowRenderer(metric: Metric, base: BaseLabels, limit: LabelLimit): Pick<LineRows<RowKey>, 'same' | 'prefix'> {
  const own = metric.type === 'histogram' ? [...metric.labels, 'le'] : metric.labels;
  const names = own.filter((name) => !base.names.has(name));
  const compared = metric.type === 'histogram' ? [...names, partKey] : names;
  return {
    same: (one, other) => {
      if (isSeries(one) || isSeries(other)) return false;
      for (const name of compared) if (one[name] !== other[name]) return false;
      return true;
    },
    prefix: (key) => {
      const labels = isSeries(key) ? {} : key;
      const part = labels[partKey] ?? '';
      const shown = part === '' || part === '_bucket' ? names : names.filter((name) => name !== 'le');
      const texts = shown.map((name) => formatLabel(name, labels[name] ?? '', limit));
      return linePrefix(metric.name + part, base.text, texts);
    },
  };
}

const reservedPrefixes = ['graphdb_', 'graphwarden_', 'process_', 'nodejs_'];

/** Returns whether this program declares a family; the names of custom families are the user's own. */
function isOwn({ metric }: Family): boolean {
  return metric !== undefined && metric.isCustom !== true;
}

/** Returns whether a name is reserved for families of this program. */
function isReservedName(name: string): boolean {
  return reservedPrefixes.some((prefix) => name.startsWith(prefix));
}
