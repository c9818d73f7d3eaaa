import type { Millis } from '../../kernel/time.ts';
import { updateGates } from '../gates.ts';
import { expectedInstances, recordInstances } from '../instances.ts';
import { parseProcessList } from '../process-list.ts';
import { withAttemptTime } from './budgets.ts';
import {
  abortsWithoutRelief,
  credentialBreakerKey,
  hasPressureFallen,
  openBreaker,
  policyBreakerKey,
  pressureKey,
  recordRelief,
  resetBreaker,
} from './circuit-breakers.ts';
import { coverageProblem } from './coverage.ts';
import { moveToPhase } from './decision.ts';
import type { GuardInput } from './input.ts';
import { addManualRequest } from './manual-aborts.ts';
import { isBlind, type NodeView, type NodeViewUpdate, withList, withMissingList } from './node-view.ts';
import { reconcileResponse, returnDecision } from './outcomes.ts';
import type { GuardOutput } from './output.ts';
import { restoreState } from './restore-state.ts';
import {
  type GuardState,
  type GuardStatus,
  type StepContext,
  type StepResult,
  stepForEach,
  withDecision,
  withNodeView,
} from './state.ts';

/** Delay of the next attempt after a list request that was not sent. */
const retryDelay: Millis = 1000;

type InputOf<Kind extends GuardInput['kind']> = GuardInput & { readonly kind: Kind };

/** Applies an input to the state, before any decision. */
export function applyInput(state: GuardState, input: GuardInput, context: StepContext): StepResult {
  switch (input.kind) {
    case 'listed':
      return applyList(state, input, context);
    case 'unlisted':
      return applyMissingList(state, input, context);
    case 'list_not_sent':
      return withoutOutputs(applySkippedList(state, input, context));
    case 'gate_value':
      return applyPressure(state, input, context);
    case 'committed':
      return withoutOutputs(applyCommit(state, input));
    case 'sending':
      return withoutOutputs(applySending(state, input));
    case 'answered':
      return applyAbortResponse(state, input, context);
    case 'manual':
      return addManualRequest(state, input, context);
    case 'reset':
      return applyBreakerReset(state, input, context);
    case 'restored':
      return withoutOutputs(restoreState(state, input.kept, context.now));
    case 'graphs':
      return withoutOutputs(applyGraphs(state, new Set(input.names)));
    case 'shared':
      return applySharedNodes(state, new Set(input.nodes), context);
    case 'paused':
      return withoutOutputs(applyPause(state, input.isPaused));
    case 'audit':
      return withoutOutputs(withStatus(state, { isAuditable: input.isWritable }));
    case 'stop':
      return withoutOutputs(withStatus(state, { isStopping: true }));
    case 'tick':
      break;
  }
  return withoutOutputs(state);
}

/** After a pause, each query needs a new confirmation, and thus gets a new grace period. */
function applyPause(state: GuardState, isPaused: boolean): GuardState {
  const next = withStatus(state, { isPaused });
  if (isPaused || !state.status.isPaused) return next;
  const views = [...state.views].map(([node, view]) => [node, { ...view, histories: new Map() }] as const);
  return { ...next, views: new Map(views) };
}

/** Queries of an unknown graph were not eligible, so they need a new confirmation and their grace period starts now. */
function applyGraphs(state: GuardState, graphs: ReadonlySet<string>): GuardState {
  if ([...graphs].every((graph) => state.graphs.has(graph))) return { ...state, graphs };
  const isNew = (graph: string | undefined) => graph !== undefined && graphs.has(graph) && !state.graphs.has(graph);
  const views = [...state.views].map(([node, view]) => {
    const { histories, startEstimates } = view;
    const left = [...histories].filter(([id]) => !isNew(startEstimates.get(id)?.first.graph));
    return [node, { ...view, histories: new Map(left) }] as const;
  });
  return { ...state, graphs, views: new Map(views) };
}

function applyList(state: GuardState, input: InputOf<'listed'>, context: StepContext): StepResult {
  const { node, body, times } = input;
  const before = state.views.get(node);
  if (before === undefined) return withoutOutputs(state);
  const now = times.received.mono;
  const answer = parseProcessList(body, before.list?.candidates);
  const instances = recordInstances(state.instances, node, answer.ok ? answer.value.instances : new Set(), now);
  const own = expectedInstances(instances, node, now);
  const { confirmSettings, interval } = context;
  const known = withList(before, input, { answer, instances: own, confirmSettings, interval });
  const next = updateNode({ ...state, instances }, { node, before, viewed: known }, context);
  return known.skipReason === undefined ? { ...next, state: recordVerification(next.state, input) } : next;
}

function applyMissingList(
  state: GuardState,
  { node, skipReason, started, listTime }: InputOf<'unlisted'>,
  context: StepContext,
): StepResult {
  const before = state.views.get(node);
  if (before === undefined) return withoutOutputs(state);
  const { now, interval } = context;
  const request = { started: started?.mono, now: now.mono, listTime, interval };
  const viewed = withMissingList(before, request, skipReason);
  return updateNode(state, { node, before, viewed }, context);
}

function applySkippedList(state: GuardState, { node }: InputOf<'list_not_sent'>, { now }: StepContext): GuardState {
  const view = state.views.get(node);
  if (view === undefined) return state;
  return withNodeView(state, node, {
    ...view,
    pace: { ...view.pace, isRequesting: false, notBefore: now.mono + retryDelay },
  });
}

interface NodeListUpdate {
  readonly node: string;
  readonly before: NodeView;
  readonly viewed: NodeViewUpdate;
}

function updateNode(
  state: GuardState,
  { node, before, viewed: { view, skippedEntries, skipReason } }: NodeListUpdate,
  { now }: StepContext,
): StepResult {
  const isCovered = coverageProblem(node, state, now.mono) === undefined;
  const isNowBlind = isBlind(view);
  const outputs: readonly GuardOutput[] = [
    ...skippedEntries.map((reason) => ({ kind: 'skipped', scope: 'entry', node, reason }) as const),
    ...(skipReason === undefined ? [] : [{ kind: 'skipped', scope: 'node', node, reason: skipReason } as const]),
    ...(isNowBlind === isBlind(before) ? [] : [{ kind: 'blind', node, isBlind: isNowBlind } as const]),
    ...(isCovered === before.isCovered ? [] : [{ kind: 'covered', node, isCovered } as const]),
  ];
  return { state: withNodeView(state, node, { ...view, isCovered }), outputs };
}

/** Updates the shared nodes. Only the first cluster guards a node, because two guards would spend two budgets on it. */
function applySharedNodes(state: GuardState, sharedNodes: ReadonlySet<string>, { now }: StepContext): StepResult {
  return stepForEach({ ...state, sharedNodes }, state.views, (before, [node, view]) => {
    const isCovered = coverageProblem(node, before, now.mono) === undefined;
    return {
      state: withNodeView(before, node, { ...view, isCovered }),
      outputs: isCovered === view.isCovered ? [] : [{ kind: 'covered', node, isCovered }],
    };
  });
}

/** A valid list that was requested after the abort call shows whether the query is gone. */
function recordVerification(state: GuardState, { node, times }: InputOf<'listed'>): GuardState {
  const ids = state.views.get(node)?.list?.ids;
  const watched = [...state.decisions.values()].filter(
    ({ target, sentAt }) => target.node === node && sentAt !== undefined && sentAt <= times.started.mono,
  );
  return watched.reduce((before, decision) => {
    const changes = ids?.has(decision.target.id)
      ? { absences: 0, listedAt: times.started.mono }
      : { absences: decision.absences + 1 };
    return withDecision(before, decision.key, { ...decision, ...changes });
  }, state);
}

function applyPressure(state: GuardState, { pressure }: InputOf<'gate_value'>, context: StepContext): StepResult {
  const { node, source } = pressure;
  const next: GuardState = {
    ...state,
    gates: updateGates(state.gates, pressure, context.gateClauses),
    pressures: new Map(state.pressures).set(pressureKey(node, source), pressure),
  };
  const evaluated = state.reliefChecks.flatMap((one) => {
    const fell = hasPressureFallen(one, pressure);
    return fell === undefined ? [] : [{ ...one, fell }];
  });
  return stepForEach(next, evaluated, (before, { key, policy, fell }) => {
    const breakers = recordRelief(before.breakers, policy, { isRelieved: fell, settings: context.settings.breakers });
    const breaker = policyBreakerKey(policy);
    const isNew = breakers.open.has(breaker) && !before.breakers.open.has(breaker);
    return {
      state: { ...before, breakers, reliefChecks: before.reliefChecks.filter((one) => one.key !== key) },
      outputs: [
        { kind: 'relief', policy, node, aborts: abortsWithoutRelief(breakers, policy) },
        ...(isNew ? [{ kind: 'breaker', breaker, isOpen: true } as const] : []),
      ],
    };
  });
}

/** After a failed write no other row is written until an `audit` input reports that writes succeed again. */
function applyCommit(state: GuardState, { key, isOnDisk }: InputOf<'committed'>): GuardState {
  const next = isOnDisk ? state : withStatus(state, { isAuditable: false });
  const decision = next.decisions.get(key);
  return decision?.phase === 'committing' ? withDecision(next, key, { ...decision, isOnDisk }) : next;
}

function applySending(state: GuardState, { key }: InputOf<'sending'>): GuardState {
  const decision = state.decisions.get(key);
  return decision?.phase === 'preparing' ? withDecision(state, key, { ...decision, isReady: true }) : state;
}

function applyAbortResponse(state: GuardState, { key, answer }: InputOf<'answered'>, { now }: StepContext): StepResult {
  const decision = state.decisions.get(key);
  if (decision?.phase === 'preparing') return returnDecision(state, decision, { skipReason: 'connection', now });
  if (decision?.phase !== 'sent') return withoutOutputs(state);
  const { answer: known, isUnexpected } = reconcileResponse(answer, decision.target.id);
  // The server may have received the request as late as now.
  const attempts = withAttemptTime(state.attempts, key, now.mono);
  const next = withDecision({ ...state, attempts }, key, moveToPhase(decision, 'verifying', { answer: known }));
  if (answer.kind === 'refused' && answer.isUnauthorized === true) return openCredentialBreaker(next);
  if (!isUnexpected) return withoutOutputs(next);
  return { state: withStatus(next, { isPaused: true }), outputs: [{ kind: 'pause', reason: 'unexpected_id' }] };
}

/** Further aborts with a refused credential would only spend budget. */
function openCredentialBreaker(state: GuardState): StepResult {
  if (state.breakers.open.has(credentialBreakerKey)) return withoutOutputs(state);
  return {
    state: { ...state, breakers: openBreaker(state.breakers, credentialBreakerKey) },
    outputs: [{ kind: 'breaker', breaker: credentialBreakerKey, isOpen: true }],
  };
}

function applyBreakerReset(state: GuardState, { breaker }: InputOf<'reset'>, { now }: StepContext): StepResult {
  if (!state.breakers.open.has(breaker)) return withoutOutputs(state);
  return {
    state: { ...state, breakers: resetBreaker(state.breakers, breaker, now.mono) },
    outputs: [{ kind: 'breaker', breaker, isOpen: false }],
  };
}

function withStatus(state: GuardState, changes: Partial<GuardStatus>): GuardState {
  return { ...state, status: { ...state.status, ...changes } };
}

function withoutOutputs(state: GuardState): StepResult {
  return { state, outputs: [] };
}
