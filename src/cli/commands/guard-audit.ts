import { type AuditEntry, auditEntrySchema } from '../../api/guard-audit.ts';
import { auditColumns, queryAudit } from '../../app/api/guard-audit-route.ts';
import { parseTimestamp, rowConditions } from '../../app/api/query-parameters.ts';
import { formatElapsed } from '../../kernel/duration.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { type Command, type CommandInput, exitCode, UsageError } from '../command.ts';
import { daemonFlags, fetchAllPages, openDaemonApi, withoutDuplicates } from '../daemon-api.ts';
import type { CliPorts } from '../ports.ts';
import { formatJson, printError } from '../print.ts';
import { formatTable, formatTimeCell, replaceControlCharacters, type Terminal } from '../table.ts';

const defaultSince = '7d';
const filterFlags = ['policy', 'cluster', 'node'] as const;

/** Lists what the guard and operators did. */
export const guardAudit: Command = {
  flags: [
    {
      name: 'since',
      value: 'TIME',
      about: `age such as 2d, or a time such as 2026-01-31T12:00:00Z (default: ${defaultSince})`,
    },
    { name: 'policy', value: 'NAME', about: 'only aborts of this policy' },
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'node', value: 'NAME', about: 'only this node' },
    { name: 'json', about: 'print a JSON array with all evidence' },
    ...daemonFlags,
    { name: 'state-dir', value: 'DIR', about: 'read the state of a stopped daemon' },
  ],
  details: 'Oldest first, times in UTC. AGE is the age of the query when the guard decided to abort it.',
  examples: ['guard audit', 'guard audit --since 2d --policy runaway', 'guard audit --state-dir state --json'],
  run: async (given, ports) => {
    const found = await loadEntries(given, ports);
    if (!found.ok) return printError(found.error, ports);
    const oldestFirst = found.value.toReversed();
    ports.stdout.write('json' in given.flags ? formatJson(oldestFirst) : auditTable(oldestFirst, ports.stdout));
    return exitCode.ok;
  },
};

type AuditEntries = Result<readonly AuditEntry[], string>;

async function loadEntries(given: CommandInput, ports: CliPorts): Promise<AuditEntries> {
  const { 'state-dir': folder, url } = given.flags;
  if (folder !== undefined && url !== undefined) throw new UsageError('--state-dir and --url are mutually exclusive');
  const query = auditQuery(given, ports);
  if (folder !== undefined) return await readStateDir(folder, query, ports);
  const api = await openDaemonApi(given, ports);
  if (!api.ok) return api;
  const found = await fetchAllPages(api.value, '/api/v1/guard/audit', query, auditEntrySchema);
  await api.value.close();
  return found.ok ? ok(withoutDuplicates(found.value)) : found;
}

/** Filters of the request. `since` is resolved once, so that all pages start at the same time. */
function auditQuery({ flags }: CommandInput, { clock }: CliPorts): URLSearchParams {
  const since = parseTimestamp('--since', flags.since ?? defaultSince, clock.now().wall);
  if (!since.ok) throw new UsageError(since.error);
  const query = new URLSearchParams({ since: formatTimestamp(since.value) });
  for (const name of filterFlags) {
    const value = flags[name];
    if (value !== undefined) query.set(name, value);
  }
  return query;
}

async function readStateDir(
  folder: string,
  query: URLSearchParams,
  { clock, loadRuntime }: CliPorts,
): Promise<AuditEntries> {
  const where = rowConditions(query, auditColumns, clock.now().wall);
  if (!where.ok) return where;
  const store = await (await loadRuntime()).openStoreReadOnly(folder);
  if (!store.ok) return store;
  const page = await queryAudit(store.value, where.value);
  await store.value.close();
  return page.ok ? ok(page.value.items) : page;
}

const auditHeader = ['TIME', 'WHERE', 'WHAT', 'WHY', 'AGE', 'OUTCOME', 'SKIP REASON'];

/** Audit entries as a table, in the given order. */
export function auditTable(entries: readonly AuditEntry[], terminal?: Terminal): string {
  return entries.length === 0 ? 'no audit entries\n' : formatTable([auditHeader, ...entries.map(auditRow)], terminal);
}

function auditRow(entry: AuditEntry): readonly string[] {
  const { kind, at, cluster, node, ageSeconds, outcome, skipReason, damaged } = entry;
  return [
    formatTimeCell(at),
    node === '' ? cluster : `${cluster}/${node}`,
    kind === 'operator_action' ? `${entry.action} ${entry.subject}`.trimEnd() : `${entry.query} on ${entry.graph}`,
    formatAuditReason(entry),
    ageSeconds === null ? '' : formatElapsed(ageSeconds * 1000),
    kind === 'abort' && outcome === '' ? '(open)' : outcome,
    damaged ? 'damaged row' : skipReason,
  ].map(replaceControlCharacters);
}

function formatAuditReason({ policy, by, reason }: AuditEntry): string {
  if (by === '') return policy;
  return reason === '' ? `by ${by}` : `by ${by}: ${reason}`;
}
