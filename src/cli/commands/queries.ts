import { type CollectorReport, collectorSchema } from '../../api/clusters.ts';
import { type Page, pageSchema } from '../../api/fields.ts';
import { type QueryReport, querySchema } from '../../api/queries.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import type { Command, CommandInput } from '../command.ts';
import { type DaemonApi, daemonFlags, fetchAllPages, fetchResponse, flagParameters } from '../daemon-api.ts';
import { formatClock, formatTable, type Terminal } from '../table.ts';
import { printDaemonView, viewFlags } from '../view.ts';

/** Collectors that poll the query lists. */
const listCollectors = ['queries', 'delayed_queries'];
const pageLimit = 1000;

/** Lists the queries on all nodes. */
export const queries: Command = {
  flags: [
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'node', value: 'NAME', about: 'only this node' },
    { name: 'graph', value: 'NAME', about: 'only this graph' },
    { name: 'query', value: 'NAME', about: 'only this query' },
    ...viewFlags(),
    ...daemonFlags,
  ],
  details:
    'Oldest first. AGE is how long the query had been running or delayed when the list of its node was polled; LEFT ' +
    'is the remaining time until its granted timeout; POLICY is the guard policy that matches or will match the ' +
    'query, with the time of the abort or the reason that delays it.',
  examples: ['queries', 'queries --watch --cluster prod', 'queries --node m2 --json'],
  run: (given, ports) =>
    printDaemonView(given, ports, {
      load: (api) => fetchQueries(given, api),
      text: screenText,
      json: ({ items }) => items,
      footnote: ({ missing }) => footnote(missing),
    }),
};

/** Queries that the daemon knows, and the lists that it could not poll: without them the page is incomplete. */
interface QueryListing extends Page<QueryReport> {
  readonly missing: readonly string[];
  /** Whether at least one list of running queries is current. */
  readonly isKnown: boolean;
}

function screenText({ items, total, missing, isKnown }: QueryListing, terminal: Terminal): string {
  if (!isKnown && total === 0) return 'queries unknown: no query list is current\n';
  const count = (state: string): number => items.filter((item) => item.state === state).length;
  const where = missing.length === 0 ? '' : ' in the current lists';
  return `${count('running')} running, ${count('delayed')} delayed${where}\n\n${queryTable(items, total, terminal)}`;
}

function footnote(missing: readonly string[]): string {
  return missing.length === 0 ? '' : `no data: ${missing.map(replaceControlCharacters).join(', ')}\n`;
}

async function fetchQueries({ flags }: CommandInput, api: DaemonApi): Promise<Result<QueryListing, string>> {
  const query = new URLSearchParams([
    ['limit', String(pageLimit)],
    ...flagParameters(flags, ['cluster', 'node', 'graph', 'query']),
  ]);
  const path = `/api/v1/queries?${query.toString()}`;
  const page = await fetchResponse(api, { method: 'GET', path }, pageSchema(querySchema));
  if (!page.ok) return page;
  // All collectors: the daemon rejects the name of a collector that is not enabled.
  const where = flagParameters(flags, ['cluster', 'node']);
  const collectors = await fetchAllPages(api, '/api/v1/collectors', where, collectorSchema);
  if (!collectors.ok) return ok({ ...page.value, missing: [`collectors (${collectors.error})`], isKnown: false });
  const missing = listCollectors.flatMap((list) => missingLists(collectors.value, list));
  const isKnown = collectors.value.some(({ collector, state }) => collector === 'queries' && state === 'healthy');
  return ok({ ...page.value, missing, isKnown });
}

/**
 * Returns `m2 (queries: timeout)` for each list of the collector `list` without current data, so that an empty table does
 * not look as if no query runs; with the cluster if there are several.
 */
export function missingLists(collectors: readonly CollectorReport[], list: string): readonly string[] {
  const reports = collectors.filter(({ collector }) => collector === list);
  if (reports.length === 0) return [`${list} (not polled by this daemon)`];
  const manyClusters = hasManyClusters(reports);
  return reports.flatMap(({ cluster, node, collector, state, reason }) =>
    state === 'healthy'
      ? []
      : [`${manyClusters ? `${cluster}/${node}` : node} (${collector}: ${reason === '' ? 'not polled yet' : reason})`],
  );
}

function hasManyClusters(items: readonly { readonly cluster: string }[]): boolean {
  return new Set(items.map(({ cluster }) => cluster)).size > 1;
}

const queryHeader = ['AGE', 'LEFT', 'QUERY', 'NODE', 'ID', 'POLICY', 'STATE', 'GRAPH'];

/** Properties that are the same for all rows. */
interface QueryTableLayout {
  readonly manyClusters: boolean;
  /** Whether to print the column POLICY: the guard has policies. */
  readonly policies: boolean;
}

/** Queries as a table, oldest first, and the number of those beyond the page. */
export function queryTable(listed: readonly QueryReport[], total: number, terminal?: Terminal): string {
  if (total === 0) return 'no queries\n';
  const layout = {
    manyClusters: hasManyClusters(listed),
    policies: listed.some((query) => query.protected !== null),
  };
  const rows = listed.map((query) => queryRow(query, layout));
  const rest = total - listed.length;
  return (
    formatTable(
      [layout.policies ? queryHeader : queryHeader.filter((title) => title !== 'POLICY'), ...rows],
      terminal,
    ) + (rest > 0 ? `and ${rest} more\n` : '')
  );
}

function queryRow(query: QueryReport, { manyClusters, policies }: QueryTableLayout): readonly string[] {
  const { ageSeconds, remainingSeconds, state, overdue, cluster, node, graph, id } = query;
  return [
    formatClock(ageSeconds),
    overdue ? 'overdue' : formatClock(remainingSeconds),
    query.query,
    manyClusters ? `${cluster}/${node}` : node,
    id,
    ...(policies ? [formatPolicy(query)] : []),
    state,
    graph,
  ].map(replaceControlCharacters);
}

/** Policy that matches, and when it aborts the query or what delays the abort. */
function formatPolicy(query: QueryReport): string {
  const { policy, mode, held, heldUntil, earliestAbortAt, asOf } = query;
  if (policy === null) return query.protected === true ? 'protected' : '';
  const wait = (until: string | null) => Math.max(0, (Date.parse(until ?? asOf) - Date.parse(asOf)) / 1000);
  if (held !== null) {
    const rest = heldUntil === null ? '' : `, ${formatClock(wait(heldUntil))}`;
    return `${policy}: held: ${held.replaceAll('_', ' ')}${rest}`;
  }
  const verb = mode === 'enforce' ? 'abort' : 'would abort';
  return `${policy}: ${verb} in ${formatClock(wait(earliestAbortAt))}`;
}
