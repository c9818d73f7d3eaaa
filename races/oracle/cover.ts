import type { Millis } from '../../src/kernel/time.ts';
import type { AbortLog } from '../world/log.ts';
import { lifeFrom, type Trial } from './trial.ts';

const listsToPin = 10;

/** Why an abort had no business on the machine where it went; undefined where it had, or nobody could have known. */
export function isCovered(
  trial: Trial,
  { order, machine, sentAt }: AbortLog,
): 'wrong node' | 'not covered' | undefined {
  const { node, id } = order;
  const tag = /RESTPP_\d+_\d+/.exec(id)?.[0] ?? '';
  const isKnown = isForewarned(trial, { node, tag, sentAt });
  if (machine !== node) return isKnown ? 'wrong node' : undefined;
  if (tagAt(trial, machine, sentAt) !== tag && tagAt(trial, machine, sentAt - 3000) !== tag) return 'wrong node';
  const plan = trial.plan.nodes.find(({ name }) => name === node);
  if (plan?.isConfigured === true) return isKnown || plan.tag !== tag ? 'not covered' : undefined;
  return isKnown || listsWith(trial, { node, tag, sentAt }) < listsToPin ? 'not covered' : undefined;
}

interface Sent {
  readonly node: string;
  readonly tag: string;
  readonly sentAt: Millis;
}

/** Another node's list had this tag, or one of the latest of this node had another. */
export function isForewarned(trial: Trial, { node, tag, sentAt }: Sent): boolean {
  const from = lifeFrom(trial, sentAt);
  const lists = trial.log.lists.filter(
    ({ startedAt, receivedAt = Number.POSITIVE_INFINITY }) => startedAt >= from && receivedAt < sentAt,
  );
  const own = lists.filter((list) => list.node === node && list.tags.size > 0).slice(-listsToPin);
  const isShared = lists.some((list) => list.node !== node && list.tags.has(tag));
  return isShared || own.some(({ tags }) => [...tags].some((one) => one !== tag));
}

/** How many lists of a node have had its tag so far. */
export function listsWith(trial: Trial, { node, tag, sentAt }: Sent): number {
  const from = lifeFrom(trial, sentAt);
  return trial.log.lists.filter(
    (list) =>
      list.node === node && list.tags.has(tag) && list.startedAt >= from && (list.receivedAt ?? Infinity) <= sentAt,
  ).length;
}

/** The instance of a machine at an instant. */
export function tagAt({ log }: Trial, machine: string, at: Millis): string | undefined {
  return log.tags.findLast((one) => one.node === machine && one.at <= Math.max(0, at))?.tag;
}
