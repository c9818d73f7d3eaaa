import type { Millis } from '../../kernel/time.ts';
import { gateExpiry } from '../gates.ts';
import type { Match } from '../matcher.ts';
import { type Decision, isTentative, phaseRules, type TargetReference, targetReference } from './decision.ts';
import { delayFor, intentSkipReason, observationCountOf } from './guard-conditions.ts';
import { isNodeBusy } from './lifecycle.ts';
import {
  admittedPurpose,
  earliestTime,
  type ListPurpose,
  nextRegularListAt,
  recordRequest,
} from './list-rate-limit.ts';
import { expiresAt } from './manual-aborts.ts';
import type { NodeView } from './node-view.ts';
import { nextVerificationAt, outcomeDeadline } from './outcomes.ts';
import type { GuardOutput } from './output.ts';
import {
  andThen,
  type GuardState,
  type StepContext,
  type StepResult,
  stepForEach,
  withDecision,
  withNodeView,
} from './state.ts';
import { isEligible, proposeDecision } from './victim-selection.ts';

/** A decision or a request waits for a list of a node. Times are on the monotonic clock. */
interface WantedList extends TargetReference {
  readonly purpose: Exclude<ListPurpose, 'regular'>;
  readonly at: Millis;
}

/** Maximum time between two checks of a query that will match. */
const maxMatchCheckInterval: Millis = 1000;

/** Delay of the next attempt after a rejected list, or if a token bucket is empty. */
const retryDelay: Millis = 1000;

/** Requests the lists that are due, and outputs the time of the next wake-up. */
export function scheduleLists(state: GuardState, context: StepContext): StepResult {
  const isIdle = context.policies.length === 0 && state.decisions.size === 0 && state.manualRequests.length === 0;
  if (isIdle) return { state, outputs: [] };
  const wants = Map.groupBy(wantedLists(state, context), ({ node }) => node);
  const step = stepForEach(state, state.views, (before, [node, view]) =>
    requestDueList(before, { node, view, wants: wants.get(node) ?? [], context }),
  );
  return andThen(step, (after) => {
    const at = nextWakeAt(after, wants, context);
    return { state: after, outputs: at === Number.POSITIVE_INFINITY ? [] : [{ kind: 'wake', at }] };
  });
}

interface NodeSchedule {
  readonly node: string;
  readonly view: NodeView;
  readonly wants: readonly WantedList[];
  readonly context: StepContext;
}

function requestDueList(state: GuardState, { node, view, wants, context }: NodeSchedule): StepResult {
  const { pace } = view;
  const now = context.now.mono;
  if (pace.isRequesting || now < pace.notBefore) return { state, outputs: [] };
  const due = wants.filter(({ at }) => at <= now);
  for (const purpose of ['fresh', 'verify', 'extra'] as const) {
    const want = due.find((one) => one.purpose === purpose);
    const admission = want && admittedPurpose(pace, purpose, { now, interval: context.interval });
    if (admission !== undefined) return requestList(state, { node, view, context }, admission);
  }
  const isRegularDue = !state.status.isStopping && nextRegularListAt(pace, context.interval, deadlinesOf(wants)) <= now;
  return isRegularDue
    ? requestList(state, { node, view, context }, 'regular')
    : stepForEach(state, due, (before, want) => recordMissedDeadline(before, want));
}

function requestList(
  state: GuardState,
  { node, view, context }: Omit<NodeSchedule, 'wants'>,
  purpose: ListPurpose,
): StepResult {
  const pace = recordRequest(view.pace, purpose, { now: context.now.mono, interval: context.interval });
  return { state: withNodeView(state, node, { ...view, pace }), outputs: [{ kind: 'list', node, purpose }] };
}

/** Reports once that a deadline is missed because there is no list. */
function recordMissedDeadline(state: GuardState, { purpose, at, ...target }: WantedList): StepResult {
  const { key } = target;
  const decision = state.decisions.get(key);
  const reason = purpose === 'extra' ? 'bucket' : 'reserve';
  const outputs: readonly GuardOutput[] = [{ kind: 'late', ...target, reason }];
  if (decision !== undefined)
    return decision.late === undefined
      ? { state: withDecision(state, key, { ...decision, late: reason }), outputs }
      : { state, outputs: [] };
  const isNew = at > (state.at?.mono ?? Number.NEGATIVE_INFINITY);
  return { state, outputs: isNew ? outputs : [] };
}

function wantedLists(state: GuardState, context: StepContext): readonly WantedList[] {
  const decided = [...state.decisions.values()].flatMap((decision) => decisionWantedLists(decision, state, context));
  return state.status.isStopping
    ? decided
    : [...decided, ...manualWantedLists(state), ...confirmationWantedLists(state, context)];
}

/** Returns the lists for manual aborts. A list must be requested after the operator's request. */
function manualWantedLists({ manualRequests, views }: GuardState): readonly WantedList[] {
  return manualRequests.flatMap(({ node, id, requestedAt }) => {
    const view = views.get(node);
    if (view === undefined) return [];
    const tried = lastRequestedAt(view);
    const at = tried < requestedAt ? requestedAt : tried + retryDelay;
    return [{ node, purpose: 'fresh', at, policy: '', key: JSON.stringify([node, id]), id, graph: '' }];
  });
}

function decisionWantedLists(decision: Decision, state: GuardState, context: StepContext): readonly WantedList[] {
  const { phase } = decision;
  const target = targetReference(decision);
  const { node } = target;
  const view = state.views.get(node);
  // After a reload, the node of the decision may no longer be configured.
  if (view === undefined) return [];
  const requestedAt = lastRequestedAt(view);
  if (phaseRules[phase].isVerified) {
    const at = nextVerificationAt(decision, requestedAt);
    return at === undefined ? [] : [{ ...target, purpose: 'verify', at }];
  }
  // A fresh list would be too old when the other abort on the node has ended.
  if (isNodeBusy(decision, state)) return [];
  if (phase === 'grace')
    return decision.due > context.now.mono ? [{ ...target, purpose: 'fresh', at: decision.due }] : [];
  if (phase !== 'fresh' || intentSkipReason(node, state, context) === undefined) return [];
  return [{ ...target, purpose: 'fresh', at: view.rejectedLists > 0 ? requestedAt + retryDelay : decision.due }];
}

function lastRequestedAt({ pace }: NodeView): Millis {
  return pace.requestedAt ?? Number.NEGATIVE_INFINITY;
}

/** Returns the lists for matches without confirmation, each at the time at which the next observation counts. */
function confirmationWantedLists(state: GuardState, context: StepContext): readonly WantedList[] {
  const wants: WantedList[] = [];
  for (const match of state.matches) {
    const at = match.owns ? confirmableAt(match, state, context) : undefined;
    if (at === undefined) continue;
    const decision = proposeDecision(match);
    const isWanted = !state.decisions.has(decision.key) && isEligible(decision, state);
    if (isWanted) wants.push({ ...targetReference(decision), purpose: 'extra', at });
  }
  return wants;
}

function confirmableAt(match: Match, state: GuardState, context: StepContext): Millis | undefined {
  const count = observationCountOf(match, state, context);
  if (count === undefined || count.confirmedAt !== undefined) return undefined;
  return count.countedAt + match.policy.confirm.apart;
}

function deadlinesOf(wants: readonly WantedList[]): readonly Millis[] {
  return wants.map(({ at }) => at);
}

function nextWakeAt(
  state: GuardState,
  wants: ReadonlyMap<string, readonly WantedList[]>,
  context: StepContext,
): Millis {
  const { now, interval } = context;
  const regular = [...state.views].flatMap(([node, { pace }]) => {
    if (pace.isRequesting || state.status.isStopping) return [];
    return [Math.max(pace.notBefore, nextRegularListAt(pace, interval, deadlinesOf(wants.get(node) ?? [])))];
  });
  const held = [...state.decisions.values()].flatMap((decision) => {
    const isHeld = decision.phase === 'grace' && decision.due <= now.mono;
    return (isHeld ? delayFor(decision, state, context)?.until : outcomeDeadline(decision)) ?? [];
  });
  const matching = state.upcoming.map(matchCheckAt);
  const all = [...wants.values()].flat();
  const isMissed = all.some(({ node, at }) => at <= now.mono && state.views.get(node)?.pace.isRequesting !== true);
  const timeout = state.manualRequests.map(expiresAt);
  const expiries = gateExpiries(state, context);
  const later = [...deadlinesOf(all), ...regular, ...held, ...matching, ...timeout, ...expiries].filter(
    (at) => at > now.mono,
  );
  return earliestTime(isMissed ? [...later, now.mono + retryDelay] : later);
}

/** Returns when values of gates become stale that a decision without intent depends on: the decision ends then. */
function gateExpiries(state: GuardState, { settings, now }: StepContext): readonly Millis[] {
  return [...state.decisions.values()].filter(isTentative).flatMap(({ policy, target: { node } }) => {
    const gate = settings.policies.find(({ name }) => name === policy)?.gate;
    return (gate?.clauses ?? []).flatMap((clause) => gateExpiry(state.gates, { node, clause, now: now.mono }) ?? []);
  });
}

/**
 * Returns when to check a query that will match: just after its match time. The match time is exact even if the check is
 * later, so checks are batched if the policy has a grace period.
 */
function matchCheckAt({ since, policy: { grace } }: Match): Millis {
  const apart = Math.min(maxMatchCheckInterval, grace / 2);
  return apart <= 1 ? since + 1 : Math.ceil((since + 1) / apart) * apart;
}
