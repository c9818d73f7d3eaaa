import {
  labelPairs,
  labelValue,
  type ParsedFamily,
  type ParsedSeries,
  parseSampleValue,
  SampleValueWriter,
  valueAt,
  valueTextAt,
  type WithheldReason,
  type WithheldSamples,
} from '../model/exposition.ts';
import type { SlicedWork } from './sliced-work.ts';

/** Families that every parser accepts, and the number of withheld samples by reason. */
export interface StrictFamilies {
  readonly families: readonly ParsedFamily[];
  readonly withheld: readonly WithheldSamples[];
}

/**
 * Withholds the samples that OpenMetrics forbids: a strict parser rejects the whole page because of one of them. Groups of
 * a histogram or summary are brought together, and buckets into their order.
 */
export function* withholdForbidden(families: readonly ParsedFamily[]): SlicedWork<StrictFamilies> {
  const losses = new Losses();
  const named = familiesWithFreeNames(families);
  const accepted: ParsedFamily[] = [];
  for (const family of families) {
    if (named.has(family)) accepted.push(...(yield* strictFamily(family, losses)));
    else losses.add(family, 'name', family.series.length);
  }
  return { families: accepted, withheld: losses.list };
}

class Losses {
  readonly list: WithheldSamples[] = [];

  add({ name: family }: ParsedFamily, reason: WithheldReason, samples = 1): void {
    const known = this.list.findIndex((one) => one.family === family && one.reason === reason);
    const before = this.list[known]?.samples ?? 0;
    this.list.splice(known < 0 ? this.list.length : known, 1, { family, reason, samples: before + samples });
  }
}

/** Suffixes of the names that a family reserves. */
const reservedSuffixes: Readonly<Partial<Record<ParsedFamily['type'], readonly string[]>>> = {
  summary: ['', '_count', '_sum', '_created'],
  histogram: ['', '_count', '_sum', '_bucket', '_created'],
};

/** Returns the families whose names no other family has. */
function familiesWithFreeNames(families: readonly ParsedFamily[]): ReadonlySet<ParsedFamily> {
  const all = new Set(families.map(({ name }) => name));
  const names = new SampleNames();
  // The names of a counter depend on whether the family with its stem is accepted.
  const isLast = (family: ParsedFamily): boolean => all.has(stemOf(family) ?? '');
  const ordered = [...families.filter((family) => !isLast(family)), ...families.filter(isLast)];
  return new Set(ordered.filter((family) => names.add(family)));
}

/** Name of a counter without `_total`; undefined for other families. */
function stemOf({ name, type }: ParsedFamily): string | undefined {
  return type === 'counter' ? /^(.+)_total$/.exec(name)?.[1] : undefined;
}

/** Names that the accepted families of a page reserve: none may be in two families. */
class SampleNames {
  readonly #accepted = new Set<string>();
  readonly #taken = new Set<string>();

  /** Returns false if another family has one of the names. */
  add(family: ParsedFamily): boolean {
    const names = this.#namesOf(family);
    if (names.some((name) => this.#taken.has(name))) return false;
    this.#accepted.add(family.name);
    for (const name of names) this.#taken.add(name);
    return true;
  }

  #namesOf(family: ParsedFamily): readonly string[] {
    const { name, type } = family;
    const stem = stemOf(family);
    // A counter whose stem is taken is exposed as `unknown`, under its own name.
    if (stem !== undefined && !this.#accepted.has(stem)) return [stem, name, `${stem}_created`];
    return (reservedSuffixes[type] ?? ['']).map((suffix) => name + suffix);
  }
}

function* strictFamily(family: ParsedFamily, losses: Losses): SlicedWork<readonly ParsedFamily[]> {
  const { type, series } = family;
  if (type === 'gauge' || type === 'untyped') return [family];
  const rows = type === 'counter' ? counterRows(family, losses) : yield* groupedRows(family, losses);
  if (rows.length === series.length && rows.every((row, at) => row === at)) return [family];
  return rows.length === 0 ? [] : [withRows(family, rows)];
}

function withRows(family: ParsedFamily, rows: readonly number[]): ParsedFamily {
  const values = new SampleValueWriter(rows.length);
  for (const row of rows) values.add(valueTextAt(family.values, row));
  return { ...family, series: rows.flatMap((row) => family.series[row] ?? []), values: values.finish() };
}

function counterRows(family: ParsedFamily, losses: Losses): readonly number[] {
  return Array.from(family.series.keys()).filter((row) => {
    const reason = countProblem(valueAt(family.values, row));
    if (reason !== undefined) losses.add(family, reason);
    return reason === undefined;
  });
}

function countProblem(value: number): WithheldReason | undefined {
  if (Number.isNaN(value)) return 'nan';
  return value < 0 ? 'negative' : undefined;
}

/** Rows of one group of a histogram or summary. */
interface Group {
  readonly parts: { readonly row: number; readonly at: number; readonly value: number }[];
  sum?: number;
  count?: number;
}

/** Returns the rows to show, group by group. */
function* groupedRows(family: ParsedFamily, losses: Losses): SlicedWork<readonly number[]> {
  const rows: number[] = [];
  for (const group of (yield* groupsOf(family, losses)).values()) {
    rows.push(...(family.type === 'histogram' ? histogramRows : summaryRows)(family, group, losses));
    yield;
  }
  return rows;
}

/** Series between two interruptions. */
const portionSeries = 256;

function* groupsOf(family: ParsedFamily, losses: Losses): SlicedWork<ReadonlyMap<string, Group>> {
  const label = family.type === 'histogram' ? 'le' : 'quantile';
  const groups = new Map<string, Group>();
  for (const [row, series] of family.series.entries()) {
    const key = groupKey(series, label);
    const group = groups.get(key) ?? { parts: [] };
    groups.set(key, group);
    if (row % portionSeries === 0) yield;
    const suffix = series.name.slice(family.name.length);
    const text = labelValue(series, label);
    if (suffix === '_sum' && text === '') group.sum = row;
    else if (suffix === '_count' && text === '') group.count = row;
    else if (suffix !== '_sum' && suffix !== '_count' && isCanonical(text)) {
      group.parts.push({ row, at: parseSampleValue(text), value: valueAt(family.values, row) });
    } else losses.add(family, 'label');
  }
  return groups;
}

/** Whether a bound is spelled as required: infinity has only one spelling. */
function isCanonical(text: string): boolean {
  return Number.isFinite(Number(text)) || text === '+Inf';
}

function groupKey(series: ParsedSeries, label: string): string {
  const labels = Array.from(labelPairs(series)).filter(([name, value]) => value !== '' && name !== label);
  return JSON.stringify(labels.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function histogramRows(family: ParsedFamily, group: Group, losses: Losses): readonly number[] {
  const buckets = group.parts.toSorted((one, other) => one.at - other.at);
  const problem = bucketProblem(buckets);
  if (problem !== undefined) {
    losses.add(family, problem, buckets.length + Number(group.sum !== undefined) + Number(group.count !== undefined));
    return [];
  }
  const rows = buckets.map(({ row }) => row);
  const { sum, count } = group;
  if (sum === undefined && count === undefined) return rows;
  const whole = totalProblem(family, group, buckets);
  if (whole === undefined && sum !== undefined && count !== undefined) return inPageOrder(rows, sum, count);
  losses.add(family, whole ?? 'incomplete', Number(sum !== undefined) + Number(count !== undefined));
  return rows;
}

function bucketProblem(buckets: Group['parts']): WithheldReason | undefined {
  if (buckets.at(-1)?.at !== Number.POSITIVE_INFINITY) return 'incomplete';
  let last = { at: Number.NEGATIVE_INFINITY, value: 0 };
  for (const [index, bucket] of buckets.entries()) {
    const problem = countProblem(bucket.value);
    if (problem !== undefined) return problem;
    if (!Number.isInteger(bucket.value)) return 'fraction';
    if (bucket.value < last.value || (index > 0 && bucket.at === last.at)) return 'decreasing';
    last = bucket;
  }
  return undefined;
}

/** Returns why a histogram must be withheld because of its sum or count; each of them requires the other. */
function totalProblem(
  { values }: ParsedFamily,
  { sum, count }: Group,
  buckets: Group['parts'],
): WithheldReason | undefined {
  if (sum === undefined || count === undefined) return 'incomplete';
  const total = valueAt(values, sum);
  if ((buckets[0]?.at ?? 0) < 0) return 'negative';
  return countProblem(total) ?? (valueAt(values, count) === buckets.at(-1)?.value ? undefined : 'decreasing');
}

function inPageOrder(rows: readonly number[], ...others: readonly number[]): readonly number[] {
  return [...rows, ...others.toSorted((one, other) => one - other)];
}

function summaryRows(family: ParsedFamily, { parts, sum, count }: Group, losses: Losses): readonly number[] {
  const quantiles = parts.filter(({ at, value }) => {
    const problem = at < 0 || at > 1 ? 'label' : value < 0 ? 'negative' : undefined;
    if (problem !== undefined) losses.add(family, problem);
    return problem === undefined;
  });
  const totals = [sum, count].filter((row) => {
    if (row === undefined) return false;
    const value = valueAt(family.values, row);
    const problem = countProblem(value) ?? (row === count && !Number.isInteger(value) ? 'fraction' : undefined);
    if (problem !== undefined) losses.add(family, problem);
    return problem === undefined;
  });
  return inPageOrder(
    quantiles.map(({ row }) => row),
    ...totals.filter((row) => row !== undefined),
  );
}
