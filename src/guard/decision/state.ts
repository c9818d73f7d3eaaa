import type { Instant, Millis } from '../../kernel/time.ts';
import type { Candidate } from '../candidate.ts';
import type { GateStates, Pressure } from '../gates.ts';
import type { MatchingGroups } from '../groups.ts';
import { type InstanceMap, initialInstances } from '../instances.ts';
import type { Match, QueryMatcher } from '../matcher.ts';
import type { ConfirmSettings, GateClause, GuardSettings, Policy } from '../policy.ts';
import type { AbortAttempt } from './budgets.ts';
import { type CircuitBreakers, initialCircuitBreakers, type ReliefCheck } from './circuit-breakers.ts';
import type { Decision, ManualAbortRequest } from './decision.ts';
import type { NodeView } from './node-view.ts';
import type { GuardOutput } from './output.ts';

/** State of the guard of one cluster. Immutable. */
export interface GuardState {
  /** Time of the latest step; undefined before the first. */
  readonly at: Instant | undefined;
  readonly status: GuardStatus;
  readonly graphs: ReadonlySet<string>;
  readonly instances: InstanceMap;
  /** Views of all configured nodes. */
  readonly views: ReadonlyMap<string, NodeView>;
  readonly gates: GateStates;
  /** Latest value of each node and source. */
  readonly pressures: ReadonlyMap<string, Pressure>;
  readonly groups: MatchingGroups;
  /** Current matches of the policies, by the latest step; the API shows them as well. */
  readonly matches: readonly Match[];
  readonly upcoming: readonly Match[];
  /** Decisions in progress, by key. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** Manual aborts that wait for a list. */
  readonly manualRequests: readonly ManualAbortRequest[];
  readonly attempts: readonly AbortAttempt[];
  /** Attempts that observing policies would have made. */
  readonly observeModeAttempts: readonly AbortAttempt[];
  /** Keys of all queries that had an intent; never removed. */
  readonly excludedKeys: ReadonlySet<string>;
  /** Queries whose intents ended without a request, by key: they may be retried. */
  readonly retries: ReadonlyMap<string, AbortRetry>;
  readonly foreignEnds: ForeignEnds;
  /** Nodes that an earlier cluster of the configuration has as well, and guards. */
  readonly sharedNodes: ReadonlySet<string>;
  /** Keys of queries that an observing policy would have aborted, so that each is reported once. */
  readonly reportedKeys: ReadonlySet<string>;
  readonly breakers: CircuitBreakers;
  readonly reliefChecks: readonly ReliefCheck[];
}

/** Why the guard does not cover a node: its instance is not known, or an earlier cluster has the same node. */
export type CoverageProblem = 'instance' | 'other_cluster';

/** Ends of queries that a second guard would explain. */
export interface ForeignEnds {
  /** Queries in a row that were gone at their earliest abort time, or when the abort request arrived. */
  readonly inRow: number;
  /** Of the latest abort requests with a known outcome, whether the query was gone when the request arrived. */
  readonly lost: readonly boolean[];
}

/** Initial state: no sign of a second guard. */
export const noForeignEnds: ForeignEnds = { inRow: 0, lost: [] };

/** Retry of an abort whose request was not sent. */
export interface AbortRetry {
  /** Number of earlier intents of the query. */
  readonly count: number;
  /** On the monotonic clock. */
  readonly notBefore: Millis;
}

/** Conditions of the guard as a whole. */
export interface GuardStatus {
  /** Whether the stored state of earlier runs is loaded. */
  readonly isRestored: boolean;
  readonly isPaused: boolean;
  /** Whether rows of the audit can be written. */
  readonly isAuditable: boolean;
  readonly isStopping: boolean;
}

/** Inputs of a step in addition to the state. */
export interface StepContext {
  readonly cluster: string;
  readonly settings: GuardSettings;
  /** Policies of the settings that apply to the cluster. */
  readonly policies: readonly Policy[];
  /** Confirmation settings of the policies, in the order of the policies. */
  readonly confirmSettings: readonly ConfirmSettings[];
  readonly gateClauses: readonly GateClause[];
  readonly matcher: QueryMatcher;
  readonly isProtected: (candidate: Candidate) => boolean;
  /** Time between two regular lists. */
  readonly interval: Millis;
  readonly now: Instant;
}

/** Result of a step. */
export interface StepResult {
  readonly state: GuardState;
  readonly outputs: readonly GuardOutput[];
}

/** Returns the initial state; `instances` are the configured instances of nodes. */
export function initialState(instances: Readonly<Record<string, string>> = {}): GuardState {
  return {
    at: undefined,
    status: { isRestored: false, isPaused: false, isAuditable: true, isStopping: false },
    graphs: new Set(),
    instances: initialInstances(instances),
    views: new Map(),
    gates: new Map(),
    pressures: new Map(),
    groups: new Map(),
    matches: [],
    upcoming: [],
    decisions: new Map(),
    manualRequests: [],
    attempts: [],
    observeModeAttempts: [],
    excludedKeys: new Set(),
    retries: new Map(),
    foreignEnds: noForeignEnds,
    sharedNodes: new Set(),
    reportedKeys: new Set(),
    breakers: initialCircuitBreakers,
    reliefChecks: [],
  };
}

/** Continues a step with another one, and joins their outputs. */
export function andThen(step: StepResult, next: (state: GuardState) => StepResult): StepResult {
  const after = next(step.state);
  return { state: after.state, outputs: [...step.outputs, ...after.outputs] };
}

/** Makes one step for each item, in order. */
export function stepForEach<Item>(
  state: GuardState,
  items: Iterable<Item>,
  next: (state: GuardState, item: Item) => StepResult,
): StepResult {
  const outputs: GuardOutput[] = [];
  let before = state;
  for (const item of items) {
    const step = next(before, item);
    before = step.state;
    outputs.push(...step.outputs);
  }
  return { state: before, outputs };
}

/** Returns the state with a decision, or without it if it is undefined. */
export function withDecision(state: GuardState, key: string, decision: Decision | undefined): GuardState {
  const decisions = new Map(state.decisions);
  if (decision === undefined) decisions.delete(key);
  else decisions.set(key, decision);
  return { ...state, decisions };
}

/** Returns the state with the view of a node. */
export function withNodeView(state: GuardState, node: string, view: NodeView): GuardState {
  return { ...state, views: new Map(state.views).set(node, view) };
}
