import { parseRequestId } from '../../graphdb/query-identity.ts';
import type { Millis } from '../../kernel/time.ts';
import type { Candidate } from '../candidate.ts';
import type { ManualAbortRequest, ManualSkipReason } from './decision.ts';
import { type Decision, decisionKey, isTentative, repeatDecisionKey, targetReference } from './decision.ts';
import { checkInputFor, globalSkipReason, listSkipReason, skipReasonFor } from './guard-conditions.ts';
import type { GuardInput } from './input.ts';
import type { EndedQuery } from './output.ts';
import { type GuardState, type StepContext, type StepResult, stepForEach, withDecision } from './state.ts';

/** Time for which a manual abort waits for a list. */
const listTimeout: Millis = 10_000;

/** Returns the time at which a request without a list expires. */
export function expiresAt({ requestedAt }: ManualAbortRequest): Millis {
  return requestedAt + listTimeout;
}

/** Adds a request, or declines it if no list can change that. A repeated request shares the result of the first. */
export function addManualRequest(
  state: GuardState,
  { node, id, by, reason, whilePaused, graph }: GuardInput & { readonly kind: 'manual' },
  { now }: Pick<StepContext, 'now'>,
): StepResult {
  const named = graph === undefined ? {} : { graph };
  const request: ManualAbortRequest = { node, id, by, reason, whilePaused, ...named, requestedAt: now.mono };
  const isWaiting = state.manualRequests.some((one) => one.node === node && one.id === id);
  if (isWaiting) return { state, outputs: [] };
  if (parseRequestId(id) === undefined) return declineRequest(state, request, 'malformed_id');
  if (!state.views.has(node)) return declineRequest(state, request, 'unknown_node');
  if (findDecision(request, state, hasIntent) !== undefined) return declineRequest(state, request, 'in_progress');
  return { state: { ...state, manualRequests: [...state.manualRequests, request] }, outputs: [] };
}

/** Decides the requests that have a list by now, and declines those that waited too long. */
export function decideManualRequests(state: GuardState, context: StepContext): StepResult {
  return stepForEach(state, state.manualRequests, (before, request) => decideManualRequest(before, request, context));
}

function decideManualRequest(state: GuardState, request: ManualAbortRequest, context: StepContext): StepResult {
  const globalReason = globalSkipReason(state.status, request);
  if (globalReason !== undefined) return declineRequest(state, request, globalReason);
  const list = state.views.get(request.node)?.list;
  const isFresh = list !== undefined && list.times.started.mono >= request.requestedAt;
  if (!isFresh || listSkipReason(request.node, state, context) !== undefined)
    return context.now.mono < expiresAt(request) ? { state, outputs: [] } : declineRequest(state, request, 'no_list');
  const candidate = list.candidates.get(request.id);
  if (candidate === undefined) {
    if (list.ids.has(request.id)) return declineRequest(state, request, 'malformed_entry');
    return decideAbsent(state, request, list.times.started.mono);
  }
  if (findDecision(request, state, hasIntent) !== undefined) return declineRequest(state, request, 'in_progress');
  const decision = createManualDecision(request, candidate, { state, context });
  const skipReason = skipReasonFor(checkInputFor(decision, state, context));
  return skipReason === undefined
    ? startManualDecision(withoutRequest(request, state), decision)
    : declineRequest(state, request, skipReason);
}

/** One list may lack a query that runs: a query that was listed before has ended if a second list lacks it as well. */
function decideAbsent(state: GuardState, request: ManualAbortRequest, startedAt: Millis): StepResult {
  const { node, id, absentAt = startedAt } = request;
  const { startEstimates, histories } = state.views.get(node) ?? {};
  const known = startEstimates?.get(id)?.first;
  if (known === undefined) return declineRequest(state, request, 'not_listed');
  if (startedAt > absentAt) {
    const { graph, query, elapsed } = known;
    return declineRequest(state, request, 'not_listed', {
      graph,
      query,
      age: histories?.get(id)?.last.elapsed ?? elapsed,
    });
  }
  const waiting = state.manualRequests.map((one) => (one === request ? { ...one, absentAt } : one));
  return { state: { ...state, manualRequests: waiting }, outputs: [] };
}

function createManualDecision(
  { node, id, by, reason, whilePaused, graph: given, requestedAt }: ManualAbortRequest,
  { observation: { startTime, graph: own, query, kind } }: Candidate,
  { state, context }: { readonly state: GuardState; readonly context: StepContext },
): Decision {
  const graph = kind === 'interpreted' ? (given ?? '') : own;
  const target = { node, id, startTime, graph, query };
  const key = decisionKey(target);
  return {
    key: state.excludedKeys.has(key) || state.retries.has(key) ? repeatDecisionKey(target, context.now.wall) : key,
    target,
    policy: '',
    manual: { by, reason, whilePaused, ...(given === undefined ? {} : { graph: given }) },
    mode: 'enforce',
    matchedAt: requestedAt,
    due: requestedAt,
    phase: 'fresh',
    absences: 0,
  };
}

/** Starts a manual decision. It replaces a policy's decision for the same query that has no intent yet. */
function startManualDecision(state: GuardState, decision: Decision): StepResult {
  const { key, policy, target } = decision;
  const { node } = target;
  const earlier = findDecision(target, state, isTentative);
  const after = earlier === undefined ? state : withDecision(state, earlier.key, undefined);
  return {
    state: withDecision(after, key, decision),
    outputs: [
      ...(earlier === undefined
        ? []
        : [{ kind: 'cancelled', ...targetReference(earlier), skipReason: 'manual_abort' } as const]),
      { kind: 'began', key, policy, node, decision },
    ],
  };
}

function findDecision(
  { node, id }: Pick<ManualAbortRequest, 'node' | 'id'>,
  { decisions }: GuardState,
  isSuch: (decision: Decision) => boolean,
): Decision | undefined {
  return [...decisions.values()].find((one) => one.target.node === node && one.target.id === id && isSuch(one));
}

function hasIntent(decision: Decision): boolean {
  return !isTentative(decision);
}

function declineRequest(
  state: GuardState,
  request: ManualAbortRequest,
  skipReason: ManualSkipReason,
  ended?: EndedQuery,
): StepResult {
  const { node, id } = request;
  return {
    state: withoutRequest(request, state),
    outputs: [{ kind: 'declined', node, id, skipReason, ...(ended === undefined ? {} : { ended }) }],
  };
}

function withoutRequest(request: ManualAbortRequest, state: GuardState): GuardState {
  return { ...state, manualRequests: state.manualRequests.filter((one) => one !== request) };
}
