import type { Millis } from '../../../src/kernel/time.ts';
import type { AbortLog } from '../simulation/log.ts';
import { processStartAt, type RecordedRun } from './recorded-run.ts';

const listsToPin = 10;

/**
 * Returns why the guard must not abort on the machine that the request reached; undefined if it could not know that.
 */
export function coverageFault(
  run: RecordedRun,
  { order, machine, sentAt }: AbortLog,
): 'wrong node' | 'not covered' | undefined {
  const { node, id } = order;
  const tag = /RESTPP_\d+_\d+/.exec(id)?.[0] ?? '';
  const isKnown = isConflictKnown(run, { node, tag, sentAt });
  if (isGuardedElsewhere(run, node, sentAt)) return 'not covered';
  if (machine !== node) return isKnown ? 'wrong node' : undefined;
  if (tagAt(run, machine, sentAt) !== tag && tagAt(run, machine, sentAt - 3000) !== tag) return 'wrong node';
  const plan = run.plan.nodes.find(({ name }) => name === node);
  if (plan?.isConfigured === true) return isKnown || plan.tag !== tag ? 'not covered' : undefined;
  return isKnown || listsWithTag(run, { node, tag, sentAt }) < listsToPin ? 'not covered' : undefined;
}

/** Returns true if another cluster guarded a node at an instant. */
export function isGuardedElsewhere({ log }: RecordedRun, node: string, at: Millis): boolean {
  return log.shared.findLast((one) => one.at <= at)?.nodes.includes(node) === true;
}

interface SentAbort {
  readonly node: string;
  readonly tag: string;
  readonly sentAt: Millis;
}

/** Returns true if a list of another node had this tag, or one of the latest lists of this node had another tag. */
export function isConflictKnown(run: RecordedRun, { node, tag, sentAt }: SentAbort): boolean {
  const from = processStartAt(run, sentAt);
  const lists = run.log.lists.filter(
    ({ startedAt, receivedAt = Number.POSITIVE_INFINITY }) => startedAt >= from && receivedAt < sentAt,
  );
  const own = lists.filter((list) => list.node === node && list.tags.size > 0).slice(-listsToPin);
  const isShared = lists.some((list) => list.node !== node && list.tags.has(tag));
  return isShared || own.some(({ tags }) => [...tags].some((one) => one !== tag));
}

/** Returns how many lists of a node had its tag so far. */
export function listsWithTag(run: RecordedRun, { node, tag, sentAt }: SentAbort): number {
  const from = processStartAt(run, sentAt);
  return run.log.lists.filter(
    (list) =>
      list.node === node && list.tags.has(tag) && list.startedAt >= from && (list.receivedAt ?? Infinity) <= sentAt,
  ).length;
}

/** Returns the instance tag of a machine at an instant. */
export function tagAt({ log }: RecordedRun, machine: string, at: Millis): string | undefined {
  return log.tags.findLast((one) => one.node === machine && one.at <= Math.max(0, at))?.tag;
}
