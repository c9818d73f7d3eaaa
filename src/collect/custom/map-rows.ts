import { err, ok, type Result } from '../../kernel/result.ts';
import { type Sample, sample } from '../../metric/metric.ts';
import type { CustomMetric, RowMapping } from './custom-query.ts';
import { kindOf, Mismatch, type PrintedRows, quoted, requireMatch, rowsAt } from './printed-rows.ts';
import { follow, isContainer } from './value-path.ts';

/** Characters of a label value that are kept; the page truncates at `limits.label_value_bytes`. */
const maxLabelLength = 4096;

/**
 * Maps what a query printed to samples, all or none. The error is a sentence that says which path did not match. It contains
 * no value of the server; with `names`, it lists names of members, which can be data of users if the query prints a map.
 */
export function mapRows(
  mapping: RowMapping,
  results: unknown,
  { names = false }: { readonly names?: boolean } = {},
): Result<readonly Sample[], string> {
  try {
    return ok(collect(mapping, rowsAt(mapping.rows, results, names)));
  } catch (error) {
    if (error instanceof Mismatch) return err(error.message);
    throw error;
  }
}

function collect(mapping: RowMapping, printed: PrintedRows): readonly Sample[] {
  const { metrics, maxSeries } = mapping;
  const samples: Sample[] = [];
  for (const custom of metrics) {
    for (const one of samplesOf(custom, printed, mapping)) samples.push(one);
  }
  if (samples.length <= maxSeries) return samples;
  throw new Mismatch(
    `the query gives ${samples.length} series, more than max_series (${maxSeries}); aggregate in the query, or raise max_series`,
  );
}

function* samplesOf(custom: CustomMetric, printed: PrintedRows, { nullValue }: RowMapping): Generator<Sample> {
  const { metric, value, labels, staticLabels } = custom;
  const key = `metric ${metric.name}`;
  requireMatch(`${key}: value`, value, printed);
  for (const [label, path] of Object.entries(labels)) requireMatch(`${key}: label ${label}`, path, printed);
  const seen = new Map<string, number>();
  for (const [at, row] of printed.rows.entries()) {
    const number = numberOf(custom, row, at);
    if (number === undefined && nullValue === 'skip') continue;
    if (number === undefined && nullValue === 'fail') {
      throw new Mismatch(`${key}: value ${quoted(value)} of row ${at} is null, which null_value: fail refuses`);
    }
    const own = labelsOf(custom, row, at);
    const first = seen.get(JSON.stringify(own));
    if (first !== undefined) {
      throw new Mismatch(
        `${key}: rows ${first} and ${at} have the same labels; add a label, or aggregate in the query`,
      );
    }
    seen.set(JSON.stringify(own), at);
    yield sample(metric, { ...staticLabels, ...own }, number ?? 0);
  }
}

/** Returns the value of a row; undefined for null, and for a row without the member. */
function numberOf({ metric, value }: CustomMetric, row: object, at: number): number | undefined {
  const found = follow(row, value.steps);
  if (!('value' in found) || found.value === null) return undefined;
  const number = toNumber(found.value);
  const subject = `metric ${metric.name}: value ${quoted(value)} of row ${at}`;
  if (number === undefined) throw new Mismatch(`${subject} is ${kindOf(found.value)}, not a number`);
  if (!Number.isFinite(number)) throw new Mismatch(`${subject} is too large for a number`);
  if (metric.type === 'counter' && number < 0) {
    throw new Mismatch(`${subject} is negative, which a counter cannot be; set type: gauge`);
  }
  return number;
}

/** Returns a value as a number; undefined if it is none. A numeric text counts, as some servers write large integers; true is 1. */
function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const isNumeric = typeof value === 'string' && /^[-+]?\d{1,400}(?:\.\d{1,400})?(?:[eE][-+]?\d{1,4})?$/.test(value);
  return isNumeric ? Number(value) : undefined;
}

function labelsOf({ metric, labels }: CustomMetric, row: object, at: number): Readonly<Record<string, string>> {
  const pairs = Object.entries(labels).map(([label, path]) => {
    const found = follow(row, path.steps);
    const value = 'value' in found ? found.value : null;
    if (isContainer(value)) {
      throw new Mismatch(
        `metric ${metric.name}: label ${label}: ${quoted(path)} of row ${at} is ${kindOf(value)}, not a text or a number`,
      );
    }
    return [label, textOf(value)];
  });
  return Object.fromEntries(pairs);
}

/** Returns a value as the text of a label; `''` for null, which Prometheus treats as a missing label. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, maxLabelLength);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
