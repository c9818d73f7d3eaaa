import { type TransitionReport, transitionSchema } from '../../api/services.ts';
import { parseTimestamp, rowConditions } from '../../app/api/query-parameters.ts';
import { reportTransition, transitionColumns } from '../../app/api/service-routes.ts';
import { formatElapsed } from '../../kernel/duration.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { unobserved } from '../../model/transition.ts';
import { parseTransition, tables } from '../../track/rows.ts';
import { type Command, type CommandInput, exitCode, UsageError } from '../command.ts';
import { daemonFlags, fetchAllPages, openDaemonApi, withoutDuplicates } from '../daemon-api.ts';
import type { CliPorts } from '../ports.ts';
import { formatJson, printError } from '../print.ts';
import { formatTable, formatTimeCell, replaceControlCharacters, type Terminal } from '../table.ts';

const defaultSince = '24h';

/** Lists the status transitions of services. */
export const transitions: Command = {
  flags: [
    {
      name: 'since',
      value: 'TIME',
      about: `age such as 2d, or a time such as 2026-01-31T12:00:00Z (default: ${defaultSince})`,
    },
    { name: 'service', value: 'NAME', about: 'only this service, such as GPE' },
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'json', about: 'print a JSON array' },
    ...daemonFlags,
    { name: 'state-dir', value: 'DIR', about: 'read the state of a stopped daemon' },
  ],
  details: 'Oldest first, times in UTC.',
  examples: ['transitions', 'transitions --since 7d --service GPE', 'transitions --state-dir state --json'],
  run: async (given, ports) => {
    const found = await loadTransitions(given, ports);
    if (!found.ok) return printError(found.error, ports);
    // Transitions of the same time keep the order of names.
    const oldestFirst = found.value.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
    ports.stdout.write('json' in given.flags ? formatJson(oldestFirst) : transitionTable(oldestFirst, ports.stdout));
    return exitCode.ok;
  },
};

type TransitionList = Result<readonly TransitionReport[], string>;

async function loadTransitions(given: CommandInput, ports: CliPorts): Promise<TransitionList> {
  const { 'state-dir': folder, url } = given.flags;
  if (folder !== undefined && url !== undefined) throw new UsageError('--state-dir and --url are mutually exclusive');
  const query = transitionQuery(given, ports);
  return folder === undefined ? await fetchFromDaemon(query, given, ports) : await readStateDir(folder, query, ports);
}

function transitionQuery({ flags }: CommandInput, { clock }: CliPorts): URLSearchParams {
  const { since = defaultSince, service, cluster } = flags;
  const moment = parseTimestamp('--since', since, clock.now().wall);
  if (!moment.ok) throw new UsageError(moment.error);
  const query = new URLSearchParams({ since });
  if (service !== undefined) query.set('service', service);
  if (cluster !== undefined) query.set('cluster', cluster);
  return query;
}

async function readStateDir(
  folder: string,
  query: URLSearchParams,
  { clock, loadRuntime }: CliPorts,
): Promise<TransitionList> {
  const where = rowConditions(query, transitionColumns, clock.now().wall);
  if (!where.ok) return where;
  const store = await (await loadRuntime()).openStoreReadOnly(folder);
  if (!store.ok) return store;
  const order = ['-at', 'cluster', 'service', 'partition', 'replica'];
  const rows = await store.value.find({ table: tables.transitions, where: where.value, order });
  await store.value.close();
  if (!rows.ok) return rows;
  return ok(rows.value.flatMap((row) => parseTransition(row) ?? []).map(reportTransition));
}

async function fetchFromDaemon(query: URLSearchParams, given: CommandInput, ports: CliPorts): Promise<TransitionList> {
  const api = await openDaemonApi(given, ports);
  if (!api.ok) return api;
  const found = await fetchAllPages(api.value, '/api/v1/transitions', query, transitionSchema);
  await api.value.close();
  return found.ok ? ok(withoutDuplicates(found.value)) : found;
}

/** Replicas that a row names if many have the same transition at the same time. */
const maxNamedInstances = 3;

/** Transitions as a table, with one row for equal transitions of several replicas at the same time. */
export function transitionTable(reports: readonly TransitionReport[], terminal?: Terminal): string {
  if (reports.length === 0) return 'no transitions\n';
  const lines = [...Map.groupBy(reports, groupKey).values()].map(transitionRow);
  return formatTable([['TIME', 'CLUSTER', 'SERVICE', 'FROM', 'TO', 'AFTER', 'SOURCE'], ...lines], terminal);
}

/** Name of a replica in the notation of the server. */
function instanceName({ service, partition, replica }: TransitionReport): string {
  return `${service}${partition === '' ? '' : `_${partition}`}${replica === '' ? '' : `#${replica}`}`;
}

/** Key of transitions that share a row: when a cluster becomes unreachable, all replicas change at once. */
function groupKey({ at, cluster, from, to, source }: TransitionReport): string {
  return JSON.stringify([at, cluster, from, to, source]);
}

function transitionRow(group: readonly TransitionReport[]): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { at, cluster, from, to, source, lastedSeconds } = first;
  const isSame = group.every((report) => report.lastedSeconds === lastedSeconds);
  return [
    formatTimeCell(at),
    cluster,
    joinInstances(group.map(instanceName)),
    from === '' ? '(new)' : from,
    to === '' ? '(forgotten)' : to,
    isSame && lastedSeconds !== null ? formatElapsed(lastedSeconds * 1000) : '',
    to === unobserved ? '' : source,
  ].map(replaceControlCharacters);
}

function joinInstances(instances: readonly string[]): string {
  const more = instances.length - maxNamedInstances;
  return more <= 1 ? instances.join(', ') : `${instances.slice(0, maxNamedInstances).join(', ')} and ${more} more`;
}
