import { z } from 'zod';
import { isGraphName, parseRequestId } from '../../graphdb/query-identity.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Row, Store, StoreChange, StoreCondition } from '../../kernel/store.ts';
import type { Digest } from '../../kernel/system.ts';
import { type AbortOutcome, type AbortView, abortOutcomes } from '../../model/guard.ts';
import type { StoredIntent } from '../decision/input.ts';
import type { Intent } from '../decision/output.ts';
import type { Policy } from '../policy.ts';
import { jsonColumn, shortText, skipReasonColumn, tables, timestamp, toSingleLine } from './columns.ts';

/** Intent as stored in the audit. */
export interface StoredAbort extends Intent {
  readonly mode: 'enforce' | 'manual';
  /** Hash of the policy at that time; `''` for a manual abort. */
  readonly policyHash: string;
  readonly notify: readonly string[];
}

/** Outcome of an intent as stored in the audit. */
export interface StoredOutcome {
  readonly outcome: AbortOutcome;
  /** ms since the epoch. */
  readonly at: number;
  /** Reason of a withdrawn or returned intent. */
  readonly skipReason?: string;
}

const maxLengths = { by: 256, reason: 1000 };

const length = z.number().min(0).max(8.64e15);
const name = z.string().refine(isGraphName);
const outcome = z.enum(abortOutcomes);

const evidence = z
  .object({
    age: z.object({ least: z.number(), most: z.number() }),
    grantedTimeout: length.optional(),
    matchedAt: timestamp,
    due: timestamp,
    firstSeenAt: timestamp,
    lastSeenAt: timestamp,
    pressures: z.record(z.string(), z.number()),
  })
  .transform(({ grantedTimeout, ...rest }) => ({
    ...rest,
    ...(grantedTimeout === undefined ? {} : { grantedTimeout }),
  }));

const abortRow = z.object({
  cluster: z.string().min(1),
  key: z.string(),
  node: z.string().min(1),
  id: z.string().refine((id) => parseRequestId(id) !== undefined),
  start_time: z.string().regex(/^[\d :.T-]{1,40}$/),
  graph: name,
  query: name,
  policy: z.string().regex(/^(?:[A-Za-z0-9][\w.-]{0,62})?$/),
  policy_hash: z.string().regex(/^[\da-f]{0,64}$/),
  manual_by: shortText(maxLengths.by).nullable(),
  manual_reason: shortText(maxLengths.reason).nullable(),
  mode: z.enum(['enforce', 'manual']),
  at: timestamp,
  evidence: jsonColumn(evidence),
  notify: jsonColumn(z.array(z.string().min(1))),
  ended_at: timestamp.nullish(),
  outcome: outcome.nullish(),
  [skipReasonColumn]: shortText(64).nullish(),
});

/** Adds the row of an intent. */
export function intentChange(intent: StoredAbort): StoreChange {
  const { cluster, key, node, id, startTime, graph, query, policy, policyHash: hash, manual, mode, at } = intent;
  const reported = { evidence: JSON.stringify(intent.evidence), notify: JSON.stringify(intent.notify) };
  const by = {
    manual_by: manual === undefined ? null : toSingleLine(manual.by, maxLengths.by),
    manual_reason: manual === undefined ? null : toSingleLine(manual.reason, maxLengths.reason),
  };
  const target = { node, id, start_time: startTime, graph, query };
  return {
    table: tables.intents,
    put: { cluster, key, ...target, policy, policy_hash: hash, ...by, mode, at, ...reported },
  };
}

/** Adds the row of an outcome. */
export function outcomeChange(
  { cluster, key }: Pick<StoredAbort, 'cluster' | 'key'>,
  { outcome: text, at, skipReason }: StoredOutcome,
): StoreChange {
  return { table: tables.outcomes, put: { cluster, key, at, outcome: text, [skipReasonColumn]: skipReason ?? null } };
}

/** Parses an intent and its outcome, if it is known; undefined for an invalid row. */
export function parseAbort(row: Row): { readonly intent: StoredAbort; readonly ended?: StoredOutcome } | undefined {
  const read = abortRow.safeParse(row);
  if (!read.success || !hasMatchingKey(read.data)) return undefined;
  const { start_time: startTime, policy_hash: hash, manual_by, manual_reason, ...rest } = read.data;
  const { ended_at: endedAt, outcome: text, [skipReasonColumn]: skipReason, ...reported } = rest;
  const manual = manual_by === null ? {} : { manual: { by: manual_by, reason: manual_reason ?? '' } };
  const intent = { ...reported, startTime, policyHash: hash, ...manual };
  if (typeof text !== 'string' || typeof endedAt !== 'number') return { intent };
  return {
    intent,
    ended: { outcome: text, at: endedAt, ...(typeof skipReason === 'string' && { skipReason }) },
  };
}

/** Returns an abort as alert rules and the API show it. */
export function toAbortView({ intent, ended }: NonNullable<ReturnType<typeof parseAbort>>): AbortView {
  const { key, node, id, graph, query, policy, manual, notify, at, evidence: known } = intent;
  return {
    key,
    node,
    id,
    graph,
    query,
    policy,
    notify,
    at,
    ...(manual && { manual }),
    age: known.age.least,
    ...(known.grantedTimeout !== undefined && { grantedTimeout: known.grantedTimeout }),
    ...(Object.keys(known.pressures).length > 0 && { gated: true }),
    ...(ended && { outcome: ended.outcome, endedAt: ended.at }),
  };
}

/** A further intent of an entry that had one has the time of its decision at the end of its key. */
const abortKey = z.tuple([z.string(), z.string(), z.string()]).rest(z.number());

function hasMatchingKey({ key, node, id, start_time }: z.infer<typeof abortRow>): boolean {
  const { data } = jsonColumn(abortKey).safeParse(key);
  return data?.[0] === node && data[1] === id && data[2] === start_time;
}

const exclusionRow = z.object({
  key: z.string().catch(''),
  node: z.string().catch(''),
  id: z.string().catch(''),
  start_time: z.string().catch(''),
  graph: z.string().catch(''),
  query: z.string().catch(''),
  policy: z.string().catch(''),
  // An invalid row counts as spent now, and its query as running.
  at: timestamp.catch(8.64e15),
  outcome: outcome.nullish().catch('unknown'),
  [skipReasonColumn]: z.string().nullish().catch(null),
});

/**
 * Parses the exclusion of a query from a row, even if other columns are invalid; undefined if the row names no query.
 */
export function parseExclusion(row: Row): StoredIntent | undefined {
  const { outcome: text, start_time, [skipReasonColumn]: skipReason, ...rest } = exclusionRow.parse(row);
  const reported = jsonColumn(abortKey).safeParse(rest.key);
  const [node, id, startTime] = reported.success ? reported.data : [rest.node, rest.id, start_time];
  return node === '' || id === ''
    ? undefined
    : {
        ...rest,
        node,
        id,
        startTime,
        outcome: text ?? undefined,
        ...(typeof skipReason === 'string' && { skipReason }),
      };
}

/** Maximum number of loaded aborts; the default budgets allow 36 in an hour. */
const maxAborts = 1000;

/** Loads the intents of a cluster without an outcome, latest first. Skips invalid rows. */
export function loadOpenAborts(store: Store, cluster: string): Promise<Result<readonly AbortView[], string>> {
  return findAborts(store, cluster, [{ column: 'outcome', is: '=', value: null }]);
}

/** Loads the aborts that ended at a time (ms since the epoch) or later, latest first. Skips invalid rows. */
export function loadRecentAborts(
  store: Store,
  cluster: string,
  since: number,
): Promise<Result<readonly AbortView[], string>> {
  return findAborts(store, cluster, [{ column: 'ended_at', is: '>=', value: since }]);
}

/** Loads the aborts of one query of a node, latest first. Skips invalid rows. */
export function loadQueryAborts(
  store: Pick<Store, 'find'>,
  cluster: string,
  { node, id }: { readonly node: string; readonly id: string },
): Promise<Result<readonly AbortView[], string>> {
  return findAborts(store, cluster, [
    { column: 'node', is: '=', value: node },
    { column: 'id', is: '=', value: id },
  ]);
}

async function findAborts(
  store: Pick<Store, 'find'>,
  cluster: string,
  which: readonly StoreCondition[],
): Promise<Result<readonly AbortView[], string>> {
  const where = [{ column: 'cluster', is: '=', value: cluster } as const, ...which];
  const rows = await store.find({ table: tables.aborts, where, order: ['-at', 'key'], limit: maxAborts });
  return rows.ok ? ok(rows.value.flatMap((row) => parseAbort(row) ?? []).map(toAbortView)) : rows;
}

const hashLength = 12;

/** Returns a hash that identifies the version of a policy in audit rows. It does not depend on the order of keys. */
export function policyHash(policy: Policy, digest: Digest): string {
  return digest.sha256(JSON.stringify(policy, sortKeys)).slice(0, hashLength);
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
