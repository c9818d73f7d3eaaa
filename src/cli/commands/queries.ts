import { type CollectorReport, collectorSchema } from '../../api/clusters.ts';
import { type Page, pageSchema } from '../../api/fields.ts';
import { type QueryReport, querySchema } from '../../api/queries.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import { formatTimeOfDay } from '../../kernel/timestamp.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import { type Command, type CommandInput, type ExitCode, exitCode } from '../command.ts';
import { type DaemonApi, daemonFlags, fetchResponse, flagParameters, openDaemonApi } from '../daemon-api.ts';
import type { CliPorts } from '../ports.ts';
import { formatJson, printError } from '../print.ts';
import { listenForStop } from '../signals.ts';
import { formatClock, formatTable, type Terminal } from '../table.ts';

/** Collectors that poll the query lists. */
const listCollectors = ['queries', 'delayed_queries'];
const pageLimit = 1000;
const refreshInterval: Millis = 2000;
/** Escape sequence that moves the cursor home and clears the screen. */
const clearScreen = '\u001B[H\u001B[J';

/** Lists the queries on all nodes. */
export const queries: Command = {
  flags: [
    { name: 'watch', about: `refresh every ${refreshInterval / 1000} s until Ctrl-C` },
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'node', value: 'NAME', about: 'only this node' },
    { name: 'graph', value: 'NAME', about: 'only this graph' },
    { name: 'query', value: 'NAME', about: 'only this query' },
    { name: 'json', about: 'print a JSON array; with --watch, one per line' },
    ...daemonFlags,
  ],
  details:
    'Oldest first. AGE is how long the query had been running or delayed when the list of its node was polled; LEFT is\n' +
    'the rest of the timeout that its client was granted; POLICY is the guard policy that matches it or will match it, and\n' +
    'when it aborts the query, or what holds the abort.',
  examples: ['queries', 'queries --watch --cluster prod', 'queries --node m2 --json'],
  run: async (given, ports) => {
    const api = await openDaemonApi(given, ports);
    if (!api.ok) return printError(api.error, ports);
    const exit =
      'watch' in given.flags ? await watchQueries(given, api.value, ports) : await printOnce(given, api.value, ports);
    await api.value.close();
    return exit;
  },
};

/** Queries that the daemon knows, and the lists that it could not poll: without them the page is incomplete. */
interface QueryListing extends Page<QueryReport> {
  readonly missing: readonly string[];
}

async function printOnce(given: CommandInput, api: DaemonApi, ports: CliPorts): Promise<ExitCode> {
  const found = await fetchQueries(given, api);
  if (!found.ok) return printError(found.error, ports);
  const { items, total, missing } = found.value;
  const isJson = 'json' in given.flags;
  ports.stdout.write(isJson ? formatJson(items) : queryTable(items, total, ports.stdout));
  (isJson ? ports.stderr : ports.stdout).write(footnote(missing));
  return exitCode.ok;
}

/** Refreshes until Ctrl-C or until the reader closes the pipe. A daemon that does not respond may be restarting. */
async function watchQueries(
  given: CommandInput,
  api: DaemonApi,
  { stdout, clock, signals }: CliPorts,
): Promise<ExitCode> {
  const stop = listenForStop(signals);
  while (!stop.requested.aborted && !stdout.isClosed) {
    const found = await fetchQueries(given, api);
    const now = `${formatTimeOfDay(clock.now().wall)}Z`;
    if ('json' in given.flags) stdout.write(found.ok ? `${JSON.stringify(found.value.items)}\n` : '');
    else stdout.write((stdout.isTerminal ? clearScreen : '\n') + formatScreen(found, now, stdout));
    await clock.sleep(refreshInterval, stop.requested);
  }
  stop.release();
  return exitCode.ok;
}

function formatScreen(found: Result<QueryListing, string>, now: string, terminal: Terminal): string {
  if (!found.ok) return `${now}  ${found.error}\n`;
  const { items, total, missing } = found.value;
  const count = (state: string): number => items.filter((item) => item.state === state).length;
  return `${now}  ${count('running')} running, ${count('delayed')} delayed\n\n${queryTable(items, total, terminal)}${footnote(missing)}`;
}

function footnote(missing: readonly string[]): string {
  return missing.length === 0 ? '' : `no data: ${missing.map(replaceControlCharacters).join(', ')}\n`;
}

async function fetchQueries({ flags }: CommandInput, api: DaemonApi): Promise<Result<QueryListing, string>> {
  const query = queryParameters(['cluster', 'node', 'graph', 'query'], flags);
  const path = `/api/v1/queries?${query.toString()}`;
  const page = await fetchResponse(api, { method: 'GET', path }, pageSchema(querySchema));
  if (!page.ok) return page;
  const missing = await Promise.all(
    listCollectors.map((list) => fetchMissingLists(list, queryParameters(['cluster', 'node'], flags), api)),
  );
  return ok({ ...page.value, missing: missing.flat() });
}

function queryParameters(names: readonly string[], flags: CommandInput['flags']): URLSearchParams {
  return new URLSearchParams([['limit', String(pageLimit)], ...flagParameters(flags, names)]);
}

/** Lists without current data: an empty table must not look as if no query runs. */
async function fetchMissingLists(
  collector: string,
  where: URLSearchParams,
  api: DaemonApi,
): Promise<readonly string[]> {
  where.set('collector', collector);
  const path = `/api/v1/collectors?${where.toString()}`;
  const page = await fetchResponse(api, { method: 'GET', path }, pageSchema(collectorSchema));
  return page.ok ? missingLists(page.value.items, collector) : [`${collector} (${page.error})`];
}

/** Returns `m2 (queries: timeout)` for each list without current data, from the reports of the collector `list`. */
export function missingLists(reports: readonly CollectorReport[], list: string): readonly string[] {
  if (reports.length === 0) return [`${list} (not polled by this daemon)`];
  return reports.flatMap(({ node, collector, state, reason }) =>
    state === 'healthy' ? [] : [`${node} (${collector}: ${reason === '' ? 'not polled yet' : reason})`],
  );
}

const queryHeader = ['AGE', 'LEFT', 'STATE', 'NODE', 'GRAPH', 'QUERY', 'ID'];

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
    manyClusters: new Set(listed.map(({ cluster }) => cluster)).size > 1,
    policies: listed.some((query) => query.protected !== null),
  };
  const rows = listed.map((query) => queryRow(query, layout));
  const rest = total - listed.length;
  return (
    formatTable([layout.policies ? queryHeader.toSpliced(-1, 0, 'POLICY') : queryHeader, ...rows], terminal) +
    (rest > 0 ? `and ${rest} more\n` : '')
  );
}

function queryRow(query: QueryReport, { manyClusters, policies }: QueryTableLayout): readonly string[] {
  const { ageSeconds, remainingSeconds, state, overdue, cluster, node, graph, id } = query;
  return [
    formatClock(ageSeconds),
    overdue ? 'overdue' : formatClock(remainingSeconds),
    state,
    manyClusters ? `${cluster}/${node}` : node,
    graph,
    query.query,
    ...(policies ? [formatPolicy(query)] : []),
    id,
  ].map(replaceControlCharacters);
}

/** Policy that matches, and when it aborts the query or what holds the abort. */
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
