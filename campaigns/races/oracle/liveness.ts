import type { Policy } from '../../../src/guard/policy.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import type { IntentLog, Query } from '../simulation/log.ts';
import {
  activeSpan,
  always,
  conditionSpan,
  countCompetingQueries,
  gateOpenSince,
  isProtectedQuery,
  matchesStaticConditions,
  meetsGroupCondition,
  type Span,
  wallClockAt,
} from './conditions.ts';
import { isConflictKnown, isGuardedElsewhere, listsWithTag, tagAt } from './coverage.ts';
import { isOlderQueryKept } from './kept-oldest.ts';
import {
  confirmedAt,
  enforcingPolicies,
  isPausedAt,
  observationsOf,
  type RecordedRun,
  settingsAt,
} from './recorded-run.ts';

/** Query that has to be aborted: its policy matches from M on, and no response of the cluster prevents the abort. */
export interface LegitimateVictim {
  readonly query: Query;
  readonly policy: Policy;
  /** Earliest abort time (E) by the log of the simulation. */
  readonly due: Millis;
  /** True if it was confirmed before M, so that the guard knew E in advance. */
  readonly isConfirmedBeforeMatch: boolean;
  /** When its abort was sent; undefined if not before the deadline. */
  readonly abortedAt: Millis | undefined;
}

/** Maximum time from E to the abort. */
const abortDeadline: Millis = 3000;
const longestList: Millis = 1000;
/** Maximum time of an abort request to connect. */
const connectionAllowance: Millis = 600;

/** Returns the queries that had to be aborted in a run, with their aborts. */
export function legitimateVictims(run: RecordedRun): readonly LegitimateVictim[] {
  const all = stableSpans(run);
  return run.log.queries.flatMap((query) =>
    isAmbiguous(run, query) ? [] : all.flatMap((period) => victimsIn(run, query, period)).slice(0, 1),
  );
}

function victimsIn(run: RecordedRun, query: Query, period: Span): readonly LegitimateVictim[] {
  const settings = settingsAt(run, period.from);
  if (isProtectedQuery(settings, query)) return [];
  const match = enforcingPolicies(settings).filter((one) => matchesStaticConditions(one, query));
  const found = match.map((policy, index) => {
    const one = victimIn(run, { policy, query }, period);
    return one === undefined || isOwnedByOther(match.slice(0, index), one) ? undefined : one;
  });
  return found.filter((one) => one !== undefined);
}

/** Returns true if a policy of higher precedence matches the query before the deadline. */
function isOwnedByOther(others: readonly Policy[], { query, due }: LegitimateVictim): boolean {
  return others.some((one) => conditionSpan(one, query, 0).from <= due + abortDeadline);
}

/**
 * Returns the spans in which the guard process ran with the same settings and an unchanged clock. After a pause, a query
 * is confirmed again.
 */
function stableSpans({ plan, log }: RecordedRun): readonly Span[] {
  const resumes = log.pauses.filter(({ isPaused }) => !isPaused);
  const changes = [...log.steps, ...log.reloads, ...resumes].map(({ at }) => at);
  const begins = [plan.startsAt, ...changes.filter((at) => at > plan.startsAt), ...log.downtimes.map(({ to }) => to)];
  const inOrder = begins.toSorted((one, other) => one - other);
  return inOrder.map((from, index) => ({ from, to: inOrder[index + 1] ?? plan.length }));
}

function victimIn(run: RecordedRun, { policy, query }: PolicyAndQuery, period: Span): LegitimateVictim | undefined {
  const times = timesOf(run, { policy, query }, period);
  if (times === undefined) return undefined;
  const { first, matched, confirmed } = times;
  const due = Math.max(matched, confirmed) + policy.grace;
  if (times.until <= due + abortDeadline) return undefined;
  const span: Span = { from: first, to: due + abortDeadline };
  if (span.to > period.to || !lastsThrough(run, { policy, query }, span)) return undefined;
  if (
    !hasCapacity(run, { policy, query, due }) ||
    isQueued(run, query, due) ||
    hasCompetingQueries(run, { policy, query }, span)
  )
    return undefined;
  const abort = run.log.aborts.find((one) => one.order.id === query.id && one.order.node === query.node);
  // The abort is by another policy, or from before a restart, a reload or a clock step.
  if (abort !== undefined && abort.sentAt < due) return undefined;
  const abortedAt = abort !== undefined && abort.sentAt <= span.to ? abort.sentAt : undefined;
  const grace: Span = { from: due - policy.grace, to: span.to };
  if (policy.victims.keep !== undefined && !isOlderQueryKept(run, { policy, query }, grace)) return undefined;
  if (wasPrecededByFaultyList(run, query, first)) return undefined;
  if (!isFaultless(run, query, span) || !isNotPaused(run, { from: due - policy.grace, to: abortedAt ?? span.to }))
    return undefined;
  return isCovered(run, query, grace)
    ? { query, policy, due, isConfirmedBeforeMatch: confirmed < matched, abortedAt }
    : undefined;
}

/** Returns true if the id of a query repeats, its age is overstated, or its graph is unknown. */
function isAmbiguous({ plan, log }: RecordedRun, { overstatedAge, sameIdAs, number, graph }: Query): boolean {
  const isReused = sameIdAs !== undefined || log.queries.some((one) => one.sameIdAs === number);
  return overstatedAge !== 0 || isReused || !plan.graphs.includes(graph);
}

interface Times {
  /** Time of the first list that contains it. */
  readonly first: Millis;
  readonly confirmed: Millis;
  /** When all other conditions are met. */
  readonly matched: Millis;
  /** When the hours of the policy end. */
  readonly until: Millis;
}

function timesOf(run: RecordedRun, { policy, query }: PolicyAndQuery, { from: begin, to }: Span): Times | undefined {
  const observations = observationsOf(run, query, begin, to);
  const confirmed = confirmedAt(observations, policy.confirm);
  const first = observations[0]?.startedAt;
  if (confirmed === undefined || first === undefined) return undefined;
  const { from } = conditionSpan(policy, query, 0);
  const dependsOnTimeOnly = policy.gate === undefined && policy.group === undefined;
  const hours = policy.active === undefined ? always : activeSpan(policy.active, wallClockAt(run, begin), begin);
  const met = dependsOnTimeOnly ? from : firstMetAt(run, { policy, query }, Math.max(from, confirmed));
  if (met === undefined || hours === undefined) return undefined;
  return { first, confirmed, matched: Math.max(met, hours.from), until: hours.to };
}

interface PolicyAndQuery {
  readonly policy: Policy;
  readonly query: Query;
}

/** Returns the time of the first list or sample after which gate and group condition are met. */
function firstMetAt(run: RecordedRun, { policy, query }: PolicyAndQuery, from: Millis): Millis | undefined {
  const triggers = [...run.log.lists.map(({ receivedAt = 0 }) => receivedAt), ...run.log.samples.map(({ at }) => at)];
  return triggers.toSorted((one, other) => one - other).find((at) => at >= from && isMet(run, { policy, query }, at));
}

function isMet(run: RecordedRun, { policy, query }: PolicyAndQuery, at: Millis): boolean {
  const { gate, group } = policy;
  const isOpen = gate === undefined || gateOpenSince(run, gate, { node: query.node, at }) !== undefined;
  // Not every list contains a query that has just begun.
  const counts = (one: Query) => isCovered(run, one, { from: at, to: at }) && isListed(run, one, at);
  const strict = { at, listMemory: 0, slack: -run.plan.interval * 2, counts };
  // The last query of a group on another node appears in a list late, and stays for a while.
  if (group?.youngest !== undefined && !group.by.includes('node')) return false;
  return isOpen && (group === undefined || meetsGroupCondition(run, { policy, group, query }, strict));
}

/** Returns true if the policy matches until the deadline, or until the query was aborted. */
function lastsThrough(run: RecordedRun, { policy, query }: PolicyAndQuery, { from, to }: Span): boolean {
  const isLong = query.beganAt + query.runsFor > to && conditionSpan(policy, query, 0).to > to + 1000;
  const isThere = query.isAborted || query.endedAt > to;
  if (!isLong || !isThere || to > run.plan.length) return false;
  const due = to - abortDeadline;
  if (!isGateOpenThrough(run, { policy, query }, { from: due - policy.grace, to: due + 1000 })) return false;
  const samples = [due - policy.grace, due - policy.grace / 2, due, due + 1000].map((at) => Math.max(from, at));
  const end = query.isAborted ? query.endedAt : Number.POSITIVE_INFINITY;
  return samples.every((at) => at >= end || isMet(run, { policy, query }, at));
}

/** Returns true if the gate of a policy does not close within a span, not even for one sample. */
function isGateOpenThrough(run: RecordedRun, { policy, query }: PolicyAndQuery, { from, to }: Span): boolean {
  if (policy.gate === undefined) return true;
  const since = gateOpenSince(run, policy.gate, { node: query.node, at: to });
  return since !== undefined && since <= from;
}

/** Returns true if the last list before the first that contains a query was bad and arrived after the query began. */
function wasPrecededByFaultyList({ log }: RecordedRun, { node, beganAt }: Query, first: Millis): boolean {
  const before = log.lists.findLast((one) => one.node === node && one.startedAt < first);
  return before !== undefined && !before.isGood && (before.receivedAt ?? before.startedAt) >= beganAt;
}

/** Faults under which the guard may not send an abort in time. */
const unreliable = ['requests reach another node', 'connections are closed', 'abort preparation is slow'] as const;

/** Returns true if the lists are good, the guard process runs, and the disk works. */
function isFaultless({ plan, log }: RecordedRun, { node }: Query, { from, to }: Span): boolean {
  const lists = log.lists.filter((one) => one.node === node && one.startedAt >= from && one.startedAt <= to);
  const areGood = lists.every(
    ({ isGood, startedAt, receivedAt = Number.POSITIVE_INFINITY }) => isGood && receivedAt - startedAt <= longestList,
  );
  const isAlive = log.downtimes.every((one) => one.to <= from || one.from > to) && (log.stoppedAt ?? to + 1) > to;
  const isWritable = plan.faultPeriods.every((one) => !one.fault.startsWith('commit') || one.from > to);
  const isRouted = plan.faultPeriods.every(
    ({ fault, from: begin }) => !unreliable.some((one) => fault === one) || begin > to,
  );
  return areGood && isAlive && isWritable && isRouted;
}

/** Returns true if neither an operator nor the guard itself paused the guard. */
function isNotPaused({ log }: RecordedRun, { from, to }: Span): boolean {
  return [...log.pauses, ...log.unexpectedReplies].every(({ at }) => at < from || at > to) && !isPausedAt(log, from);
}

/** Returns true if the latest list of its node was good and contained it. */
function isListed({ log }: RecordedRun, { node, number }: Query, at: Millis): boolean {
  const last = log.lists.findLast((one) => one.node === node && (one.receivedAt ?? one.startedAt) <= at);
  return last?.isGood === true && last.listed.has(number);
}

function isCovered(run: RecordedRun, { node, id }: Query, { from, to }: Span): boolean {
  const tag = /RESTPP_\d+_\d+/.exec(id)?.[0] ?? '';
  const plan = run.plan.nodes.find(({ name }) => name === node);
  const isUnique = run.log.tags.every((one) => one.node === node || one.tag !== tag);
  const isConflicting = isConflictKnown(run, { node, tag, sentAt: to });
  const isKnown = plan?.isConfigured === true ? plan.tag === tag : listsWithTag(run, { node, tag, sentAt: from }) >= 10;
  const isOwn = !isGuardedElsewhere(run, node, from) && !isGuardedElsewhere(run, node, to);
  return isUnique && !isConflicting && isKnown && isOwn && tagAt(run, node, to) === tag;
}

function hasCompetingQueries(run: RecordedRun, { policy, query }: PolicyAndQuery, { from, to }: Span): boolean {
  const most = policy.victims.max - 1;
  return [from, (from + to) / 2, to].some((at) => countCompetingQueries(run, policy, { query, at }) > most);
}

/** Time for which other aborts of the node may delay one: one abort of a node is in flight at a time. */
const maxQueueTime: Millis = 1000;

/** Returns true if other aborts of the node keep its queue busy for long. */
function isQueued({ log }: RecordedRun, query: Query, due: Millis): boolean {
  const busy = log.aborts.map(({ order, sentAt, answeredAt }) => {
    const isOther = order.node === query.node && order.id !== query.id;
    return isOther ? Math.max(0, Math.min(answeredAt, due + abortDeadline) - Math.max(sentAt, due)) : 0;
  });
  return busy.reduce((sum, one) => sum + one, 0) > maxQueueTime;
}

/** Returns true if the budgets allow an abort, no cooldown is active, and no circuit breaker is close to open. */
function hasCapacity(run: RecordedRun, { policy, query, due }: PolicyAndQuery & { readonly due: Millis }): boolean {
  const { log } = run;
  const { budgets, breakers } = settingsAt(run, due);
  const others = log.intents.filter(({ id, node }) => id !== query.id || node !== query.node);
  const since = (length: Millis) =>
    others.filter((one) => spentAt(run, one) > due - length - connectionAllowance && one.at <= due + abortDeadline);
  const isSamePolicy = (one: (typeof others)[number]) => one.policy === policy.name && one.node === query.node;
  const cooldown = policy.gate === undefined ? policy.cooldown : Number.POSITIVE_INFINITY;
  const tries = since(Number.POSITIVE_INFINITY).filter((one) => one.graph === query.graph && one.query === query.name);
  const ofPolicy = others.filter((one) => one.policy === policy.name && hasEverGate(run, policy.name));
  return (
    since(budgets.perNode.within).filter(({ node }) => node === query.node).length < budgets.perNode.max &&
    since(budgets.perCluster.within).length < budgets.perCluster.max &&
    since(cooldown).every((one) => !isSamePolicy(one)) &&
    tries.length < breakers.sameQuery.aborts &&
    ofPolicy.length < breakers.noRelief.aborts
  );
}

/** Returns when budgets and cooldowns count an intent: when its abort request was answered. */
function spentAt({ log }: RecordedRun, { key, at }: IntentLog): Millis {
  return log.aborts.findLast(({ order }) => order.key === key)?.answeredAt ?? at;
}

/** Returns true if a policy of this name had a gate before or after a reload: its circuit breaker stays open. */
function hasEverGate({ plan, log }: RecordedRun, name: string): boolean {
  const all = [plan.settings, ...log.reloads.map(({ settings }) => settings)];
  return all.some(({ policies }) => policies.some((one) => one.name === name && one.gate !== undefined));
}
