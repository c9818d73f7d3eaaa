import type { Instant, Millis } from '../../kernel/time.ts';
import type { Candidate } from '../candidate.ts';
import type { GateRuns, Pressure } from '../gates.ts';
import type { HeldGroups } from '../groups.ts';
import { type InstanceMap, initialInstances } from '../instances.ts';
import type { Match, Matcher } from '../matcher.ts';
import type { Confirm, GateClause, GuardSettings } from '../policy.ts';
import type { Attempt } from './attempts.ts';
import { type AwaitedRelief, type Breakers, closedBreakers } from './breakers.ts';
import type { Decision } from './decision.ts';
import type { GuardOutput } from './output.ts';
import type { View } from './view.ts';
import type { Wish } from './wish.ts';

/** All that the guard of one cluster knows. Values are never changed in place. */
export interface GuardState {
  /** Of the latest step; undefined before the first. */
  readonly at: Instant | undefined;
  readonly standing: Standing;
  readonly graphs: ReadonlySet<string>;
  readonly instances: InstanceMap;
  /** By node, all that are configured. */
  readonly views: ReadonlyMap<string, View>;
  readonly gates: GateRuns;
  /** The latest of each node and source. */
  readonly readings: ReadonlyMap<string, Pressure>;
  readonly groups: HeldGroups;
  /** What policies mean at present, by the latest step; for those who look, too. */
  readonly matches: readonly Match[];
  readonly upcoming: readonly Match[];
  /** What is under way, by key. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** What operators ask for by hand, until there is a list to go by. */
  readonly wishes: readonly Wish[];
  readonly attempts: readonly Attempt[];
  /** What observing policies would have spent. */
  readonly shadows: readonly Attempt[];
  /** Keys of all entries for which there was an intent, for ever. */
  readonly barred: ReadonlySet<string>;
  /** Keys of those which an observing policy would have aborted: told once. */
  readonly told: ReadonlySet<string>;
  readonly breakers: Breakers;
  readonly awaited: readonly AwaitedRelief[];
}

/** What holds for the guard as a whole. */
export interface Standing {
  /** What an earlier run left is known. */
  readonly isRestored: boolean;
  readonly isPaused: boolean;
  /** Rows of the audit can be written. */
  readonly isAuditable: boolean;
  readonly isStopping: boolean;
}

/** What a step goes by besides the state. */
export interface Context {
  readonly cluster: string;
  readonly settings: GuardSettings;
  /** Those that concern the cluster have a way to confirm at their place here. */
  readonly ways: readonly Confirm[];
  readonly clauses: readonly GateClause[];
  readonly matcher: Matcher;
  readonly isProtected: (candidate: Candidate) => boolean;
  /** Time between two plain lists. */
  readonly interval: Millis;
  readonly now: Instant;
}

/** What a step comes to. */
export interface Step {
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
    readings: new Map(),
    groups: new Map(),
    matches: [],
    upcoming: [],
    decisions: new Map(),
    wishes: [],
    attempts: [],
    shadows: [],
    barred: new Set(),
    told: new Set(),
    breakers: closedBreakers,
    awaited: [],
  };
}

/** Goes on from a step. */
export function onward(step: Step, next: (state: GuardState) => Step): Step {
  const after = next(step.state);
  return { state: after.state, outputs: [...step.outputs, ...after.outputs] };
}

/** Goes on from a state with one step for each item, in order. */
export function each<Item>(
  state: GuardState,
  items: Iterable<Item>,
  next: (state: GuardState, item: Item) => Step,
): Step {
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
export function withView(state: GuardState, node: string, view: View): GuardState {
  return { ...state, views: new Map(state.views).set(node, view) };
}
