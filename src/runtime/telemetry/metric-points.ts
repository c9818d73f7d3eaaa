import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  type GaugeMetricData,
  type HistogramMetricData,
  type MetricData,
  type SumMetricData,
} from '@opentelemetry/sdk-metrics';
import type { TimeSlices } from '../../kernel/time-slices.ts';
import {
  labelPairs,
  labelValue,
  type ParsedFamily,
  type ParsedSeries,
  parseSampleValue,
  valueAt,
} from '../../model/exposition.ts';
import { hrTime } from './hr-time.ts';

/** Number of series that are converted between two checks of the clock. */
const seriesPerCheck = 500;

const units: Readonly<Record<string, string>> = { seconds: 's', bytes: 'By', ratio: '1' };

/** One sample of the page. */
interface Row {
  readonly series: ParsedSeries;
  readonly value: number;
}

/**
 * Converts the families of the metrics page to OpenTelemetry, under the same names: counters to monotonic sums,
 * histograms to histograms with explicit buckets, all others to gauges. The library has no summaries: a quantile is a
 * gauge with the attribute `quantile`, and the sum and the count of a summary are monotonic sums.
 */
export class MetricPoints {
  readonly #starts = new StartTimes();

  /** Converts a page that was rendered at `at`, ms since the epoch, in slices. */
  async convert(families: readonly ParsedFamily[], at: number, slices: TimeSlices): Promise<MetricData[]> {
    const metrics: MetricData[] = [];
    for (const family of families) {
      const rest: Row[] = [];
      if (family.type === 'histogram') metrics.push(...this.#histogram(family, at, rest));
      else rest.push(...rowsOf(family));
      for (const [name, rows] of Map.groupBy(rest, ({ series }) => series.name)) {
        metrics.push(await this.#numbers(name, family, { rows, at, slices }));
      }
    }
    return metrics;
  }

  async #numbers(
    name: string,
    { type, help }: ParsedFamily,
    { rows, at, slices }: { readonly rows: readonly Row[]; readonly at: number; readonly slices: TimeSlices },
  ): Promise<SumMetricData | GaugeMetricData> {
    const isSum = type === 'counter' || (type === 'summary' && /_(?:sum|count)$/.test(name));
    const dataPoints = [];
    for (const [number, { series, value }] of rows.entries()) {
      if (number % seriesPerCheck === 0 && slices.shouldYield()) await slices.nextSlice();
      const startTime = isSum ? this.#starts.of(series, value, at) : hrTime(at);
      dataPoints.push({ startTime, endTime: hrTime(at), attributes: attributesOf(series), value });
    }
    const common = { ...commonData(name, help), dataPoints };
    return isSum
      ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true }
      : { ...common, dataPointType: DataPointType.GAUGE };
  }

  /** Converts the consistent histograms of a family. The samples of the others become `rest`, so that none is lost. */
  #histogram(family: ParsedFamily, at: number, rest: Row[]): readonly HistogramMetricData[] {
    const dataPoints: HistogramMetricData['dataPoints'] = [];
    for (const rows of Map.groupBy(rowsOf(family), ({ series }) => histogramKey(series)).values()) {
      const parts = histogramParts(family.name, rows);
      if (parts === undefined) {
        rest.push(...rows);
        continue;
      }
      const { count, sum, buckets } = parts;
      dataPoints.push({
        startTime: this.#starts.of(count.series, count.value, at),
        endTime: hrTime(at),
        attributes: attributesOf(count.series),
        value: { count: count.value, ...(sum && { sum: sum.value }), buckets },
      });
    }
    const common = commonData(family.name, family.help);
    return dataPoints.length === 0 ? [] : [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }];
  }
}

function rowsOf({ series, values }: ParsedFamily): readonly Row[] {
  return series.map((one, at) => ({ series: one, value: valueAt(values, at) }));
}

function commonData(name: string, description: string) {
  const [, word = ''] = /_([a-z]+?)(?:_total|_sum)?$/.exec(name) ?? [];
  const descriptor = { name, description, unit: units[word] ?? '', valueType: ValueType.DOUBLE };
  return { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
}

/** Returns the attributes of a series. A label without a value is the same as no label. */
function attributesOf(series: ParsedSeries): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of labelPairs(series)) if (value !== '') attributes[name] = value;
  return attributes;
}

function histogramKey(series: ParsedSeries): string {
  const pairs = [...labelPairs(series)].filter(([name]) => name !== 'le');
  return JSON.stringify(pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

interface HistogramParts {
  readonly count: Row;
  readonly sum: Row | undefined;
  readonly buckets: { readonly boundaries: number[]; readonly counts: number[] };
}

/** Returns the parts of a histogram; undefined if they contradict each other, which a page of the server may. */
function histogramParts(name: string, rows: readonly Row[]): HistogramParts | undefined {
  const partOf = (suffix: string): readonly Row[] => rows.filter(({ series }) => series.name === name + suffix);
  const [[count, ...counts], [sum], bounds] = [partOf('_count'), partOf('_sum'), bucketsOf(partOf('_bucket'))];
  const last = bounds.at(-1);
  if (count === undefined || counts.length > 0 || last?.bound !== Number.POSITIVE_INFINITY) return undefined;
  const perBucket = bounds.map(({ value }, at) => value - (bounds[at - 1]?.value ?? 0));
  const isConsistent = last.value === count.value && perBucket.every((one) => one >= 0 && Number.isSafeInteger(one));
  if (!isConsistent || partOf('_bucket').length !== new Set(bounds.map(({ bound }) => bound)).size) return undefined;
  return { count, sum, buckets: { boundaries: bounds.slice(0, -1).map(({ bound }) => bound), counts: perBucket } };
}

function bucketsOf(rows: readonly Row[]): readonly { readonly bound: number; readonly value: number }[] {
  return rows
    .map(({ series, value }) => ({ bound: parseSampleValue(labelValue(series, 'le')), value }))
    .toSorted((one, other) => one.bound - other.bound);
}

/**
 * Start times of cumulative series. The true start is unknown, because most counters belong to the server or outlast a restart. As
 * the data model requires, it is then the time of the first observation; after a reset, the time of the observation before it.
 */
class StartTimes {
  readonly #known = new WeakMap<
    ParsedSeries,
    { readonly start: number; readonly at: number; readonly value: number }
  >();

  of(series: ParsedSeries, value: number, at: number): HrTime {
    const known = this.#known.get(series) ?? { start: at, at, value };
    const start = value < known.value ? known.at : known.start;
    this.#known.set(series, { start, at, value });
    return hrTime(start);
  }
}
