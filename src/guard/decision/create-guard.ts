import type { Instant, Millis } from '../../kernel/time.ts';
import { clockStepBetween, shiftOffset } from '../clock-offset.ts';
import { compileProtection } from '../conditions.ts';
import { type InstanceMap, instanceMap, pinnedInstance, retainNodes } from '../instances.ts';
import { createMatcher, type Match } from '../matcher.ts';
import { type GuardSettings, type Policy, policiesForCluster } from '../policy.ts';
import { applyInput } from './apply-input.ts';
import { recentAttempts } from './budgets.ts';
import { currentReliefChecks } from './circuit-breakers.ts';
import { isInFlight } from './decision.ts';
import { explainQuery, type QueryExplanation } from './explain-query.ts';
import { type Hold, holdOf } from './hold.ts';
import type { GuardInput } from './input.ts';
import { advanceDecisions } from './lifecycle.ts';
import { decideManualRequests } from './manual-aborts.ts';
import { initialNodeView, withoutObservations } from './node-view.ts';
import { scheduleLists } from './schedule.ts';
import { andThen, type GuardState, initialState, type StepContext, type StepResult } from './state.ts';
import { selectVictims } from './victim-selection.ts';

/** Minimum retention of attempts, because a reload can bring settings that look back further. */
const minAttemptRetention: Millis = 86_400_000;

/** Cluster that a guard protects, with its nodes. */
export interface GuardedClusterOptions {
  readonly cluster: string;
  /** Names of the nodes of the cluster. */
  readonly nodes: readonly string[];
  /** Configured server instances, by node. */
  readonly instances?: Readonly<Record<string, string>>;
  /** Time between two regular lists of a node. */
  readonly interval: Millis;
  /** Whether the process lists are polled; true if absent. */
  readonly isPolled?: boolean;
}

/** The guard of one cluster: pure, one synchronous step for each input. Settings may change between two steps. */
export interface Guard {
  readonly initial: GuardState;
  /** Policies that apply to the cluster. */
  readonly policies: readonly Policy[];
  step(state: GuardState, input: GuardInput, now: Instant): StepResult;
  /** Returns why a query that a policy matches is not aborted; see {@link holdOf}. */
  holdOf(match: Match, state: GuardState, now: Instant): Hold | undefined;
  /** Explains what the guard does with one query of a node, and why. */
  explain(target: { readonly node: string; readonly id: string }, state: GuardState, now: Instant): QueryExplanation;
}

/**
 * Creates the guard of one cluster. It has no side effects: the caller executes its outputs and reports the results.
 */
export function createGuard(settings: GuardSettings, guarded: GuardedClusterOptions): Guard {
  const { cluster, nodes, instances, interval, isPolled = true } = guarded;
  const policies = policiesForCluster(settings, cluster);
  const fixed: Omit<StepContext, 'now'> = {
    cluster,
    settings,
    policies,
    confirmSettings: policies.map(({ confirm }) => confirm),
    gateClauses: policies.flatMap(({ gate }) => gate?.clauses ?? []),
    matcher: createMatcher(settings, cluster),
    isProtected: compileProtection(settings.protect),
    interval,
  };
  const initial = initialState(instances);
  return {
    initial: {
      ...initial,
      views: new Map(nodes.map((node) => [node, { ...initialNodeView(), confirmSettings: fixed.confirmSettings }])),
    },
    policies,
    step: (state, input, now) => runStep(state, input, { ...fixed, now }),
    holdOf: (match, state, now) => holdOf(match, state, { ...fixed, isPolled, now }),
    explain: ({ node, id }, state, now) => explainQuery(node, id, state, { ...fixed, isPolled, now }),
  };
}

/**
 * Returns whether new settings spare every query that the previous settings spared: same mode and policies, no less
 * protection.
 */
export function targetsNoMoreQueries(
  before: GuardSettings,
  after: GuardSettings,
  same: (one: unknown, other: unknown) => boolean,
): boolean {
  const isProtecting = before.protect.every((one) => after.protect.some((other) => same(one, other)));
  return isProtecting && same(before.mode, after.mode) && same(before.policies, after.policies);
}

/**
 * Carries the state over to a new configuration, with its nodes and their configured instances. A decision in progress
 * continues if its policy still matches, and a relief check if the gate of its policy still has a source of the check. If
 * policies may match more queries than before, or a node becomes covered, all queries need a new confirmation, so that a
 * query that was not matched before gets a full grace period.
 */
export function reconfigureGuard(state: GuardState, { initial, policies }: Guard, isNoMore: boolean): GuardState {
  const instances = retainNodes(mergeConfiguredInstances(state.instances, initial.instances), [
    ...initial.views.keys(),
  ]);
  const now = state.at?.mono ?? Number.NEGATIVE_INFINITY;
  const views = [...initial.views].map(([node, fresh]) => {
    const { confirmSettings } = fresh;
    const known = state.views.get(node) ?? fresh;
    const own = pinnedInstance(instances, node, now);
    const keeps = isNoMore && (own === undefined || own === pinnedInstance(state.instances, node, now));
    return [node, keeps ? { ...known, confirmSettings } : { ...known, confirmSettings, histories: new Map() }] as const;
  });
  const reliefChecks = currentReliefChecks(state.reliefChecks, policies);
  return { ...state, views: new Map(views), instances, reliefChecks };
}

/** Keeps the instances learned from lists for each node whose configuration did not change. */
function mergeConfiguredInstances(known: InstanceMap, { nodes }: InstanceMap): InstanceMap {
  const learned = [...known.nodes].filter(([, { isConfigured }]) => !isConfigured);
  const configured = [...nodes].map(([node, fresh]) => {
    const before = known.nodes.get(node);
    return [node, before?.isConfigured && before.instance === fresh.instance ? before : fresh] as const;
  });
  return instanceMap(new Map([...learned, ...configured]), known.reports);
}

/** Returns whether an intent is being stored, or an abort request has no response yet. */
export function hasAbortsInFlight({ decisions }: GuardState): boolean {
  return [...decisions.values()].some(isInFlight);
}

function runStep(state: GuardState, input: GuardInput, context: StepContext): StepResult {
  const reported = andThen(handleClockStep(state, context), (before) => applyInput(before, input, context));
  const begun = andThen(
    andThen(reported, (before) => selectVictims(before, context)),
    (before) => decideManualRequests(before, context),
  );
  const decided = andThen(begun, (before) => advanceDecisions(before, context));
  const { state: last, outputs } = andThen(decided, (before) => scheduleLists(before, context));
  return { state: { ...last, ...pruneAttempts(last, context), at: context.now }, outputs };
}

/** Handles a step of the local wall clock: times before it are invalid, so all queries need a new confirmation. */
function handleClockStep(state: GuardState, { now }: StepContext): StepResult {
  const by = state.at === undefined ? 0 : clockStepBetween(state.at, now);
  if (by === 0) return { state, outputs: [] };
  const views = [...state.views].map(
    ([node, view]) => [node, withoutObservations(view, shiftOffset(view.offset, by))] as const,
  );
  return {
    state: { ...state, views: new Map(views), groups: new Map() },
    outputs: [{ kind: 'skipped', scope: 'all', reason: 'clock_stepped' }],
  };
}

function pruneAttempts(
  { attempts, observeModeAttempts }: GuardState,
  { settings, now }: StepContext,
): Partial<GuardState> {
  const { budgets, breakers, policies } = settings;
  const cooldowns = policies.map(({ cooldown }) => cooldown);
  const { perNode, perCluster } = budgets;
  const longest = Math.max(
    minAttemptRetention,
    perNode.within,
    perCluster.within,
    breakers.sameQuery.within,
    ...cooldowns,
  );
  return {
    attempts: recentAttempts(attempts, longest, now.mono),
    observeModeAttempts: recentAttempts(observeModeAttempts, longest, now.mono),
  };
}
