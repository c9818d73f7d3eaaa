import { z } from 'zod';
import type { Row, StoreChange } from '../../kernel/store.ts';
import type { Random } from '../../kernel/system.ts';
import { shortText, tables, timestamp, toSingleLine } from './columns.ts';

/** Actions of operators that the audit stores, failed attempts to authenticate as a user, and starts of graphwarden. */
export const operatorActions = [
  'pause',
  'resume',
  'reset_breaker',
  'manual_abort',
  'manual_abort_refused',
  'silence',
  'unsilence',
  'acknowledge',
  'unacknowledge',
  'forget',
  'authentication_failed',
  'run_check',
  'start',
] as const;

/** Action of an operator. */
export interface OperatorAction {
  /** ms since the epoch. */
  readonly at: number;
  readonly what: (typeof operatorActions)[number];
  readonly by: string;
  /** Cluster of the action; `''` if it concerns no cluster or all clusters. */
  readonly cluster: string;
  /** Object of the action: a circuit breaker, `NODE ID`, a silence, a service instance, a collector or a version. */
  readonly subject: string;
  /** `''` for actions without a reason. */
  readonly reason: string;
}

const maxLengths = { actor: 256, subject: 2000, reason: 1000 };

const actionRow = z.object({
  uid: z.string().min(1).max(64),
  at: timestamp,
  what: z.enum(operatorActions),
  actor: shortText(maxLengths.actor),
  cluster: shortText(256),
  subject: shortText(maxLengths.subject),
  reason: shortText(maxLengths.reason),
});

/** Adds an operator action. A random part of its id distinguishes two equal actions. */
export function actionChange({ at, what, by, cluster, subject, reason }: OperatorAction, random: Random): StoreChange {
  const uid = `${at}-${what}-${Math.floor(random.next() * 2 ** 48).toString(36)}`;
  const logged = {
    actor: toSingleLine(by, maxLengths.actor),
    subject: toSingleLine(subject, maxLengths.subject),
    reason: toSingleLine(reason, maxLengths.reason),
  };
  return { table: tables.actions, put: { uid, at, what, cluster, ...logged } };
}

/** Parses an operator action; undefined for an invalid row. */
export function parseAction(row: Row): OperatorAction | undefined {
  const read = actionRow.safeParse(row);
  if (!read.success) return undefined;
  const { uid: _, actor: by, ...act } = read.data;
  return { ...act, by };
}
