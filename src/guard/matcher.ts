import type { Instant, Millis } from '../kernel/time.ts';
import { windowTiming } from './active-window.ts';
import type { Candidate } from './candidate.ts';
import { always, intersectTimings, type Timing } from './comparison.ts';
import { type ConditionsTest, compileConditions, compileProtection } from './conditions.ts';
import { findMatchingGroups, groupKeyOf, type MatchingGroups } from './groups.ts';
import type { Gate, GateClause, GuardSettings, Mode, Policy } from './policy.ts';
import { effectiveMode, policiesByPrecedence } from './policy.ts';

/** State of one cluster at one instant, as input of the matcher. */
export interface MatchInput {
  /** Candidates of the latest valid list of each node. */
  readonly candidates: readonly Candidate[];
  /** Arrival of the latest of these lists, on the monotonic clock. Groups are evaluated at this time. */
  readonly listedAt: Millis;
  readonly now: Instant;
  /** Groups that met their bounds in the previous step. */
  readonly groups: MatchingGroups;
  /** Whether the lists of all nodes are complete. */
  readonly isComplete: boolean;
  /** Nodes whose lists have skipped entries; empty if all lists are complete. */
  readonly incompleteNodes: ReadonlySet<string>;
  /** Returns whether a candidate counts in groups: only on a covered node, because no other node lists it as well. */
  countsInGroups(candidate: Candidate): boolean;
  /** Returns when the value arrived that made a clause true for a node (monotonic clock); undefined if it is false. */
  gateSince(node: string, clause: GateClause): Millis | undefined;
}

/** Policy that matches a query now, or will match it as time passes. */
export interface Match {
  readonly candidate: Candidate;
  readonly policy: Policy;
  /** Effective mode of the policy. */
  readonly mode: Mode;
  /** Key of the group of the query. All queries of a group share `victims.max` of the policy. */
  readonly group: string;
  /** Match time, on the monotonic clock; in the future if the policy does not match yet. */
  readonly since: Millis;
  /** Whether all conditions of the policy hold now. */
  readonly holds: boolean;
  /** Whether they hold and no policy of higher precedence matches the query. */
  readonly owns: boolean;
}

/** Matches in one cluster at one instant. */
export interface MatchResult {
  /** Current matches, ordered by the precedence of their policies. */
  readonly matches: readonly Match[];
  /** Future matches, provided that gates and groups do not change. */
  readonly upcoming: readonly Match[];
  readonly groups: MatchingGroups;
}

/** Returns which policies match which queries of one cluster. */
export type QueryMatcher = (input: MatchInput) => MatchResult;

interface CompiledPolicy {
  readonly policy: Policy;
  readonly mode: Mode;
  readonly test: ConditionsTest;
}

/** Values that are the same for all candidates of a policy. */
interface PolicyContext {
  readonly now: Millis;
  readonly active: Timing;
  /** Groups that meet the policy's bounds; undefined if the policy has no group condition. */
  readonly held: MatchingGroups | undefined;
  readonly gateSince: (candidate: Candidate) => Millis | undefined;
  readonly groupOf: (candidate: Candidate) => string;
}

/** Possible victim, with a flag that is set when the first policy matches it. */
interface ClaimedQuery {
  readonly candidate: Candidate;
  isOwned: boolean;
}

/**
 * Compiles the policies that apply to a cluster. A query has one owner: the first matching policy in `enforce` mode, or
 * else the first matching policy in `observe` mode, so that an observing policy never prevents the abort by another.
 */
export function createMatcher(
  settings: Pick<GuardSettings, 'mode' | 'protect' | 'policies'>,
  cluster: string,
): QueryMatcher {
  const isProtected = compileProtection(settings.protect);
  const policies = compileByPrecedence(settings, cluster);
  return (input) => {
    const possible: readonly ClaimedQuery[] = input.candidates
      .filter((one) => isPossibleVictim(one, isProtected))
      .map((candidate) => ({ candidate, isOwned: false }));
    const groups = new Map<string, Millis>();
    const matches: Match[] = [];
    const upcoming: Match[] = [];
    for (const compiled of policies) {
      const eligible = possible.filter(({ candidate }) => compiled.test.matchesStatic(candidate));
      const held = matchingGroupsOf(compiled, eligible, input);
      for (const [group, since] of held ?? []) groups.set(group, since);
      const policyContext = policyContextOf(compiled.policy, input, held);
      if (policyContext === undefined) continue;
      for (const one of eligible) {
        const match = matchQuery(compiled, one, policyContext);
        if (match !== undefined) (match.holds ? matches : upcoming).push(match);
      }
    }
    return { matches, upcoming, groups };
  };
}

function isPossibleVictim(candidate: Candidate, isProtected: (candidate: Candidate) => boolean): boolean {
  return candidate.observation.kind === 'installed' && !isProtected(candidate);
}

function compileByPrecedence(
  settings: Pick<GuardSettings, 'mode' | 'policies'>,
  cluster: string,
): readonly CompiledPolicy[] {
  return policiesByPrecedence(settings, cluster).map((policy) => ({
    policy,
    mode: effectiveMode(settings, policy),
    test: compileConditions(policy.when, policy.unless),
  }));
}

function matchingGroupsOf(
  { policy, test }: CompiledPolicy,
  eligible: readonly ClaimedQuery[],
  input: MatchInput,
): MatchingGroups | undefined {
  const { name, group } = policy;
  if (group === undefined) return undefined;
  const { listedAt, groups: before, isComplete, incompleteNodes } = input;
  const members = groupMembers(
    eligible.map(({ candidate }) => candidate),
    test,
    input,
  );
  return findMatchingGroups({ name, group }, { members, listedAt, before, isComplete, incompleteNodes });
}

function groupMembers(
  eligible: readonly Candidate[],
  test: ConditionsTest,
  input: Pick<MatchInput, 'countsInGroups' | 'listedAt'>,
): readonly Candidate[] {
  const { listedAt } = input;
  return eligible.filter((candidate) => input.countsInGroups(candidate) && test.timing(candidate, listedAt)?.holds);
}

/** Returns the queries that a policy counts in the group of a candidate. */
export function groupOf(
  candidate: Candidate,
  policy: Policy,
  input: Pick<MatchInput, 'candidates' | 'countsInGroups' | 'listedAt'> & {
    readonly isProtected: (candidate: Candidate) => boolean;
  },
): readonly Candidate[] {
  const test = compileConditions(policy.when, policy.unless);
  const key = groupKeyOf(policy, candidate);
  const eligible = input.candidates.filter(
    (one) => isPossibleVictim(one, input.isProtected) && test.matchesStatic(one) && groupKeyOf(policy, one) === key,
  );
  return groupMembers(eligible, test, input);
}

/** Returns the context of a policy; undefined if the policy cannot match now or soon. */
function policyContextOf(
  policy: Policy,
  input: MatchInput,
  held: MatchingGroups | undefined,
): PolicyContext | undefined {
  if (held?.size === 0) return undefined;
  const active = policy.active === undefined ? always : windowTiming(policy.active, input.now.wall);
  if (active === undefined) return undefined;
  const group = (candidate: Candidate): string => groupKeyOf(policy, candidate);
  return {
    now: input.now.mono,
    active,
    held,
    gateSince: cachedPerNode(({ node }) => gateOpenSince(policy.gate, { node, input })),
    groupOf: policy.group === undefined ? cachedPerNode(group) : group,
  };
}

/** Caches a value that is the same for all candidates of a node. */
function cachedPerNode<Value>(of: (candidate: Candidate) => Value): (candidate: Candidate) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (candidate) => {
    const one = known.get(candidate.node) ?? { value: of(candidate) };
    known.set(candidate.node, one);
    return one.value;
  };
}

/**
 * Returns the time at which a gate opened; undefined if it is closed. A policy without a gate counts as always open.
 */
function gateOpenSince(
  gate: Gate | undefined,
  { node, input }: { readonly node: string; readonly input: MatchInput },
): Millis | undefined {
  if (gate === undefined) return Number.NEGATIVE_INFINITY;
  const all = gate.clauses.map((clause) => input.gateSince(node, clause));
  const open = all.filter((since) => since !== undefined);
  if (open.length === 0 || (gate.needs === 'all' && open.length < all.length)) return undefined;
  return gate.needs === 'all' ? Math.max(...open) : Math.min(...open);
}

function matchQuery(
  { policy, mode, test }: CompiledPolicy,
  claimed: ClaimedQuery,
  policyContext: PolicyContext,
): Match | undefined {
  const { candidate, isOwned } = claimed;
  const gateSince = policyContext.gateSince(candidate);
  if (gateSince === undefined) return undefined;
  const met = test.timing(candidate, policyContext.now);
  if (met === undefined) return undefined;
  const { holds, from, until } = intersectTimings(met, policyContext.active);
  // The conditions held in the past only, and will not hold again.
  if (!holds && until <= Math.max(from, 0)) return undefined;
  const group = policyContext.groupOf(candidate);
  const groupSince = policyContext.held === undefined ? Number.NEGATIVE_INFINITY : policyContext.held.get(group);
  if (groupSince === undefined) return undefined;
  const begin = candidate.at - candidate.age.most;
  const all = Math.max(begin, policyContext.now + from, gateSince, groupSince);
  const since = holds ? Math.min(all, policyContext.now) : Math.max(all, policyContext.now);
  claimed.isOwned ||= holds;
  return { candidate, policy, mode, group, since, holds, owns: holds && !isOwned };
}
