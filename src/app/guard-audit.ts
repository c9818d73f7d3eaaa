import { abortOf, barOf } from '../guard/keeping/abort-rows.ts';
import { actOf } from '../guard/keeping/action-rows.ts';
import { tables } from '../guard/keeping/columns.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Condition, Row, Store } from '../kernel/store.ts';
import type { AbortOutcome } from '../model/guard.ts';
import { momentOf } from './timeline.ts';

/** One entry of the audit as the API and the terminal tell of it: an abort with its outcome, or what an operator did. */
export interface AuditReport {
  readonly kind: 'abort' | 'act';
  readonly at: string;
  /** `''` for an act that is about none or all. */
  readonly cluster: string;
  readonly node: string;
  /** The request id. */
  readonly id: string;
  readonly graph: string;
  readonly query: string;
  /** `''` where it was done by hand. */
  readonly policy: string;
  readonly policyHash: string;
  /** `''` where a policy did it. */
  readonly by: string;
  readonly reason: string;
  /** What an operator did, and to what; `''` for an abort. */
  readonly what: string;
  readonly subject: string;
  /** How long it had run when it was decided. */
  readonly ageSeconds: number | null;
  readonly grantedTimeoutSeconds: number | null;
  /** When all clauses of the policy held, and when it might be aborted at the earliest. */
  readonly matchedAt: string | null;
  readonly dueAt: string | null;
  /** When the first and the last list that had it were asked for. */
  readonly firstSeenAt: string | null;
  readonly lastSeenAt: string | null;
  /** The readings of the policy's gate. */
  readonly pressures: Readonly<Record<string, number>>;
  /** Receivers that the policy names. */
  readonly notify: readonly string[];
  /** `''` while it is open, and for an act. */
  readonly outcome: AbortOutcome | '';
  readonly endedAt: string | null;
  readonly doubt: string;
  /** The row is not as it was stored; what can still be read of it is here. */
  readonly damaged: boolean;
}

/** A part of the audit, the latest first. */
export interface AuditPage {
  readonly items: readonly AuditReport[];
  /** Without paging. */
  readonly total: number;
}

/** Query parameters that are compared with a column of the audit. */
export const auditColumns: readonly string[] = ['cluster', 'node', 'policy'];

/** The audit as a query asks for it: `limit` and `offset` count rows. Errors are sentences. */
export async function readAudit(
  store: Store,
  where: readonly Condition[],
  page: { readonly limit?: number; readonly offset?: number } = {},
): Promise<Result<AuditPage, string>> {
  const question = { table: tables.audit, where };
  const order = ['-at', 'cluster', 'key'];
  const [total, rows] = await Promise.all([store.count(question), store.find({ ...question, order, ...page })]);
  if (!total.ok) return total;
  return rows.ok ? ok({ items: rows.value.flatMap((row) => auditReport(row) ?? []), total: total.value }) : rows;
}

/** What the audit is asked for by a query; the error is a sentence. `limit` and `offset` are not its business. */
export function auditConditions(query: URLSearchParams, now: number): Result<readonly Condition[], string> {
  const conditions: Condition[] = [];
  for (const [name, value] of query) {
    if (name === 'limit' || name === 'offset') continue;
    const condition = conditionOf(name, value, now);
    if (!condition.ok) return condition;
    conditions.push(condition.value);
  }
  return ok(conditions);
}

function conditionOf(name: string, value: string, now: number): Result<Condition, string> {
  if (name === 'since' || name === 'until') {
    const moment = momentOf(name, value, now);
    return moment.ok ? ok({ column: 'at', is: name === 'since' ? '>=' : '<', value: moment.value }) : moment;
  }
  return auditColumns.includes(name)
    ? ok({ column: name, is: '=', value })
    : err(`There is no parameter '${name}' here.`);
}

const nothing: Omit<AuditReport, 'kind' | 'at' | 'cluster'> = {
  node: '',
  id: '',
  graph: '',
  query: '',
  policy: '',
  policyHash: '',
  by: '',
  reason: '',
  what: '',
  subject: '',
  ageSeconds: null,
  grantedTimeoutSeconds: null,
  matchedAt: null,
  dueAt: null,
  firstSeenAt: null,
  lastSeenAt: null,
  pressures: {},
  notify: [],
  outcome: '',
  endedAt: null,
  doubt: '',
  damaged: false,
};

/** Tells of a row of the audit; undefined for one that tells nothing. */
export function auditReport(row: Row): AuditReport | undefined {
  if (row.kind === 'abort') return abortReport(row) ?? damagedReport(row);
  const act = actOf(row);
  return act && { ...nothing, ...act, kind: 'act', at: iso(act.at) };
}

function abortReport(row: Row): AuditReport | undefined {
  const read = abortOf(row);
  if (read === undefined) return undefined;
  const { cluster, at, node, id, graph, query, policy, policyHash, manual, notify, evidence } = read.intent;
  const { age, grantedTimeout, matchedAt, due, firstSeenAt, lastSeenAt, pressures } = evidence;
  const { outcome = '', at: endedAt, doubt = '' } = read.ended ?? {};
  return {
    ...nothing,
    ...manual,
    kind: 'abort',
    at: iso(at),
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
    matchedAt: iso(matchedAt),
    dueAt: iso(due),
    firstSeenAt: iso(firstSeenAt),
    lastSeenAt: iso(lastSeenAt),
    outcome,
    doubt,
    endedAt: endedAt === undefined ? null : iso(endedAt),
  };
}

/** A row that is damaged still holds off a query: whoever reads the audit is to know. */
function damagedReport(row: Row): AuditReport | undefined {
  const bar = barOf(row);
  if (bar === undefined) return undefined;
  const { startTime: _, at, outcome, ...told } = bar;
  const cluster = typeof row.cluster === 'string' ? row.cluster : '';
  return { ...nothing, ...told, kind: 'abort', cluster, at: iso(at), outcome: outcome ?? '', damaged: true };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
