import type { Millis } from '../../kernel/time.ts';
import type { Match } from '../matcher.ts';
import type { Decision } from './decision.ts';
import { phaseRules } from './decision.ts';
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
interface WantedList {
  readonly node: string;
  readonly purpose: Exclude<ListPurpose, 'plain'>;
  readonly at: Millis;
  readonly policy: string;
  readonly key: string;
}

/** Between two looks at what is about to match. */
const maxMatchCheckInterval: Millis = 1000;

/** After a list that said nothing, and where a bucket is empty, it is tried again then. */
const retryDelay: Millis = 1000;

/** Asks for the lists that are due, and says when to come back. */
export function scheduleLists(state: GuardState, context: StepContext): StepResult {
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
  if (pace.isAsking || now < pace.notBefore) return { state, outputs: [] };
  const due = wants.filter(({ at }) => at <= now);
  for (const purpose of ['fresh', 'verify', 'extra'] as const) {
    const want = due.find((one) => one.purpose === purpose);
    const admission = want && admittedPurpose(pace, purpose, { now, interval: context.interval });
    if (admission !== undefined) return requestList(state, { node, view, context }, admission);
  }
  const isCycle = !state.standing.isStopping && nextRegularListAt(pace, context.interval, deadlinesOf(wants)) <= now;
  return isCycle
    ? requestList(state, { node, view, context }, 'plain')
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
function recordMissedDeadline(state: GuardState, { key, policy, node, purpose, at }: WantedList): StepResult {
  const decision = state.decisions.get(key);
  const reason = purpose === 'extra' ? 'bucket' : 'reserve';
  const outputs: readonly GuardOutput[] = [{ kind: 'late', key, policy, node, reason }];
  if (decision !== undefined)
    return decision.late === undefined
      ? { state: withDecision(state, key, { ...decision, late: reason }), outputs }
      : { state, outputs: [] };
  const isNew = at > (state.at?.mono ?? Number.NEGATIVE_INFINITY);
  return { state, outputs: isNew ? outputs : [] };
}

function wantedLists(state: GuardState, context: StepContext): readonly WantedList[] {
  const decided = [...state.decisions.values()].flatMap((decision) => decisionWantedLists(decision, state, context));
  return state.standing.isStopping
    ? decided
    : [...decided, ...manualWantedLists(state), ...confirmationWantedLists(state, context)];
}

/** What an operator asks for goes by a list that was asked for after that. */
function manualWantedLists({ manualRequests, views }: GuardState): readonly WantedList[] {
  return manualRequests.flatMap(({ node, id, askedAt }) => {
    const view = views.get(node);
    if (view === undefined) return [];
    const tried = lastRequestedAt(view);
    const at = tried < askedAt ? askedAt : tried + retryDelay;
    return [{ node, purpose: 'fresh', at, policy: '', key: JSON.stringify([node, id]) }];
  });
}

function decisionWantedLists(decision: Decision, state: GuardState, context: StepContext): readonly WantedList[] {
  const { key, policy, phase, target } = decision;
  const { node } = target;
  const view = state.views.get(node);
  // After a reload it may be on a node that is asked no more.
  if (view === undefined) return [];
  const askedAt = lastRequestedAt(view);
  if (phaseRules[phase].isVerified) {
    const at = nextVerificationAt(decision, askedAt);
    return at === undefined ? [] : [{ node, purpose: 'verify', at, policy, key }];
  }
  // Behind another abort a fresh list would be too old by the time.
  if (isNodeBusy(decision, state)) return [];
  if (phase === 'grace')
    return decision.due > context.now.mono ? [{ node, purpose: 'fresh', at: decision.due, policy, key }] : [];
  if (phase !== 'fresh' || intentSkipReason(node, state, context) === undefined) return [];
  return [{ node, purpose: 'fresh', at: view.voids > 0 ? askedAt + retryDelay : decision.due, policy, key }];
}

function lastRequestedAt({ pace }: NodeView): Millis {
  return pace.askedAt ?? Number.NEGATIVE_INFINITY;
}

/** What matches and is not confirmed yet has to be seen again as soon as that counts. */
function confirmationWantedLists(state: GuardState, context: StepContext): readonly WantedList[] {
  const wants: WantedList[] = [];
  for (const match of state.matches) {
    const at = match.owns ? confirmableAt(match, state, context) : undefined;
    if (at === undefined) continue;
    const decision = proposeDecision(match);
    const isWanted = !state.decisions.has(decision.key) && isEligible(decision, state);
    const { key, policy, target } = decision;
    if (isWanted) wants.push({ node: target.node, purpose: 'extra', at, policy, key });
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
  const cycles = [...state.views].flatMap(([node, { pace }]) => {
    if (pace.isAsking || state.standing.isStopping) return [];
    return [Math.max(pace.notBefore, nextRegularListAt(pace, interval, deadlinesOf(wants.get(node) ?? [])))];
  });
  const held = [...state.decisions.values()].flatMap((decision) => {
    const isHeld = decision.phase === 'grace' && decision.due <= now.mono;
    return (isHeld ? delayFor(decision, state, context)?.until : outcomeDeadline(decision)) ?? [];
  });
  const matching = state.upcoming.map(matchCheckAt);
  const all = [...wants.values()].flat();
  const isMissed = all.some(({ node, at }) => at <= now.mono && state.views.get(node)?.pace.isAsking !== true);
  const timeout = state.manualRequests.map(expiresAt);
  const later = [...deadlinesOf(all), ...cycles, ...held, ...matching, ...timeout].filter((at) => at > now.mono);
  return earliestTime(isMissed ? [...later, now.mono + retryDelay] : later);
}

/**
 * When to look at what is about to match: just after the time that a clause such as `> 10m` names. M is known exactly
 * whenever it is noticed, so where there is a grace many of them are noticed at once.
 */
function matchCheckAt({ since, policy: { grace } }: Match): Millis {
  const apart = Math.min(maxMatchCheckInterval, grace / 2);
  return apart <= 1 ? since + 1 : Math.ceil((since + 1) / apart) * apart;
}
