import { z } from 'zod';
import { readJson, send } from '../support/http.ts';
import type { Prometheus } from '../support/prometheus.ts';

/** A series of an answer: its labels, and its values without those that are no numbers. */
export interface ResultSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: readonly number[];
  /** All values with their times in seconds; null for one that is not finite. */
  readonly points: readonly { readonly at: number; readonly value: number | null }[];
}

/** Between which moments panels are looked at, in seconds since the epoch. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const point = z.tuple([z.number(), z.string()]);
const matrix = z.object({
  status: z.literal('success'),
  data: z.object({
    resultType: z.literal('matrix'),
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), values: z.array(point) })),
  }),
});
const vector = z.object({
  status: z.literal('success'),
  data: z.object({
    resultType: z.literal('vector'),
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: point })),
  }),
});
const values = z.object({ status: z.literal('success'), data: z.array(z.string()) });

/** An expression with a value for every variable, as Grafana puts them in. */
export function interpolate(expression: string, chosen: Readonly<Record<string, string>>): string {
  const text = expression.replaceAll('$__rate_interval', '15s');
  const whole = Object.entries(chosen).reduce((so, [name, value]) => so.replaceAll(`$${name}"`, `${value}"`), text);
  // A digit after the sign names a group of a regular expression.
  if (/\$(?!\d)/.test(whole)) throw new Error(`a variable without a value in ${whole}`);
  return whole;
}

/** Seconds between two points. */
const step = 2;

/** Runs an expression over a span, as a graph does. The last point is the end of the span. */
export async function queryRange(
  { url }: Prometheus,
  expression: string,
  { from, to }: TimeRange,
): Promise<readonly ResultSeries[]> {
  const start = to - Math.floor((to - from) / step) * step;
  const parameters = { query: expression, start: String(start), end: String(to), step: String(step) };
  const { data } = matrix.parse(await post(`${url}/api/v1/query_range`, parameters));
  return data.result.map(({ metric, values: points }) => seriesOf(metric, points));
}

/** Runs an expression at one moment, as a table does. */
export async function queryInstant(
  { url }: Prometheus,
  expression: string,
  at: number,
): Promise<readonly ResultSeries[]> {
  const { data } = vector.parse(await post(`${url}/api/v1/query`, { query: expression, time: String(at) }));
  return data.result.map(({ metric, value }) => seriesOf(metric, [value]));
}

async function post(url: string, parameters: Readonly<Record<string, string>>): Promise<unknown> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await send(url, { method: 'POST', headers, body: new URLSearchParams(parameters).toString() });
  if (reply.status !== 200) throw new Error(`${parameters.query}: ${reply.text}`);
  return JSON.parse(reply.text);
}

function seriesOf(labels: ResultSeries['labels'], points: readonly z.infer<typeof point>[]): ResultSeries {
  const parsed = points.map(([at, text]) => ({ at, number: Number(text.replace('Inf', 'Infinity')) }));
  return {
    labels,
    values: parsed.map(({ number }) => number).filter((value) => !Number.isNaN(value)),
    points: parsed.map(({ at, number }) => ({ at, value: Number.isFinite(number) ? number : null })),
  };
}

/** The labels of all series that a selector finds. */
export async function labelNames({ url }: Prometheus, selector: string): Promise<readonly string[]> {
  const search = new URLSearchParams({ 'match[]': selector });
  return values.parse(await readJson(`${url}/api/v1/labels?${search.toString()}`)).data;
}

/** The values that a variable can take. */
export async function valuesOf({ url }: Prometheus, query: string): Promise<readonly string[]> {
  const [, selector = '', label = ''] = /^label_values\((.*), (\w+)\)$/.exec(query) ?? [];
  const search = new URLSearchParams({ 'match[]': selector });
  return values.parse(await readJson(`${url}/api/v1/label/${label}/values?${search.toString()}`)).data;
}

/** Returns the series with a value that is a number. */
export function shownOf(series: readonly ResultSeries[]): readonly ResultSeries[] {
  return series.filter((one) => one.values.length > 0);
}
