import { pageSchema } from '../../api/fields.ts';
import { type AuditEntry, auditEntrySchema } from '../../api/guard-audit.ts';
import { parseAbort, parseExclusion } from '../../guard/storage/abort-rows.ts';
import { tables } from '../../guard/storage/columns.ts';
import { parseAction } from '../../guard/storage/operator-action-rows.ts';
import type { OutgoingReply } from '../../kernel/listener.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Row, StoreCondition, StoreReader } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { evidenceSuffix } from '../guard/recording-files.ts';
import { historyErrors } from './admission.ts';
import { type KnownValues, unknownValue } from './known-values.ts';
import { listErrors, pagingParameters, parsePage } from './paging.ts';
import { filterParameters, rowConditions, timeRangeParameters } from './query-parameters.ts';
import { jsonReply, problemReply } from './reply.ts';
import type { Route } from './routes.ts';

/** Inputs of the route of the audit log. */
export interface AuditRouteDependencies {
  readonly history: StoreReader;
  readonly known?: KnownValues;
  readonly now: () => Instant;
  /** Returns the names of the files with the lists around aborts. */
  readonly evidence: () => Promise<readonly string[]>;
}

/** Part of the audit log, the latest entry first. */
export interface AuditPage {
  readonly items: readonly AuditEntry[];
  /** Number of entries without paging. */
  readonly total: number;
}

/** Columns of the stored audit log, by query parameter. */
export const auditColumns: Readonly<Record<string, string>> = { cluster: 'cluster', node: 'node', policy: 'policy' };

/** Returns the route of the audit log. */
export function guardAuditRoute(dependencies: AuditRouteDependencies): Route {
  return {
    method: 'GET',
    path: '/api/v1/guard/audit',
    admission: 'history',
    about: 'Lists the aborts with their evidence and outcome, and the operator actions, the latest first.',
    parameters: [
      ...filterParameters(Object.keys(auditColumns), auditEntrySchema),
      ...timeRangeParameters,
      ...pagingParameters,
    ],
    response: { type: 'application/json', schema: pageSchema(auditEntrySchema) },
    errorResponses: { ...listErrors, ...historyErrors },
    handle: ({ query }) => listAudit(dependencies, query),
  };
}

/** Page of the audit log, and the names of the files with the lists around aborts. */
interface AuditPageOptions {
  readonly limit?: number;
  readonly offset?: number;
  readonly evidence: readonly string[];
}

/** Reads the audit log from the store; `limit` and `offset` count rows. Errors are sentences. */
export async function queryAudit(
  store: StoreReader,
  where: readonly StoreCondition[],
  { evidence, ...page }: AuditPageOptions,
): Promise<Result<AuditPage, string>> {
  const selection = { table: tables.audit, where };
  const order = ['-at', 'cluster', 'key'];
  const [total, rows] = await Promise.all([store.count(selection), store.find({ ...selection, order, ...page })]);
  if (!total.ok) return total;
  return rows.ok
    ? ok({ items: rows.value.flatMap((row) => toAuditEntry(row, evidence) ?? []), total: total.value })
    : rows;
}

async function listAudit(
  { history, known = {}, now, evidence }: AuditRouteDependencies,
  query: URLSearchParams,
): Promise<OutgoingReply> {
  const page = parsePage(query);
  if (!page.ok) return problemReply(400, page.error);
  const where = rowConditions(query, auditColumns, now().wall);
  if (!where.ok) return problemReply(400, where.error);
  const found = await queryAudit(history, where.value, { ...page.value, evidence: await evidence() });
  if (!found.ok) return problemReply(503, found.error);
  const problem = found.value.total === 0 ? unknownValue(query, known) : undefined;
  return problem === undefined ? jsonReply({ ...found.value, ...page.value }) : problemReply(400, problem);
}

const emptyEntry: Omit<AuditEntry, 'kind' | 'at' | 'cluster'> = {
  node: '',
  id: '',
  graph: '',
  query: '',
  policy: '',
  policyHash: '',
  by: '',
  reason: '',
  action: '',
  subject: '',
  ageSeconds: null,
  grantedTimeoutSeconds: null,
  matchedAt: null,
  earliestAbortAt: null,
  firstSeenAt: null,
  lastSeenAt: null,
  pressures: {},
  notify: [],
  outcome: '',
  endedAt: null,
  skipReason: '',
  replayCommand: '',
  damaged: false,
};

/** Returns the audit entry of a stored row; undefined if the row is unreadable. */
export function toAuditEntry(row: Row, evidence: readonly string[]): AuditEntry | undefined {
  if (row.kind === 'abort') {
    const entry = abortEntry(row) ?? damagedEntry(row);
    return entry && { ...entry, replayCommand: replayCommandFor(entry, evidence) };
  }
  const stored = parseAction(row);
  if (stored === undefined) return undefined;
  const { what: action, at, ...rest } = stored;
  return { ...emptyEntry, ...rest, kind: 'operator_action', at: formatTimestamp(at), action };
}

/** The same query may have several attempts, which the command replays together. */
function replayCommandFor({ id }: AuditEntry, evidence: readonly string[]): string {
  const isKept = id !== '' && evidence.some((name) => name.endsWith(evidenceSuffix(id)));
  return isKept ? `graphwarden guard replay --abort ${id}` : '';
}

function abortEntry(row: Row): AuditEntry | undefined {
  const read = parseAbort(row);
  if (read === undefined) return undefined;
  const { cluster, at, node, id, graph, query, policy, policyHash, manual, notify, evidence } = read.intent;
  const { age, grantedTimeout, matchedAt, due, firstSeenAt, lastSeenAt, pressures } = evidence;
  const { outcome = '', at: endedAt, skipReason = '' } = read.ended ?? {};
  return {
    ...emptyEntry,
    ...manual,
    kind: 'abort',
    at: formatTimestamp(at),
    cluster,
    node,
    id,
    graph,
    query,
    policy,
    policyHash,
    notify,
    pressures,
    ageSeconds: age.least / 1000,
    grantedTimeoutSeconds: grantedTimeout === undefined ? null : grantedTimeout / 1000,
    matchedAt: formatTimestamp(matchedAt),
    earliestAbortAt: formatTimestamp(due),
    firstSeenAt: formatTimestamp(firstSeenAt),
    lastSeenAt: formatTimestamp(lastSeenAt),
    outcome,
    skipReason,
    endedAt: endedAt === undefined ? null : formatTimestamp(endedAt),
  };
}

/** A damaged row still excludes its query from further aborts: the audit log has to show it. */
function damagedEntry(row: Row): AuditEntry | undefined {
  const exclusion = parseExclusion(row);
  if (exclusion === undefined) return undefined;
  const { startTime: _, at, outcome = '', ...rest } = exclusion;
  const cluster = typeof row.cluster === 'string' ? row.cluster : '';
  return { ...emptyEntry, ...rest, kind: 'abort', cluster, at: formatTimestamp(at), outcome, damaged: true };
}
