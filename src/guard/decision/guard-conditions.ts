import { isGraphName, parseRequestId } from '../../graphdb/query-identity.ts';
import type { Millis } from '../../kernel/time.ts';
import type { Candidate } from '../candidate.ts';
import { confirmedAt } from '../confirmation.ts';
import { pinnedInstance } from '../instances.ts';
import type { Match } from '../matcher.ts';
import { effectiveMode, type Policy } from '../policy.ts';
import { staleness } from '../process-list.ts';
import { type AbortAttempt, budgetAvailableAt, cooldownUntil, exhaustedBudget } from './budgets.ts';
import { countRecentAttempts, credentialBreakerKey, policyBreakerKey, queryBreakerKey } from './circuit-breakers.ts';
import { coverageProblem } from './coverage.ts';
import type { AbortTarget, Decision, LateReason, OperatorRequest, SkipReason } from './decision.ts';
import { isKeptOldest } from './kept-oldest.ts';
import { matchableList } from './matchable-list.ts';
import type { ValidList } from './node-view.ts';
import type { GuardState, GuardStatus, StepContext } from './state.ts';

/** Input of the guard conditions. */
export interface CheckInput {
  readonly decision: Decision;
  readonly state: GuardState;
  readonly context: StepContext;
  /** Candidate of the latest valid list of the node; undefined if the list lacks the query. */
  readonly candidate: Candidate | undefined;
  readonly match: Match | undefined;
}

type GuardCondition<Input> = readonly [skipReason: SkipReason, fails: (input: Input) => boolean];

const globalConditions: readonly GuardCondition<GuardStatus>[] = [
  ['not_restored', ({ isRestored }) => !isRestored],
  ['paused', ({ isPaused }) => isPaused],
  ['audit', ({ isAuditable }) => !isAuditable],
  ['stopping', ({ isStopping }) => isStopping],
];

/** Conditions that must hold when a decision starts, before its intent is stored, and again before the abort call. */
const decisionConditions: readonly GuardCondition<CheckInput>[] = [
  [
    'mode',
    ({ decision, match, context }) =>
      currentMode(decision.policy, context) !== decision.mode || hasOtherMode(match, decision),
  ],
  ['not_covered', ({ decision, state }) => !state.views.has(decision.target.node)],
  ['too_old', (input) => listOf(input) === undefined],
  [
    'malformed_entry',
    (input) => input.candidate === undefined && listOf(input)?.ids.has(input.decision.target.id) === true,
  ],
  ['not_listed', ({ candidate, decision }) => candidate?.observation.startTime !== decision.target.startTime],
  ['not_covered', (input) => !isCovered(input)],
  // A new confirmation since the match, for example after a clock step, would need a new grace period.
  ['unconfirmed', (input) => (confirmedSince(input) ?? Number.POSITIVE_INFINITY) > input.decision.matchedAt],
  ['not_installed', ({ candidate, decision }) => !isVictimKind(candidate, decision)],
  ['protected', ({ candidate, context }) => candidate === undefined || context.isProtected(candidate)],
  ['not_matched', ({ match, decision }) => match?.owns !== true || match.policy.name !== decision.policy],
  ['kept_oldest', isKeptOldest],
  [
    'unknown_graph',
    ({ candidate, decision, state }) =>
      candidate === undefined || !isAbortable(abortTargetOf(candidate, decision), state.graphs),
  ],
  ['breaker', ({ decision, state }) => isBreakerOpen(decision, state)],
];

/** Guard conditions that a manual abort overrides. It also overrides a pause if the operator requests that. */
const overriddenByOperator: ReadonlySet<SkipReason> = new Set([
  'mode',
  'unconfirmed',
  'protected',
  'not_matched',
  'kept_oldest',
  'breaker',
]);

/** Returns the first reason to skip a decision; undefined if all guard conditions hold. */
export function skipReasonFor(input: CheckInput): SkipReason | undefined {
  const { manual } = input.decision;
  const skipReason = globalSkipReason(input.state.status, manual);
  if (skipReason !== undefined) return skipReason;
  return decisionConditions.find(
    ([one, fails]) => !(manual !== undefined && overriddenByOperator.has(one)) && fails(input),
  )?.[0];
}

/** Returns the first reason why the guard aborts no query at all now, for a policy or for an operator. */
export function globalSkipReason(status: GuardStatus, manual: Pick<OperatorRequest, 'whilePaused'> | undefined) {
  const applies = (skipReason: SkipReason) => skipReason !== 'paused' || manual?.whilePaused !== true;
  return globalConditions.find(([skipReason, fails]) => applies(skipReason) && fails(status))?.[0];
}

/** Collects the input of the guard conditions for a decision. */
export function checkInputFor(decision: Decision, state: GuardState, context: StepContext): CheckInput {
  const { node, id } = decision.target;
  const candidate = state.views.get(node)?.list?.candidates.get(id);
  const match = state.matches.find((one) => one.candidate === candidate && one.owns);
  return { decision, state, context, candidate, match };
}

/** Returns why the latest valid list of a node is too old or too slow to act on; undefined if it is usable. */
export function listSkipReason(node: string, state: GuardState, { now }: Pick<StepContext, 'now'>) {
  const times = state.views.get(node)?.list?.times;
  return times === undefined ? 'too_old' : staleness(times, now);
}

/**
 * Returns why the latest valid list is too old or too slow for a new intent, which must be on disk before the list is
 * too old. The list must stay usable for as long again as it has waited so far, because an intent that is stored too
 * late would exclude its query without an abort.
 */
export function intentSkipReason(node: string, state: GuardState, { now }: Pick<StepContext, 'now'>) {
  const times = state.views.get(node)?.list?.times;
  const waited = times === undefined ? 0 : now.mono - times.received.mono;
  return listSkipReason(node, state, { now: { wall: now.wall + waited, mono: now.mono + waited } });
}

/** Returns the count of observations of a matching query, by the confirmation setting of its policy. */
export function observationCountOf(
  { candidate: { node, observation }, policy }: Match,
  state: GuardState,
  { confirmSettings }: StepContext,
) {
  return state.views.get(node)?.histories.get(observation.id)?.counts[confirmSettings.indexOf(policy.confirm)];
}

/** Returns when a query was confirmed by the setting of its policy, on the monotonic clock; undefined if it is not. */
export function confirmedSince({ decision, state, context }: Pick<CheckInput, 'decision' | 'state' | 'context'>) {
  const { node, id } = decision.target;
  const confirmation = state.views.get(node)?.histories.get(id);
  const index = context.policies.findIndex(({ name }) => name === decision.policy);
  return confirmation === undefined ? undefined : confirmedAt(confirmation, index);
}

/** Returns whether an abort request can name the query: the id is well-formed, and the graph belongs to the cluster. */
export function isAbortable(
  { id, graph }: Pick<AbortTarget, 'id' | 'graph'>,
  knownGraphs: ReadonlySet<string>,
): boolean {
  return parseRequestId(id) !== undefined && isGraphName(graph) && knownGraphs.has(graph);
}

/** Policies abort installed queries only; an operator may abort an interpreted query, and names its graph. */
export function isVictimKind(candidate: Candidate | undefined, { manual }: Pick<Decision, 'manual'>): boolean {
  const kind = candidate?.observation.kind;
  return kind === 'installed' || (kind === 'interpreted' && manual?.graph !== undefined);
}

/**
 * The id and the graph of an abort request, both from the entry itself; an operator names the graph of an interpreted
 * query.
 */
export function abortTargetOf(
  { observation: { id, graph, kind } }: Candidate,
  { manual }: Pick<Decision, 'manual'>,
): Pick<AbortTarget, 'id' | 'graph'> {
  return { id, graph: kind === 'interpreted' ? (manual?.graph ?? '') : graph };
}

function listOf({ decision, state, context }: CheckInput): ValidList | undefined {
  const view = state.views.get(decision.target.node);
  return view && matchableList(view, context);
}

function currentMode(name: string, { settings }: StepContext) {
  const policy = settings.policies.find((one) => one.name === name);
  return policy === undefined ? undefined : effectiveMode(settings, policy);
}

function hasOtherMode(match: Match | undefined, { mode }: Decision): boolean {
  return match !== undefined && match.mode !== mode;
}

function isCovered({ decision, candidate, state, context }: CheckInput): boolean {
  const { node } = decision.target;
  if (coverageProblem(node, state, context.now.mono) !== undefined) return false;
  const own = pinnedInstance(state.instances, node, context.now.mono);
  return own !== undefined && own === candidate?.observation.instance;
}

/** Returns the latest possible start of a query, on the monotonic clock. */
export function startTimeOf({ at, age }: Pick<Candidate, 'at' | 'age'>): Millis {
  return at - age.least;
}

function isBreakerOpen({ policy, target }: Decision, { breakers }: GuardState): boolean {
  return [queryBreakerKey(target), policyBreakerKey(policy), credentialBreakerKey].some((key) =>
    breakers.open.has(key),
  );
}

/** Reason that delays the intent of a decision. */
export interface Delay {
  readonly reason: Exclude<LateReason, 'reserve' | 'bucket' | 'list'> | 'same_query';
  /** End of the delay; undefined if it does not end by time alone. */
  readonly until: Millis | undefined;
}

/**
 * Returns why a decision has to wait although all guard conditions hold: a pending relief check, a cooldown, other
 * attempts at the same query, or an exhausted budget. A manual abort does not wait.
 */
export function delayFor(decision: Decision, state: GuardState, context: StepContext): Delay | undefined {
  if (decision.manual !== undefined) return undefined;
  const { settings, now } = context;
  const policy = settings.policies.find(({ name }) => name === decision.policy);
  if (policy === undefined) return undefined;
  const attempts = attemptsForMode(decision, state);
  const delay = cooldownDelay(decision, { state, policy, attempts });
  if (delay !== undefined && delay.until === undefined) return delay;
  if (delay?.until !== undefined && now.mono < delay.until) return delay;
  if (isSameQueryLimitReached(decision, state, context)) return { reason: 'same_query', until: undefined };
  return budgetDelay(decision, attempts, context);
}

/** Returns the attempts of all policies in the mode of a decision. Observing policies have separate budgets. */
export function attemptsForMode({ mode }: Pick<Decision, 'mode'>, state: GuardState): readonly AbortAttempt[] {
  return mode === 'enforce' ? state.attempts : state.observeModeAttempts;
}

/** Returns whether the query has as many recent attempts, finished or not, as its circuit breaker allows. */
export function isSameQueryLimitReached(
  { key, target, mode }: Decision,
  state: GuardState,
  { settings, now }: StepContext,
): boolean {
  const { aborts, within } = settings.breakers.sameQuery;
  const attempts = attemptsForMode({ mode }, state);
  return countRecentAttempts(state.breakers, attempts, { target, key, since: now.mono - within }) >= aborts;
}

function cooldownDelay(
  { key, target: { node }, mode }: Decision,
  {
    state,
    policy,
    attempts,
  }: { readonly state: GuardState; readonly policy: Policy; readonly attempts: readonly AbortAttempt[] },
): Delay | undefined {
  const { name, cooldown } = policy;
  const isChecked = state.reliefChecks.some((one) => one.policy === name && one.node === node && one.key !== key);
  if (isChecked && mode === 'enforce') return { reason: 'relief', until: undefined };
  return { reason: 'cooldown', until: cooldownUntil(attempts, { policy: name, node, key }, cooldown) };
}

function budgetDelay(
  decision: Decision,
  attempts: readonly AbortAttempt[],
  { settings, now }: StepContext,
): Delay | undefined {
  const { node } = decision.target;
  const exhausted = exhaustedBudget(settings.budgets, attempts, { node, key: decision.key, now: now.mono });
  if (exhausted === undefined) return undefined;
  if (exhausted === 'cluster')
    return { reason: 'cluster_budget', until: budgetAvailableAt(settings.budgets.perCluster, attempts) };
  const onNode = attempts.filter((one) => one.node === node);
  return { reason: 'node_budget', until: budgetAvailableAt(settings.budgets.perNode, onNode) };
}
