import type { Instant, Millis } from '../../kernel/time.ts';
import type { Candidate } from '../candidate.ts';
import type { GateStates, Pressure } from '../gates.ts';
import type { MatchingGroups } from '../groups.ts';
import { type InstanceMap, initialInstances } from '../instances.ts';
import type { Match, Matcher } from '../matcher.ts';
import type { ConfirmSettings, GateClause, GuardSettings, Policy } from '../policy.ts';
import type { Attempt } from './budgets.ts';
import { type CircuitBreakers, initialCircuitBreakers, type ReliefCheck } from './circuit-breakers.ts';
import type { Decision, ManualAbortRequest } from './decision.ts';
import type { NodeView } from './node-view.ts';
import type { GuardOutput } from './output.ts';

/** All that the guard of one cluster knows. Values are never changed in place. */
export interface GuardState {
  /** Of the latest step; undefined before the first. */
  readonly at: Instant | undefined;
  readonly standing: GuardStatus;
  readonly graphs: ReadonlySet<string>;
  readonly instances: InstanceMap;
  /** By node, all that are configured. */
  readonly views: ReadonlyMap<string, NodeView>;
  readonly gates: GateStates;
  /** The latest of each node and source. */
  readonly pressures: ReadonlyMap<string, Pressure>;
  readonly groups: MatchingGroups;
  /** What policies mean at present, by the latest step; for those who look, too. */
  readonly matches: readonly Match[];
  readonly upcoming: readonly Match[];
  /** What is under way, by key. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** What operators ask for by hand, until there is a list to go by. */
  readonly manualRequests: readonly ManualAbortRequest[];
  readonly attempts: readonly Attempt[];
  /** What observing policies would have spent. */
  readonly shadowAttempts: readonly Attempt[];
  /** Keys of all entries for which there was an intent, for ever. */
  readonly excludedKeys: ReadonlySet<string>;
  /** Entries whose earlier intents did not exclude them, by key: no call of them ever left. */
  readonly retries: ReadonlyMap<string, AbortRetry>;
  readonly foreignEnds: ForeignEnds;
  /** Nodes that another cluster has, too, which comes first: that one guards them. */
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

/** The ends of queries point to no second guard. */
export const noForeignEnds: ForeignEnds = { inRow: 0, lost: [] };

/** When an abort that was never sent may be tried again. */
export interface AbortRetry {
  /** Earlier intents of the entry. */
  readonly count: number;
  /** On the monotonic clock. */
  readonly notBefore: Millis;
}

/** What holds for the guard as a whole. */
export interface GuardStatus {
  /** What an earlier run left is known. */
  readonly isRestored: boolean;
  readonly isPaused: boolean;
  /** Rows of the audit can be written. */
  readonly isAuditable: boolean;
  readonly isStopping: boolean;
}

/** What a step goes by besides the state. */
export interface StepContext {
  readonly cluster: string;
  readonly settings: GuardSettings;
  /** Policies of the settings that apply to the cluster. */
  readonly policies: readonly Policy[];
  /** Those that concern the cluster have a way to confirm at their place here. */
  readonly confirmSettings: readonly ConfirmSettings[];
  readonly gateClauses: readonly GateClause[];
  readonly matcher: Matcher;
  readonly isProtected: (candidate: Candidate) => boolean;
  /** Time between two plain lists. */
  readonly interval: Millis;
  readonly now: Instant;
}

/** What a step comes to. */
export interface StepResult {
  readonly state: GuardState;
  readonly outputs: readonly GuardOutput[];
}

/** Nothing is known but the configuration; `instances` of nodes where it says so. */
export function initialState(instances: Readonly<Record<string, string>> = {}): GuardState {
  return {
    at: undefined,
    standing: { isRestored: false, isPaused: false, isAuditable: true, isStopping: false },
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
    shadowAttempts: [],
    excludedKeys: new Set(),
    retries: new Map(),
    foreignEnds: noForeignEnds,
    sharedNodes: new Set(),
    reportedKeys: new Set(),
    breakers: initialCircuitBreakers,
    reliefChecks: [],
  };
}

/** Goes on from a step. */
export function andThen(step: StepResult, next: (state: GuardState) => StepResult): StepResult {
  const after = next(step.state);
  return { state: after.state, outputs: [...step.outputs, ...after.outputs] };
}

/** Goes on from a state with one step for each item, in order. */
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

/** A state in which a decision is as given; without one it is over. */
export function withDecision(state: GuardState, key: string, decision: Decision | undefined): GuardState {
  const decisions = new Map(state.decisions);
  if (decision === undefined) decisions.delete(key);
  else decisions.set(key, decision);
  return { ...state, decisions };
}

/** A state in which a node is seen so. */
export function withNodeView(state: GuardState, node: string, view: NodeView): GuardState {
  return { ...state, views: new Map(state.views).set(node, view) };
}
