import type { Millis } from '../../src/kernel/time.ts';
import type { Finding } from '../findings.ts';
import type { AbortLog, Query } from '../world/log.ts';
import { isCovered } from './cover.ts';
import { meaningOf } from './meaning.ts';
import { enforcing, isPausedAt, ranAt, settingsAt, type Trial } from './trial.ts';

/** A list is never older than this when something is done by it. */
const oldestList: Millis = 3000;

/** What each abort did that nobody asked for. */
export function harmOf(trial: Trial): readonly Finding[] {
  return trial.log.aborts.flatMap((abort) => [
    ...formOf(trial, abort),
    ...coverOf(trial, abort),
    ...leaveOf(trial, abort),
    ...targetOf(trial, abort),
  ]);
}

function formOf({ plan }: Trial, { order }: AbortLog): readonly Finding[] {
  const isOne = /^\/abortquery\/\w+\?requestid=\d{1,20}\.RESTPP_\d{1,4}_\d{1,4}\.\d{13}\.N$/.test(order.path);
  const isOwn = order.path === `/abortquery/${order.graph}?requestid=${order.id}`;
  const known = plan.graphs.includes(order.graph) ? [] : [found('unknown graph', order.graph.slice(0, 50))];
  return isOne && isOwn ? known : [found('form', order.path.slice(0, 200)), ...known];
}

function coverOf(trial: Trial, abort: AbortLog): readonly Finding[] {
  const cover = isCovered(trial, abort);
  return cover === undefined
    ? []
    : [found(cover, `${abort.order.id} at ${abort.sentAt} on ${abort.machine} for ${abort.order.node}`)];
}

function leaveOf(trial: Trial, { order, sentAt }: AbortLog): readonly Finding[] {
  const { log } = trial;
  const intent = log.intents.find(
    ({ key, onDiskAt }) => key === order.key && onDiskAt !== undefined && onDiskAt <= sentAt,
  );
  const again = log.aborts.filter((one) => one.order.id === order.id && one.order.node === order.node);
  const bearers = log.queries.filter(({ id, node }) => id === order.id && node === order.node).length;
  return [
    ...(intent === undefined ? [found('no intent', order.id)] : []),
    ...(isPausedAt(log, sentAt) ? [found('while paused', `${order.id} at ${sentAt}`)] : []),
    ...(log.stoppedAt !== undefined && log.stoppedAt < sentAt ? [found('after the end', order.id)] : []),
    ...(again.length > Math.max(1, bearers) ? [found('twice', order.id)] : []),
    ...(settingsAt(trial, sentAt).mode === 'enforce' ? [] : [found('not meant', 'the guard only looks on')]),
  ];
}

/** What ran is what counts, and where nothing did, what had been running just before. */
function targetOf(trial: Trial, abort: AbortLog): readonly Finding[] {
  const { order, sentAt } = abort;
  const query = targetQuery(trial, abort);
  // Nobody could know that it would get to another machine, where it met nothing.
  if (query === undefined && abort.machine !== order.node && isCovered(trial, abort) === undefined) return [];
  if (query === undefined)
    return [found('not running', `nothing ever ran as ${order.id.slice(0, 100)} on ${abort.machine}`)];
  if (query.endedAt < sentAt - oldestList)
    return [found('not running', `${order.id} at ${sentAt} ended at ${query.endedAt}`)];
  const policy = enforcing(settingsAt(trial, sentAt)).find(({ name }) => name === abort.policy);
  if (policy === undefined) return [found('not meant', `${abort.policy} does not enforce`)];
  const meaning = meaningOf(trial, policy, { query, at: sentAt });
  const about = `${order.id} (${query.graph}/${query.name}) at ${sentAt} by ${abort.policy}`;
  if ('because' in meaning) return [found('not meant', `${about}: ${meaning.because}`)];
  return meaning.due > sentAt ? [found('too early', `${about}: not before ${meaning.due}`)] : [];
}

/** Which query an abort was for, as far as there was one. */
export function targetQuery({ log }: Trial, { order, machine, hit, sentAt }: AbortLog): Query | undefined {
  if (hit !== undefined) return log.queries.find(({ number }) => number === hit);
  const bearers = log.queries.filter(
    ({ id, node, beganAt }) => id === order.id && node === machine && beganAt <= sentAt,
  );
  return bearers.find((one) => ranAt(one, sentAt)) ?? bearers.toSorted((one, other) => other.endedAt - one.endedAt)[0];
}

function found(kind: Finding['kind'], about: string): Finding {
  return { kind, about };
}
