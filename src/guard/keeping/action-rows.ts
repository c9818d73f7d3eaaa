import { z } from 'zod';
import type { Change, Row } from '../../kernel/store.ts';
import type { Random } from '../../kernel/system.ts';
import { plain, tables, time, words } from './columns.ts';

/** What operators may do that is kept. */
export const acts = [
  'pause',
  'resume',
  'reset_breaker',
  'manual_abort',
  'manual_abort_refused',
  'silence',
  'unsilence',
  'forget',
] as const;

/** Something that an operator did. */
export interface OperatorAct {
  /** ms since the epoch. */
  readonly at: number;
  readonly what: (typeof acts)[number];
  readonly by: string;
  /** `''` where it is about none or all. */
  readonly cluster: string;
  /** What it was done to: a breaker, `NODE ID`, a silence, a service instance. */
  readonly subject: string;
  /** `''` where none is asked for. */
  readonly reason: string;
}

const most = { actor: 256, subject: 2000, reason: 1000 };

const actionRow = z.object({
  uid: z.string().min(1).max(64),
  at: time,
  what: z.enum(acts),
  actor: words(most.actor),
  cluster: words(256),
  subject: words(most.subject),
  reason: words(most.reason),
});

/** Adds an act, for good. Two that are alike are two: chance tells them apart. */
export function actionChange({ at, what, by, cluster, subject, reason }: OperatorAct, random: Random): Change {
  const uid = `${at}-${what}-${Math.floor(random.next() * 2 ** 48).toString(36)}`;
  const said = {
    actor: plain(by, most.actor),
    subject: plain(subject, most.subject),
    reason: plain(reason, most.reason),
  };
  return { table: tables.actions, put: { uid, at, what, cluster, ...said } };
}

/** An act as it was stored; undefined for a row that is none. */
export function actOf(row: Row): OperatorAct | undefined {
  const read = actionRow.safeParse(row);
  if (!read.success) return undefined;
  const { uid: _, actor: by, ...act } = read.data;
  return { ...act, by };
}
