import type { Millis } from '../../kernel/time.ts';
import { type NotReadyReason, notReadyReasons } from '../../model/not-ready.ts';
import { isCurrent } from '../gates.ts';
import type { GuardSettings, Policy } from '../policy.ts';
import { exhaustedBudget } from './budgets.ts';
import { credentialBreakerKey, policyBreakerKey, pressureKey } from './circuit-breakers.ts';
import { coverageProblem } from './coverage.ts';
import { effectiveInterval } from './list-rate-limit.ts';
import type { GuardState } from './state.ts';

/** Inputs of {@link notReadyReasonsOf} besides the state of the guard. */
export interface ReadinessContext {
  readonly settings: GuardSettings;
  /** Whether the process lists of the cluster are polled at all. */
  readonly isPolled: boolean;
  /** Whether the credentials for aborts cannot be read. */
  readonly lacksCredentials?: boolean;
  /** Time between two regular lists. */
  readonly interval: Millis;
  /** Monotonic clock. */
  readonly now: Millis;
}

interface ReadinessInput extends ReadinessContext {
  readonly state: GuardState;
  readonly policy: Pick<Policy, 'name' | 'gate'>;
  readonly node: string;
}

/** A list that is late by less than this is not missing: the node may take this long to answer. */
const lateListAllowance: Millis = 3000;

const checks: Readonly<Record<NotReadyReason, (input: ReadinessInput) => boolean>> = {
  state_not_loaded: ({ state }) => !state.status.isRestored,
  paused: ({ state }) => state.status.isPaused,
  state_not_durable: ({ state }) => !state.status.isAuditable,
  collector_off: ({ isPolled }) => !isPolled,
  list_failed: ({ state, node }) => (state.views.get(node)?.rejectedLists ?? 0) > 0,
  list_missing: (input) => !hasRecentList(input),
  // An abort needs the connection of its list.
  connection_closed: ({ state, node }) => state.views.get(node)?.list?.connection === '',
  other_cluster: ({ state, node, now }) => coverageProblem(node, state, now) === 'other_cluster',
  not_covered: ({ state, node, now }) => coverageProblem(node, state, now) === 'instance',
  graphs_unknown: ({ state }) => state.graphs.size === 0,
  credential_missing: ({ lacksCredentials }) => lacksCredentials === true,
  credential_refused: ({ state }) => state.breakers.open.has(credentialBreakerKey),
  breaker_open: ({ state, policy }) => state.breakers.open.has(policyBreakerKey(policy.name)),
  cluster_budget: (input) => spentBudget(input) === 'cluster',
  node_budget: (input) => spentBudget(input) === 'node',
  gate_unknown: isGateUnknown,
};

/** Returns why a policy cannot abort queries on a node, most important reason first; empty if it can. */
export function notReadyReasonsOf(
  policy: Pick<Policy, 'name' | 'gate'>,
  node: string,
  state: GuardState,
  context: ReadinessContext,
): readonly NotReadyReason[] {
  return notReadyReasons.filter((reason) => checks[reason]({ ...context, policy, node, state }));
}

function hasRecentList({ state, node, interval, now }: ReadinessInput): boolean {
  const view = state.views.get(node);
  if (view?.list === undefined) return false;
  return now - view.list.times.received.mono <= 2 * effectiveInterval(view.pace, interval) + lateListAllowance;
}

/** Returns whether missing values keep the gate of the policy closed, or the pressure after its last abort unknown. */
function isGateUnknown({ state, policy: { name, gate }, node, now }: ReadinessInput): boolean {
  if (gate === undefined) return false;
  const isUnknown = (source: string) => !isCurrent(state.pressures.get(pressureKey(node, source)), now);
  const unknown = gate.clauses.filter(({ source }) => isUnknown(source)).length;
  const check = state.reliefChecks.find((one) => one.policy === name && one.node === node);
  const isCheckable = check === undefined || !Object.keys(check.before).every(isUnknown);
  return !isCheckable || (gate.needs === 'all' ? unknown > 0 : unknown === gate.clauses.length);
}

function spentBudget({ settings, state, node, now }: ReadinessInput) {
  return exhaustedBudget(settings.budgets, state.attempts, { node, key: '', now });
}
