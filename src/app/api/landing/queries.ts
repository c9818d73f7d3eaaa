import { formatElapsed } from '../../../kernel/duration.ts';
import { gaps, type Latest, type Statement, samplesOf, say } from './statement.ts';
import { count, list, short } from './words.ts';

/** A value with its node, graph and query. */
interface Found {
  readonly node: string;
  readonly graph: string;
  readonly query: string;
  readonly value: number;
}

/** Age from which a query is long-running. The default query timeout of the server is 16 s. */
const longSeconds = 60;

/** «12 queries run, the oldest for 4 min on m2 in graph fraud». */
export function runningInWords(latest: Latest): readonly Statement[] {
  const total = sum(valuesOf(latest, 'graphdb_queries_running'));
  const oldest = highest(valuesOf(latest, 'graphdb_query_oldest_age_seconds'));
  const text = `${count(total, 'query')} ${total === 1 ? 'runs' : 'run'}${forHowLong(oldest)}`;
  if (latest.reported.length === 0) return gaps(latest);
  const tone = (oldest?.value ?? 0) >= longSeconds ? 'warning' : 'plain';
  return [say(tone, total === 0 ? 'No query runs' : text), ...overdueInWords(latest), ...gaps(latest)];
}

function overdueInWords(latest: Latest): readonly Statement[] {
  const overdue = valuesOf(latest, 'graphdb_queries_overdue').filter(({ value }) => value > 0);
  const names = overdue.map(({ node, graph, query, value }) => `${value} of ${query}${inGraph(graph)} on ${node}`);
  return names.length === 0 ? [] : [say('warning', `Past the time-out that was granted: ${list(names)}`)];
}

/** «3 queries wait, the longest for 12 s on m1 in graph social». */
export function delayedInWords(latest: Latest): readonly Statement[] {
  const total = sum(valuesOf(latest, 'graphdb_queries_delayed'));
  const oldest = highest(valuesOf(latest, 'graphdb_delayed_query_oldest_age_seconds'));
  const text = `${count(total, 'query')} ${total === 1 ? 'waits' : 'wait'} for a place${forHowLong(oldest)}`;
  if (latest.reported.length === 0) return gaps(latest);
  return [total === 0 ? say('plain', 'None waits for a place') : say('warning', text), ...gaps(latest)];
}

function forHowLong(oldest: Found | undefined): string {
  if (oldest === undefined || oldest.value < 1) return '';
  return `, the oldest for ${formatElapsed(oldest.value * 1000)} on ${oldest.node}${inGraph(oldest.graph)}`;
}

function inGraph(graph: string): string {
  return graph === '' ? '' : ` in graph ${short(graph, 100)}`;
}

function valuesOf({ reported }: Latest, name: string): readonly Found[] {
  return reported.flatMap((one) =>
    Array.from(samplesOf(one, name), ({ labels: { graph = '', query = '' }, value }) => {
      return { node: one.node, graph, query, value };
    }),
  );
}

function sum(values: readonly { readonly value: number }[]): number {
  return values.reduce((total, { value }) => total + value, 0);
}

function highest(values: readonly Found[]): Found | undefined {
  return values.reduce<Found | undefined>((most, one) => (one.value > (most?.value ?? 0) ? one : most), undefined);
}
