import type { Millis } from '../../../src/kernel/time.ts';
import type { Finding } from '../findings.ts';
import { isInventedId } from '../simulation/faulty-responses.ts';
import type { AbortLog, Query } from '../simulation/log.ts';
import { coverageFault } from './coverage.ts';
import { evaluatePolicyMatch } from './policy-match.ts';
import { enforcingPolicies, isPausedAt, type RecordedRun, settingsAt, wasRunningAt } from './recorded-run.ts';

/** Maximum age of a list on which the guard acts. */
const maxListAge: Millis = 3000;

/** Returns the safety violations of all aborts of a run. */
export function safetyViolations(run: RecordedRun): readonly Finding[] {
  return run.log.aborts.flatMap((abort) => [
    ...requestFormViolations(run, abort),
    ...coverageViolations(run, abort),
    ...permissionViolations(run, abort),
    ...targetViolations(run, abort),
  ]);
}

function requestFormViolations({ plan }: RecordedRun, { order }: AbortLog): readonly Finding[] {
  const isOneId = /^\d{1,20}\.RESTPP_\d{1,4}_\d{1,4}\.\d{13}\.N$/.test(order.id);
  const isOneGraph = /^[A-Za-z_]\w{0,127}$/.test(order.graph);
  const known = plan.graphs.includes(order.graph) ? [] : [violation('unknown graph', order.graph.slice(0, 50))];
  return isOneId && isOneGraph
    ? known
    : [violation('form', `${order.graph.slice(0, 50)} ${order.id.slice(0, 150)}`), ...known];
}

function coverageViolations(run: RecordedRun, abort: AbortLog): readonly Finding[] {
  const fault = coverageFault(run, abort);
  // Behind a balancer by connection, the machine of the list is the only one that the request may reach.
  const isOnOtherMachine =
    abort.listMachine !== undefined &&
    abort.machine !== abort.listMachine &&
    run.plan.faultPeriods.every((one) => one.fault !== 'requests reach another node');
  const moved = isOnOtherMachine
    ? [
        violation(
          'other machine',
          `${abort.order.id} at ${abort.sentAt} on ${abort.machine}, listed on ${abort.listMachine}`,
        ),
      ]
    : [];
  return fault === undefined
    ? moved
    : [...moved, violation(fault, `${abort.order.id} at ${abort.sentAt} on ${abort.machine} for ${abort.order.node}`)];
}

function permissionViolations(run: RecordedRun, { order, sentAt }: AbortLog): readonly Finding[] {
  const { log } = run;
  const intent = log.intents.find(
    ({ key, onDiskAt }) => key === order.key && onDiskAt !== undefined && onDiskAt <= sentAt,
  );
  const again = log.aborts.filter((one) => one.order.id === order.id && one.order.node === order.node);
  const queriesWithId = log.queries.filter(({ id, node }) => id === order.id && node === order.node).length;
  return [
    ...(intent === undefined ? [violation('no intent', order.id)] : []),
    ...(isPausedAt(log, sentAt) ? [violation('while paused', `${order.id} at ${sentAt}`)] : []),
    ...(log.stoppedAt !== undefined && log.stoppedAt < sentAt ? [violation('after the stop', order.id)] : []),
    ...(again.length > Math.max(1, queriesWithId) ? [violation('twice', order.id)] : []),
    ...(settingsAt(run, sentAt).mode === 'enforce'
      ? []
      : [violation('no policy match', 'the guard is in observe mode')]),
  ];
}

/** Returns violations by the query of an abort: the one that ran, or else the one that ended shortly before. */
function targetViolations(run: RecordedRun, abort: AbortLog): readonly Finding[] {
  const { order, sentAt } = abort;
  const query = findTargetQuery(run, abort);
  // The guard could not know that the request reaches another machine, and it aborted nothing there.
  if (query === undefined && isSwapped(run, abort)) return [];
  // A server that invents a consistent entry looks like one that lists a query. An abort of it harms no query.
  if (query === undefined && isInventedId(order.id)) return [];
  if (query === undefined)
    return [violation('not running', `no query had the id ${order.id.slice(0, 100)} on ${abort.machine}`)];
  if (query.endedAt < sentAt - maxListAge)
    return [violation('not running', `${order.id} at ${sentAt} ended at ${query.endedAt}`)];
  const policy = enforcingPolicies(settingsAt(run, sentAt)).find(({ name }) => name === abort.policy);
  if (policy === undefined) return [violation('no policy match', `${abort.policy} is not in enforce mode`)];
  const named = isSwapped(run, abort) ? withSwappedNames(run, abort) : run;
  const target = named.log.queries.find(({ number }) => number === query.number) ?? query;
  const match = evaluatePolicyMatch(named, policy, { query: target, at: sentAt });
  const about = `${order.id} (${query.graph}/${query.name}) at ${sentAt} by ${abort.policy}`;
  if ('because' in match) return [violation('no policy match', `${about}: ${match.because}`)];
  return match.due > sentAt ? [violation('too early', `${about}: earliest abort time ${match.due}`)] : [];
}

/** Returns true if the request reached another machine than its node, and no list had shown that it would. */
function isSwapped(run: RecordedRun, abort: AbortLog): boolean {
  return abort.machine !== abort.order.node && coverageFault(run, abort) === undefined;
}

/**
 * Returns the run as the guard sees it while a node leads to another machine from the start on: its lists, its abort
 * requests and its policies by node name all concern the machine behind the name.
 */
function withSwappedNames(run: RecordedRun, { machine, order }: AbortLog): RecordedRun {
  const swapped = new Map([
    [machine, order.node],
    [order.node, machine],
  ]);
  const nameOf = (name: string): string => swapped.get(name) ?? name;
  const queries = run.log.queries.map((one) => ({ ...one, node: nameOf(one.node) }));
  const lists = run.log.lists.map((one) => ({ ...one, machine: nameOf(one.machine) }));
  return { ...run, log: { ...run.log, queries, lists } };
}

/** Returns the query of an abort, if there was one. */
export function findTargetQuery(
  { log }: RecordedRun,
  { order, machine, queryNumber, sentAt }: AbortLog,
): Query | undefined {
  if (queryNumber !== undefined) return log.queries.find(({ number }) => number === queryNumber);
  const queriesWithId = log.queries.filter(
    ({ id, node, beganAt }) => id === order.id && node === machine && beganAt <= sentAt,
  );
  return (
    queriesWithId.find((one) => wasRunningAt(one, sentAt)) ??
    queriesWithId.toSorted((one, other) => other.endedAt - one.endedAt)[0]
  );
}

function violation(kind: Finding['kind'], about: string): Finding {
  return { kind, about };
}
