import { err, ok, type Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import { gateSince } from '../gates.ts';
import type { Policy } from '../policy.ts';
import { type AbortAttempt, createAttempt, exhaustedBudget, isIntentTooOld, withAttemptTime } from './budgets.ts';
import {
  countRecentAttempts,
  latestPressures,
  openBreaker,
  queryBreakerKey,
  type ReliefCheck,
} from './circuit-breakers.ts';
import type { Decision, LateReason, SkipReason } from './decision.ts';
import { decisionKey, isInFlight, moveToPhase, targetReference } from './decision.ts';
import { recordDecisionEnd } from './foreign-aborts.ts';
import {
  abortTargetOf,
  type CheckInput,
  checkInputFor,
  delayFor,
  intentSkipReason,
  isAbortable,
  isVictimKind,
  listSkipReason,
  skipReasonFor,
} from './guard-conditions.ts';
import { finishDecision, outcomeFor, returnDecision, withdrawDecision } from './outcomes.ts';
import type { AbortCommand, Evidence, Intent } from './output.ts';
import { andThen, type GuardState, type StepContext, type StepResult, stepForEach, withDecision } from './state.ts';

/** Advances every decision as far as possible: enforcing ones first, in the order of their earliest abort times. */
export function advanceDecisions(state: GuardState, context: StepContext): StepResult {
  const inOrder = [...state.decisions.values()].toSorted(byModeAndDueTime);
  return stepForEach(state, inOrder, (before, decision) => phaseHandlers[decision.phase](before, decision, context));
}

type PhaseHandler = (state: GuardState, decision: Decision, context: StepContext) => StepResult;

/** Step of a decision, by its phase. */
const phaseHandlers: Readonly<Record<Decision['phase'], PhaseHandler>> = {
  grace: leaveGrace,
  fresh: proceedToIntent,
  committing: proceedToAbort,
  preparing: proceedToSending,
  sent: proceedToOutcome,
  verifying: proceedToOutcome,
};

function leaveGrace(state: GuardState, decision: Decision, context: StepContext): StepResult {
  if (context.now.mono < decision.due) return { state, outputs: [] };
  const hold = delayFor(decision, state, context);
  if (hold !== undefined)
    return hold.reason === 'same_query' ? { state, outputs: [] } : recordDelay(state, decision, hold.reason);
  const next = moveToPhase(decision, 'fresh');
  return proceedToIntent(withDecision(state, decision.key, next), next, context);
}

function proceedToIntent(state: GuardState, decision: Decision, context: StepContext): StepResult {
  if (isNodeBusy(decision, state)) return recordDelay(state, decision, 'queue');
  if (intentSkipReason(decision.target.node, state, context) !== undefined) return { state, outputs: [] };
  // Another decision may have spent the budget since the grace period ended.
  if (delayFor(decision, state, context) !== undefined) {
    const back = moveToPhase(decision, 'grace');
    return leaveGrace(withDecision(state, decision.key, back), back, context);
  }
  const input = checkInputFor(decision, state, context);
  const isManual = decision.manual !== undefined;
  const skipReason =
    skipReasonFor(input) ??
    (state.excludedKeys.has(decisionKey(decision.target)) && !isManual ? 'excluded' : undefined);
  if (skipReason !== undefined) return cancelDecision(state, decision, skipReason);
  return createIntent(input, policyOfDecision(decision, context.settings.policies));
}

function proceedToAbort(state: GuardState, decision: Decision, context: StepContext): StepResult {
  if (decision.isOnDisk === undefined) return { state, outputs: [] };
  const order = decision.isOnDisk ? finalCheck(checkInputFor(decision, state, context)) : err('audit' as const);
  if (!order.ok) {
    const end = decision.isOnDisk ? withdrawDecision : returnDecision;
    return end(state, decision, { skipReason: order.error, now: context.now });
  }
  const preparing = moveToPhase(decision, 'preparing');
  return {
    state: withDecision(state, decision.key, preparing),
    outputs: [{ kind: 'abort', order: order.value, policy: decision.policy }],
  };
}

/** Repeats all checks immediately before the request is written, because its preparation may have taken long. */
function proceedToSending(state: GuardState, decision: Decision, context: StepContext): StepResult {
  if (decision.isReady !== true) return { state, outputs: [] };
  const order = finalCheck(checkInputFor(decision, state, context));
  if (!order.ok) {
    const end = order.error === 'too_old' ? returnDecision : withdrawDecision;
    return end(state, decision, { skipReason: order.error, now: context.now });
  }
  const { key } = decision;
  const sentAt = context.now.mono;
  const spent = { ...state, attempts: withAttemptTime(state.attempts, key, sentAt) };
  const sent = withDecision(spent, key, moveToPhase(decision, 'sent', { sentAt }));
  const outputs = [{ kind: 'sent', ...targetReference(decision), reaction: sentAt - decision.due }] as const;
  return andThen({ state: sent, outputs }, (after) => openSameQueryBreaker(after, decision, context));
}

/** Returns whether another abort is in flight on the node: only one may be, because lists need the other connection. */
export function isNodeBusy({ key, mode, target }: Decision, { decisions }: Pick<GuardState, 'decisions'>): boolean {
  if (mode !== 'enforce') return false;
  return [...decisions.values()].some((one) => one.key !== key && one.target.node === target.node && isInFlight(one));
}

function finalCheck(input: CheckInput): Result<AbortCommand, SkipReason> {
  const skipReason = finalSkipReason(input);
  return skipReason === undefined ? buildAbortCommand(input) : err(skipReason);
}

/** Repeats, after the intent is stored, all checks that passed before. */
function finalSkipReason(input: CheckInput): SkipReason | undefined {
  const { decision, state, context } = input;
  const isStale =
    listSkipReason(decision.target.node, state, context) !== undefined ||
    isIntentTooOld(state.attempts, decision.key, context.now.mono);
  return skipReasonFor(input) ?? (isStale ? 'too_old' : undefined) ?? budgetSkipReason(input);
}

/** Returns the skip reason of an exhausted budget. Budgets do not apply to manual aborts. */
function budgetSkipReason(input: CheckInput): SkipReason | undefined {
  const { decision, state, context } = input;
  if (decision.manual !== undefined) return undefined;
  const { node } = decision.target;
  const spending = { node, key: decision.key, now: context.now.mono };
  return exhaustedBudget(context.settings.budgets, state.attempts, spending) === undefined ? undefined : 'budget';
}

/** Opens the circuit breaker of a query that was aborted too often, because its clients repeat it. */
function openSameQueryBreaker(state: GuardState, { target }: Decision, { settings, now }: StepContext): StepResult {
  const { aborts, within } = settings.breakers.sameQuery;
  const isSent = ({ key }: AbortAttempt) =>
    !['committing', 'preparing'].includes(state.decisions.get(key)?.phase ?? '');
  const tries = countRecentAttempts(state.breakers, state.attempts.filter(isSent), {
    target,
    since: now.mono - within,
  });
  const breaker = queryBreakerKey(target);
  if (tries < aborts || state.breakers.open.has(breaker)) return { state, outputs: [] };
  return {
    state: { ...state, breakers: openBreaker(state.breakers, breaker) },
    outputs: [{ kind: 'breaker', breaker, isOpen: true }],
  };
}

function proceedToOutcome(state: GuardState, decision: Decision, { now }: StepContext): StepResult {
  const outcome = outcomeFor(decision, now.mono);
  if (outcome === undefined) return { state, outputs: [] };
  return andThen(finishDecision(state, decision, { outcome, now }), (after) =>
    recordDecisionEnd(after, decision, { end: { outcome }, now }),
  );
}

function cancelDecision(state: GuardState, decision: Decision, skipReason: SkipReason): StepResult {
  return {
    state: withDecision(state, decision.key, undefined),
    outputs: [{ kind: 'cancelled', ...targetReference(decision), skipReason }],
  };
}

/** Reports each reason of a delay once. */
function recordDelay(state: GuardState, decision: Decision, reason: LateReason): StepResult {
  const { key, late = reason, delays = [] } = decision;
  if (delays.includes(reason)) return { state, outputs: [] };
  const isBudget = reason === 'node_budget' || reason === 'cluster_budget';
  return {
    state: withDecision(state, key, { ...decision, late, delays: [...delays, reason] }),
    outputs: [
      { kind: 'late', ...targetReference(decision), reason },
      ...(isBudget ? [{ kind: 'exhausted', budget: reason === 'node_budget' ? 'node' : 'cluster' } as const] : []),
    ],
  };
}

function byModeAndDueTime(one: Decision, other: Decision): number {
  if (one.mode !== other.mode) return one.mode === 'enforce' ? -1 : 1;
  return one.due - other.due || (one.key < other.key ? -1 : 1);
}

/** Creates the intent of a decision, which spends budget and excludes the query unless no request is sent. */
export function createIntent(input: CheckInput, policy: Policy | undefined): StepResult {
  const { decision } = input;
  return decision.mode === 'enforce'
    ? spendBudget(input, policy)
    : recordObserveModeAbort(input, buildIntent(input, policy));
}

function spendBudget(input: CheckInput, policy: Policy | undefined): StepResult {
  const { decision, state, context } = input;
  const entry = decisionKey(decision.target);
  const next: GuardState = {
    ...state,
    excludedKeys: new Set(state.excludedKeys).add(entry),
    attempts: [...state.attempts, createAttempt(decision, context.now.mono)],
    reliefChecks: [...state.reliefChecks, ...reliefChecksFor(input, policy)],
  };
  return {
    state: withDecision(
      next,
      decision.key,
      moveToPhase(decision, 'committing', { excludes: !state.excludedKeys.has(entry) }),
    ),
    outputs: [{ kind: 'intent', intent: buildIntent(input, policy), notify: policy?.notify ?? [] }],
  };
}

/** Ends the decision of an observing policy, which has a separate budget and reports each query once. */
function recordObserveModeAbort({ state, decision, context }: CheckInput, intent: Intent): StepResult {
  const { key, policy, target } = decision;
  const next: GuardState = {
    ...state,
    reportedKeys: new Set(state.reportedKeys).add(decisionKey(target)),
    observeModeAttempts: [...state.observeModeAttempts, createAttempt(decision, context.now.mono)],
  };
  return {
    state: withDecision(next, key, undefined),
    outputs: [{ kind: 'would_abort', key, policy, node: target.node, intent }],
  };
}

function buildIntent(input: CheckInput, policy: Policy | undefined): Intent {
  const { decision, context } = input;
  const { key, target, manual } = decision;
  return {
    ...target,
    key,
    cluster: context.cluster,
    policy: decision.policy,
    ...(manual === undefined ? {} : { manual: { by: manual.by, reason: manual.reason } }),
    at: context.now.wall,
    evidence: buildEvidence(input, policy),
  };
}

function buildEvidence(
  { decision, state, context, candidate, match }: CheckInput,
  policy: Policy | undefined,
): Evidence {
  const { node, id } = decision.target;
  const { histories, list } = state.views.get(node) ?? {};
  // The histories restart with a resume or a reload, and a manual abort does not wait for a confirmation.
  const { first, last } = histories?.get(id) ?? { first: list?.times, last: list?.times };
  const hasEvidence = match !== undefined || decision.manual !== undefined;
  if (candidate === undefined || first === undefined || last === undefined || !hasEvidence)
    throw new Error('the intent has no evidence');
  const inWall = (mono: Millis) => context.now.wall + mono - context.now.mono;
  return {
    age: candidate.age,
    ...(candidate.grantedTimeout === undefined ? {} : { grantedTimeout: candidate.grantedTimeout.most }),
    matchedAt: inWall(decision.matchedAt),
    due: inWall(decision.due),
    firstSeenAt: first.started.wall,
    lastSeenAt: last.started.wall,
    pressures: latestPressures(policy?.gate?.clauses ?? [], node, state.pressures),
  };
}

/** Returns the relief check of an abort: whether the pressures fall that opened the gate of the policy. */
function reliefChecksFor({ decision, state, context }: CheckInput, policy: Policy | undefined): readonly ReliefCheck[] {
  if (policy?.gate === undefined) return [];
  const { gate, name } = policy;
  const { key, target } = decision;
  const { node } = target;
  const isOpen = (clause: (typeof gate.clauses)[number]) =>
    gateSince(state.gates, { node, clause, now: context.now.mono }) !== undefined;
  const before = latestPressures(gate.clauses.filter(isOpen), node, state.pressures);
  return [{ key, policy: name, node, before, outcomeAt: undefined }];
}

/** Returns the current policy of a decision; undefined for a manual abort. */
export function policyOfDecision({ policy }: Decision, policies: readonly Policy[]): Policy | undefined {
  return policies.find(({ name }) => name === policy);
}

/**
 * Builds the abort command of a decision. Repeats the checks that no abort may ever violate, whatever was checked
 * before.
 */
export function buildAbortCommand({
  decision,
  state,
  context,
  candidate,
}: CheckInput): Result<AbortCommand, SkipReason> {
  const { key, mode, manual, target } = decision;
  const list = state.views.get(target.node)?.list;
  if (mode !== 'enforce') return err('mode');
  if (list === undefined || candidate === undefined) return err('not_listed');
  const { id, graph } = abortTargetOf(candidate, decision);
  if (!isVictimKind(candidate, decision)) return err('not_installed');
  if (manual === undefined && context.isProtected(candidate)) return err('protected');
  if (!isAbortable({ id, graph }, state.graphs)) return err('unknown_graph');
  return ok({ key, node: target.node, connection: list.connection, id, graph });
}
