import { z } from 'zod';
import { isGraphName } from '../../graphdb/graph-name.ts';
import { readRequestId } from '../../graphdb/request-id.ts';
import type { Change, Row } from '../../kernel/store.ts';
import { abortOutcomes } from '../../model/abort-outcomes.ts';
import type { AbortOutcome, AbortView } from '../../model/guard.ts';
import type { KeptIntent } from '../decision/kept.ts';
import type { Intent } from '../decision/output.ts';
import { json, plain, tables, time, words } from './columns.ts';

/** An intent as the audit keeps it. */
export interface KeptAbort extends Intent {
  readonly mode: 'enforce' | 'manual';
  /** Of the policy as it was configured then; `''` for a manual one. */
  readonly policyHash: string;
  readonly notify: readonly string[];
}

/** How an intent ended. */
export interface KeptOutcome {
  readonly outcome: AbortOutcome;
  /** ms since the epoch. */
  readonly at: number;
  /** Why it was withdrawn. */
  readonly doubt?: string;
}

const most = { by: 256, reason: 1000 };

const length = z.number().min(0).max(8.64e15);
const name = z.string().refine(isGraphName);
const outcome = z.enum(abortOutcomes);

const evidence = z
  .object({
    age: z.object({ least: z.number(), most: z.number() }),
    grantedTimeout: length.optional(),
    matchedAt: time,
    due: time,
    firstSeenAt: time,
    lastSeenAt: time,
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
  id: z.string().refine((id) => readRequestId(id) !== undefined),
  start_time: z.string().regex(/^[\d :.T-]{1,40}$/),
  graph: name,
  query: name,
  policy: z.string().regex(/^(?:[A-Za-z0-9][\w.-]{0,62})?$/),
  policy_hash: z.string().regex(/^[\da-f]{0,64}$/),
  manual_by: words(most.by).nullable(),
  manual_reason: words(most.reason).nullable(),
  mode: z.enum(['enforce', 'manual']),
  at: time,
  evidence: json(evidence),
  notify: json(z.array(z.string().min(1))),
  ended_at: time.nullish(),
  outcome: outcome.nullish(),
  doubt: words(64).nullish(),
});

/** Adds an intent, once. */
export function intentChange(intent: KeptAbort): Change {
  const { cluster, key, node, id, startTime, graph, query, policy, policyHash, manual, mode, at } = intent;
  const told = { evidence: JSON.stringify(intent.evidence), notify: JSON.stringify(intent.notify) };
  const by = {
    manual_by: manual === undefined ? null : plain(manual.by, most.by),
    manual_reason: manual === undefined ? null : plain(manual.reason, most.reason),
  };
  const target = { node, id, start_time: startTime, graph, query };
  return {
    table: tables.intents,
    put: { cluster, key, ...target, policy, policy_hash: policyHash, ...by, mode, at, ...told },
  };
}

/** Adds how an intent ended, once. */
export function outcomeChange(
  { cluster, key }: Pick<KeptAbort, 'cluster' | 'key'>,
  { outcome: word, at, doubt }: KeptOutcome,
): Change {
  return { table: tables.outcomes, put: { cluster, key, at, outcome: word, doubt: doubt ?? null } };
}

/** An intent, and how it ended where that is known, as it was stored; undefined for a row that is none. */
export function abortOf(row: Row): { readonly intent: KeptAbort; readonly ended?: KeptOutcome } | undefined {
  const read = abortRow.safeParse(row);
  if (!read.success || !isKeyOf(read.data)) return undefined;
  const { start_time: startTime, policy_hash: policyHash, manual_by, manual_reason, ...rest } = read.data;
  const { ended_at: endedAt, outcome: word, doubt, ...told } = rest;
  const manual = manual_by === null ? {} : { manual: { by: manual_by, reason: manual_reason ?? '' } };
  const intent = { ...told, startTime, policyHash, ...manual };
  if (typeof word !== 'string' || typeof endedAt !== 'number') return { intent };
  return { intent, ended: { outcome: word, at: endedAt, ...(typeof doubt === 'string' && { doubt }) } };
}

/** What rules and people are told of it. */
export function abortView({ intent, ended }: NonNullable<ReturnType<typeof abortOf>>): AbortView {
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
const keyed = z.tuple([z.string(), z.string(), z.string()]).rest(z.number());

function isKeyOf({ key, node, id, start_time }: z.infer<typeof abortRow>): boolean {
  const { data } = json(keyed).safeParse(key);
  return data?.[0] === node && data[1] === id && data[2] === start_time;
}

const barRow = z.object({
  key: z.string().catch(''),
  node: z.string().catch(''),
  id: z.string().catch(''),
  start_time: z.string().catch(''),
  graph: z.string().catch(''),
  query: z.string().catch(''),
  policy: z.string().catch(''),
  // What cannot be read was spent just now, and may still run.
  at: time.catch(8.64e15),
  outcome: outcome.nullish().catch('unknown'),
});

/** What a row bars, however much else of it cannot be read; undefined where it does not say what it is about. */
export function barOf(row: Row): KeptIntent | undefined {
  const { outcome: word, start_time, ...rest } = barRow.parse(row);
  const told = json(keyed).safeParse(rest.key);
  const [node, id, startTime] = told.success ? told.data : [rest.node, rest.id, start_time];
  return node === '' || id === '' ? undefined : { ...rest, node, id, startTime, outcome: word ?? undefined };
}
