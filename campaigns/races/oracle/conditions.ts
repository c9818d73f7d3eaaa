import type { Comparison } from '../../../src/guard/comparison.ts';
import type { Conditions } from '../../../src/guard/conditions/all.ts';
import type { Patterns } from '../../../src/guard/pattern.ts';
import type {
  ActiveWindow,
  Gate,
  GateClause,
  GroupCondition,
  GuardSettings,
  Policy,
} from '../../../src/guard/policy.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import { epoch } from '../plan/plan.ts';
import type { Query } from '../simulation/log.ts';
import { processStartAt, type RecordedRun, settingsAt } from './recorded-run.ts';

/** Span in which a condition holds. */
export interface Span {
  readonly from: Millis;
  readonly to: Millis;
}

/** Span of a condition that always holds. */
export const always: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Returns true if a text matches one of the globs. */
function matchesGlob(text: string, patterns: Patterns): boolean {
  return patterns.some((glob) => {
    const source = glob.text
      .replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${source}$`, 's').test(text);
  });
}

/** Returns true if a query is protected by the settings, or of a kind that the guard never aborts. */
export function isProtectedQuery({ protect }: GuardSettings, query: Query): boolean {
  if (!query.isInstalled) return true;
  return protect.some(
    ({ node, graph, query: name }) =>
      (node === undefined || matchesGlob(query.node, node)) &&
      (graph === undefined || matchesGlob(query.graph, graph)) &&
      (name === undefined || matchesGlob(query.name, name)),
  );
}

/** Conditions of a policy, with its exception. */
export type PolicyConditions = Pick<Policy, 'when' | 'unless'>;

/** Returns true if the constant fields of a query match the conditions, and the exception does not spare it for ever. */
export function matchesStaticConditions({ when, unless }: PolicyConditions, query: Query): boolean {
  const { grantedTimeout, remaining, ageShare } = when;
  const isTimed = grantedTimeout !== undefined || remaining !== undefined || ageShare !== undefined;
  return (
    matchesNames(when, query) &&
    (!isTimed || query.grantedTimeout !== undefined) &&
    (grantedTimeout === undefined || meetsLowerBound(grantedTimeout, query.grantedTimeout ?? 0)) &&
    (unless === undefined || unless.age !== undefined || !mayBeExcepted(unless, query))
  );
}

function matchesNames({ node, graph, query: name }: Conditions, query: Query): boolean {
  return (
    (node === undefined || matchesGlob(query.node, node)) &&
    (graph === undefined || matchesGlob(query.graph, graph)) &&
    (name === undefined || matchesGlob(query.name, name))
  );
}

/** Returns true if the constant conditions of an exception hold, or may hold because the server lists no timeout. */
function mayBeExcepted(unless: Conditions, query: Query): boolean {
  const { grantedTimeout } = unless;
  const isGranted =
    grantedTimeout === undefined ||
    query.grantedTimeout === undefined ||
    meetsLowerBound(grantedTimeout, query.grantedTimeout);
  return matchesNames(unless, query) && isGranted;
}

/** Evaluates a lower bound. Scenarios have no other bounds, except for the age of an exception. */
function meetsLowerBound({ operator, value }: Comparison, actual: number): boolean {
  return operator === '>' ? actual > value : actual >= value;
}

/**
 * Returns the span in which the conditions on time hold; `slack` is the error of ages in favour of the policy. An
 * exception spares queries up to an age.
 */
export function conditionSpan({ when, unless }: PolicyConditions, query: Query, slack: Millis): Span {
  const { age, remaining, ageShare } = when;
  const { beganAt, grantedTimeout: granted = 0 } = query;
  const sparedUntil = unless?.age !== undefined && mayBeExcepted(unless, query) ? unless.age.value : 0;
  const ages = [age?.value ?? 0, ageShare === undefined ? 0 : ageShare.value * granted, sparedUntil];
  const from = beganAt + Math.max(...ages) - slack;
  return { from, to: remaining === undefined ? Number.POSITIVE_INFINITY : beganAt + granted - remaining.value + slack };
}

/** Tolerances of a group condition: the age of lists, and the error of ages. */
export interface GroupTolerance {
  readonly listMemory: Millis;
  readonly slack: Millis;
  /** Returns true for queries that count; absent: all count. */
  readonly counts?: (query: Query) => boolean;
}

/** Returns true if the group of a query meets the group condition of a policy at an instant. */
export function meetsGroupCondition(
  run: RecordedRun,
  { policy, group, query }: { readonly policy: Policy; readonly group: GroupCondition; readonly query: Query },
  { at, listMemory, slack, counts = () => true }: GroupTolerance & { readonly at: Millis },
): boolean {
  const settings = settingsAt(run, at);
  const others = run.log.queries.filter((one) => {
    const isThere = one.beganAt <= at && one.endedAt > at - listMemory;
    return (
      isThere &&
      isSameGroup(group, one, query) &&
      matchesStaticConditions(policy, one) &&
      !isProtectedQuery(settings, one)
    );
  });
  const matching = (leeway: Millis) => others.filter((one) => isWithin(conditionSpan(policy, one, leeway), at));
  const members = matching(slack).filter(counts);
  const ages = members.map(({ beganAt }) => at - beganAt);
  // The youngest is surely a member, still runs, and was listed: others may be unknown to the guard, or too young where
  // a node rounds ages down.
  const rounding = run.plan.nodes.some(({ roundsAges }) => roundsAges) ? 1000 : 0;
  const known = matching(-slack - rounding).flatMap(({ beganAt, endedAt }) =>
    endedAt > at && at - beganAt >= listMemory ? [at - beganAt] : [],
  );
  const isMany = group.count === undefined || meetsLowerBound(group.count, members.length);
  const isOld = group.oldest === undefined || meetsLowerBound(group.oldest, Math.max(...ages) + slack);
  return (
    isMany && isOld && (group.youngest === undefined || meetsLowerBound(group.youngest, Math.min(...known) + slack))
  );
}

/** Returns how many other queries of its group a policy could abort instead of a query, at an instant. */
export function countCompetingQueries(
  run: RecordedRun,
  policy: Policy,
  { query, at }: { readonly query: Query; readonly at: Millis },
): number {
  const settings = settingsAt(run, at);
  return run.log.queries.filter((one) => {
    const isThere =
      one !== query && one.beganAt <= at && one.endedAt > at - 45_000 && conditionSpan(policy, one, 1000).from <= at;
    return (
      isThere &&
      isSameVictimGroup(policy, one, query) &&
      matchesStaticConditions(policy, one) &&
      !isProtectedQuery(settings, one)
    );
  }).length;
}

function isWithin({ from, to }: Span, at: Millis): boolean {
  return from <= at && at <= to;
}

/** Returns true if two queries share the limit on victims of a policy: those of a group, or else of a node. */
export function isSameVictimGroup({ group }: Pick<Policy, 'group'>, one: Query, other: Query): boolean {
  return group === undefined ? one.node === other.node : isSameGroup(group, one, other);
}

function isSameGroup({ by }: GroupCondition, one: Query, other: Query): boolean {
  return by.every((key) => (key === 'query' ? one.name === other.name : one[key] === other[key]));
}

const minute: Millis = 60_000;
const zoneOffsetMinutes: Readonly<Record<string, number>> = { UTC: 0, 'Europe/Berlin': 120, 'Asia/Kathmandu': 345 };
const day: Millis = 86_400_000;
/** The first day of the epoch was a Thursday. */
const firstDay = 4;

/** Returns the wall clock of the guard at an instant. */
export function wallClockAt({ log }: RecordedRun, at: Millis): number {
  return log.steps.reduce((wall, step) => (step.at <= at ? wall + step.by : wall), epoch + at);
}

/**
 * Returns the active hours that contain an instant, or the next ones on the same day, if the clock is not set until then.
 * Simulations run in summer and do not cross midnight, so no change of daylight saving time matters.
 */
export function activeSpan({ days, from, to, zone }: ActiveWindow, wall: number, at: Millis): Span | undefined {
  const shift = zoneOffsetMinutes[zone];
  if (shift === undefined) throw new Error(`unsupported time zone ${zone}`);
  const shown = wall + shift * minute;
  const time = shown % day;
  if (!days.includes((firstDay + Math.floor(shown / day)) % 7) || time >= to * minute) return undefined;
  return { from: at + from * minute - time, to: at + to * minute - time };
}

/** Number of intervals of its source for which a sample is fresh. */
const freshIntervals = 2.5;

interface NodeAtTime {
  readonly node: string;
  readonly at: Millis;
}

/** Returns since when a gate is open on a node without a gap, at an instant; undefined if it is closed. */
export function gateOpenSince(run: RecordedRun, gate: Gate, { node, at }: NodeAtTime): Millis | undefined {
  let since: Millis | undefined;
  // If any clause is enough, one clause may keep the gate open that another clause opened.
  for (let next = gateOpenedAt(run, gate, { node, at }); next !== undefined; ) {
    since = next;
    next = gateOpenedAt(run, gate, { node, at: since - 1 });
  }
  return since;
}

function gateOpenedAt(run: RecordedRun, gate: Gate, nodeAtTime: NodeAtTime): Millis | undefined {
  const all = gate.clauses.map((clause) => clauseMetSince(run, clause, nodeAtTime));
  const held = all.filter((since) => since !== undefined);
  if (held.length === 0 || (gate.needs === 'all' && held.length < all.length)) return undefined;
  return gate.needs === 'all' ? Math.max(...held) : Math.min(...held);
}

/** Returns when the samples of a clause had met its bound for its duration without a gap. */
function clauseMetSince(
  run: RecordedRun,
  clause: GateClause,
  { node, at }: { readonly node: string; readonly at: Millis },
): Millis | undefined {
  const from = processStartAt(run, at);
  const samples = run.log.samples.filter(
    (one) => one.node === node && one.source === clause.source && one.at >= from && one.at <= at,
  );
  let row: Row | undefined;
  for (const { value, collectedAt, interval, at: arrivedAt } of samples) {
    if (value === undefined || !meetsLowerBound(clause.bound, value)) row = undefined;
    else if (row === undefined || collectedAt > row.freshUntil)
      row = { first: collectedAt, last: collectedAt, freshUntil: collectedAt + freshIntervals * interval };
    else if (collectedAt > row.last)
      row = { ...row, last: collectedAt, freshUntil: collectedAt + freshIntervals * interval };
    if (row !== undefined && row.last - row.first >= clause.for) row = { heldSince: arrivedAt, ...row };
  }
  return row === undefined || at > row.freshUntil ? undefined : row.heldSince;
}

/** Consecutive values that meet a bound, by the times at which the server collected them. */
interface Row {
  readonly first: Millis;
  readonly last: Millis;
  readonly freshUntil: Millis;
  /** When the value arrived that made them last long enough. */
  readonly heldSince?: Millis;
}
