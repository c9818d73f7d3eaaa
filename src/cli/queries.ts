import { err, ok, type Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import { printable } from './aligned.ts';
import { type Command, type ExitCode, exitCode, type Given } from './command.ts';
import { type DaemonApi, daemonFlags, openDaemonApi } from './daemon-api.ts';
import type { CliPorts } from './ports.ts';
import { queryTable } from './query-table.ts';
import { type QueryPage, readMissing, readQueries } from './read-queries.ts';
import { stopRequest } from './stop-request.ts';

/** The collectors that read the lists. */
const lists = ['queries', 'delayed_queries'];
const most = 1000;
const between: Millis = 2000;
/** Puts the cursor home and clears what is below it. */
const wipe = '\u001B[H\u001B[J';

/** What runs and waits on all nodes, for somebody who looks for the one that hurts. */
export const queries: Command = {
  name: 'queries',
  about: 'show the queries that run and wait on all nodes',
  flags: [
    { name: 'watch', about: `look again every ${between / 1000} s until Ctrl-C` },
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'node', value: 'NAME', about: 'only this node' },
    { name: 'graph', value: 'NAME', about: 'only this graph' },
    { name: 'query', value: 'NAME', about: 'only this query' },
    { name: 'json', about: 'print a JSON array; with --watch one a line' },
    ...daemonFlags,
  ],
  details:
    'The oldest comes first. AGE is how long a query had run, or waited, when the list of its node was read;\nLEFT is what is left of the time-out that its client was granted; POLICY is the one of the guard that matches it, or\nwill in that time; `guard status` says whether it aborts.',
  run: async (given, ports) => {
    const api = await openDaemonApi(given, ports);
    if (!api.ok) return fail(api.error, ports);
    const exit = 'watch' in given.flags ? await watch(given, api.value, ports) : await once(given, api.value, ports);
    await api.value.close();
    return exit;
  },
};

/** What the daemon knows, and which lists it could not get: without them it does not know all. */
interface Found extends QueryPage {
  readonly missing: readonly string[];
}

async function once(given: Given, api: DaemonApi, ports: CliPorts): Promise<ExitCode> {
  const found = await find(given, api);
  if (!found.ok) return fail(found.error, ports);
  const { items, total, missing } = found.value;
  const isJson = 'json' in given.flags;
  ports.stdout.write(isJson ? `${JSON.stringify(items, undefined, 2)}\n` : queryTable(items, total));
  (isJson ? ports.stderr : ports.stdout).write(footnote(missing));
  return exitCode.ok;
}

/** A daemon that does not answer for a while is no reason to end: it may be restarting. That nobody looks on is one. */
async function watch(given: Given, api: DaemonApi, { stdout, clock, signals }: CliPorts): Promise<ExitCode> {
  const stop = stopRequest(signals);
  while (!stop.asked.aborted && !stdout.closed) {
    const found = await find(given, api);
    const now = `${new Date(clock.now().wall).toISOString().slice(11, 19)}Z`;
    if ('json' in given.flags) stdout.write(found.ok ? `${JSON.stringify(found.value.items)}\n` : '');
    else stdout.write((stdout.terminal ? wipe : '\n') + inWords(found, now));
    await clock.sleep(between, stop.asked);
  }
  stop.release();
  return exitCode.ok;
}

function inWords(found: Result<Found, string>, now: string): string {
  if (!found.ok) return `${now}  ${found.error}\n`;
  const { items, total, missing } = found.value;
  const count = (state: string): number => items.filter((item) => item.state === state).length;
  return `${now}  ${count('running')} running, ${count('delayed')} delayed\n\n${queryTable(items, total)}${footnote(missing)}`;
}

function footnote(missing: readonly string[]): string {
  return missing.length === 0 ? '' : `not known: ${missing.map(printable).join(', ')}\n`;
}

async function find({ flags }: Given, api: DaemonApi): Promise<Result<Found, string>> {
  const query = asked(['cluster', 'node', 'graph', 'query'], flags);
  const answer = await api.call({ method: 'GET', path: `/api/v1/queries?${query.toString()}` });
  if (!answer.ok) return answer;
  const page = readQueries(answer.value);
  if (page === undefined) return err('the answer is no page of queries');
  const missing = await Promise.all(lists.map((list) => missingOf(list, asked(['cluster', 'node'], flags), api)));
  return ok({ ...page, missing: missing.flat() });
}

function asked(names: readonly string[], flags: Given['flags']): URLSearchParams {
  const query = new URLSearchParams({ limit: String(most) });
  for (const name of names) {
    const value = flags[name];
    if (value !== undefined) query.set(name, value);
  }
  return query;
}

/** A list that nobody reads, be it for a mistyped name, shows nothing, which must not look as if nothing ran. */
async function missingOf(collector: string, where: URLSearchParams, api: DaemonApi): Promise<readonly string[]> {
  where.set('collector', collector);
  const answer = await api.call({ method: 'GET', path: `/api/v1/collectors?${where.toString()}` });
  return answer.ok ? readMissing(answer.value, collector) : [`${collector} (${answer.error})`];
}

function fail(reason: string, { stderr }: CliPorts): ExitCode {
  stderr.write(`graphwarden: ${reason}\n`);
  return exitCode.failed;
}
