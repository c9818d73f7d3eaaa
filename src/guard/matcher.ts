import type { Instant, Millis } from '../kernel/time.ts';
import { windowTiming } from './active-window.ts';
import type { Candidate } from './candidate.ts';
import { always, intersectTimings, type Timing } from './comparison.ts';
import { type ConditionsTest, compileConditions, compileProtection } from './conditions.ts';
import { findMatchingGroups, groupKeyOf, type MatchingGroups } from './groups.ts';
import type { Gate, GateClause, GuardSettings, Mode, Policy } from './policy.ts';
import { effectiveMode } from './policy.ts';

/** All that matching needs to know of one cluster at one instant. */
export interface MatchInput {
  /** Of the latest good list of each node. */
  readonly candidates: readonly Candidate[];
  /** When the latest of these lists arrived, on the monotonic clock. Groups are looked at as of then. */
  readonly listedAt: Millis;
  readonly now: Instant;
  /** The groups that were held at the step before. */
  readonly groups: MatchingGroups;
  /** Nothing of any node is missing among the candidates that count in groups. */
  readonly isComplete: boolean;
  /** Nodes whose lists have skipped entries; empty if all lists are complete. */
  readonly incompleteNodes: ReadonlySet<string>;
  /** Whether a candidate counts in groups: it is of a node that is covered, so that no other node has it as well. */
  countsInGroups(candidate: Candidate): boolean;
  /** Returns when the value arrived that made a clause true for a node (monotonic clock); undefined if it is false. */
  gateSince(node: string, clause: GateClause): Millis | undefined;
}

/** A policy that means a query, or is going to. */
export interface Match {
  readonly candidate: Candidate;
  readonly policy: Policy;
  /** The effective one. */
  readonly mode: Mode;
  /** Which others share the policy's `victims.max` with it. */
  readonly group: string;
  /** M: since when all clauses have held, on the monotonic clock; or when they will. */
  readonly since: Millis;
  /** They do now. */
  readonly holds: boolean;
  /** They do, and no other policy has a better right to the query. */
  readonly owns: boolean;
}

/** What comes of a scene. */
export interface MatchResult {
  /** By the right of their policies. */
  readonly matches: readonly Match[];
  /** What time alone will turn into a match, as long as gates and groups stay as they are. */
  readonly upcoming: readonly Match[];
  readonly groups: MatchingGroups;
}

/** Returns which policies match which queries of one cluster. */
export type Matcher = (situation: MatchInput) => MatchResult;

interface CompiledPolicy {
  readonly policy: Policy;
  readonly mode: Mode;
  readonly test: ConditionsTest;
}

/** What of a scene is the same for all candidates of a policy. */
interface PolicyContext {
  readonly now: Millis;
  readonly active: Timing;
  /** Undefined where the policy asks for none. */
  readonly held: MatchingGroups | undefined;
  readonly gateSince: (candidate: Candidate) => Millis | undefined;
  readonly groupOf: (candidate: Candidate) => string;
}

/** A query that may be a victim, while policies lay claim to it. */
interface ClaimedQuery {
  readonly candidate: Candidate;
  isOwned: boolean;
}

/**
 * Compiles the policies that concern a cluster. A query has one owner: the first policy that enforces and matches, or
 * else the first that observes and matches, so that one that only looks on never shields what another is to abort.
 */
export function createMatcher(
  settings: Pick<GuardSettings, 'mode' | 'protect' | 'policies'>,
  cluster: string,
): Matcher {
  const isProtected = compileProtection(settings.protect);
  const policies = compileByPrecedence(settings, cluster);
  return (situation) => {
    const possible: readonly ClaimedQuery[] = situation.candidates
      .filter((one) => isPossibleVictim(one, isProtected))
      .map((candidate) => ({ candidate, isOwned: false }));
    const groups = new Map<string, Millis>();
    const matches: Match[] = [];
    const upcoming: Match[] = [];
    for (const compiled of policies) {
      const meant = possible.filter(({ candidate }) => compiled.test.matchesStatic(candidate));
      const held = matchingGroupsOf(compiled, meant, situation);
      for (const [group, since] of held ?? []) groups.set(group, since);
      const phase = policyContextOf(compiled.policy, situation, held);
      if (phase === undefined) continue;
      for (const one of meant) {
        const match = matchQuery(compiled, one, phase);
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
  { mode, policies }: Pick<GuardSettings, 'mode' | 'policies'>,
  cluster: string,
): readonly CompiledPolicy[] {
  const compiled = policies
    .filter(({ clusters }) => clusters === undefined || clusters.includes(cluster))
    .map((policy) => ({
      policy,
      mode: effectiveMode({ mode }, policy),
      test: compileConditions(policy.when, policy.unless),
    }));
  return [...compiled.filter((one) => one.mode === 'enforce'), ...compiled.filter((one) => one.mode === 'observe')];
}

function matchingGroupsOf(
  { policy, test }: CompiledPolicy,
  meant: readonly ClaimedQuery[],
  situation: MatchInput,
): MatchingGroups | undefined {
  const { name, group } = policy;
  if (group === undefined) return undefined;
  const { listedAt, groups: before, isComplete, incompleteNodes } = situation;
  const members = groupMembers(
    meant.map(({ candidate }) => candidate),
    test,
    situation,
  );
  return findMatchingGroups(
    { name, group },
    { members, readAt: listedAt, before, isWhole: isComplete, lacking: incompleteNodes },
  );
}

function groupMembers(
  meant: readonly Candidate[],
  test: ConditionsTest,
  situation: Pick<MatchInput, 'countsInGroups' | 'listedAt'>,
): readonly Candidate[] {
  const { listedAt } = situation;
  return meant.filter((candidate) => situation.countsInGroups(candidate) && test.timing(candidate, listedAt)?.holds);
}

/** Returns the queries that a policy counts in the group of a candidate. */
export function groupOf(
  candidate: Candidate,
  policy: Policy,
  situation: Pick<MatchInput, 'candidates' | 'countsInGroups' | 'listedAt'> & {
    readonly isProtected: (candidate: Candidate) => boolean;
  },
): readonly Candidate[] {
  const test = compileConditions(policy.when, policy.unless);
  const key = groupKeyOf(policy, candidate);
  const meant = situation.candidates.filter(
    (one) => isPossibleVictim(one, situation.isProtected) && test.matchesStatic(one) && groupKeyOf(policy, one) === key,
  );
  return groupMembers(meant, test, situation);
}

/** Undefined while the policy may not act, and is not about to. */
function policyContextOf(
  policy: Policy,
  situation: MatchInput,
  held: MatchingGroups | undefined,
): PolicyContext | undefined {
  if (held?.size === 0) return undefined;
  const active = policy.active === undefined ? always : windowTiming(policy.active, situation.now.wall);
  if (active === undefined) return undefined;
  const group = (candidate: Candidate): string => groupKeyOf(policy, candidate);
  return {
    now: situation.now.mono,
    active,
    held,
    gateSince: cachedPerNode(({ node }) => gateOpenSince(policy.gate, { node, situation: situation })),
    groupOf: policy.group === undefined ? cachedPerNode(group) : group,
  };
}

/** Remembers what is the same for all candidates of a node. */
function cachedPerNode<Value>(of: (candidate: Candidate) => Value): (candidate: Candidate) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (candidate) => {
    const one = known.get(candidate.node) ?? { value: of(candidate) };
    known.set(candidate.node, one);
    return one.value;
  };
}

/** Since when a gate has been open; without one it always was. */
function gateOpenSince(
  gate: Gate | undefined,
  { node, situation }: { readonly node: string; readonly situation: MatchInput },
): Millis | undefined {
  if (gate === undefined) return Number.NEGATIVE_INFINITY;
  const all = gate.clauses.map((clause) => situation.gateSince(node, clause));
  const open = all.filter((since) => since !== undefined);
  if (open.length === 0 || (gate.needs === 'all' && open.length < all.length)) return undefined;
  return gate.needs === 'all' ? Math.max(...open) : Math.min(...open);
}

function matchQuery(
  { policy, mode, test }: CompiledPolicy,
  claimed: ClaimedQuery,
  phase: PolicyContext,
): Match | undefined {
  const { candidate, isOwned } = claimed;
  const gateSince = phase.gateSince(candidate);
  if (gateSince === undefined) return undefined;
  const met = test.timing(candidate, phase.now);
  if (met === undefined) return undefined;
  const { holds, from, until } = intersectTimings(met, phase.active);
  // What holds no more will not hold again.
  if (!holds && until <= Math.max(from, 0)) return undefined;
  const group = phase.groupOf(candidate);
  const groupSince = phase.held === undefined ? Number.NEGATIVE_INFINITY : phase.held.get(group);
  if (groupSince === undefined) return undefined;
  const begin = candidate.at - candidate.age.most;
  const all = Math.max(begin, phase.now + from, gateSince, groupSince);
  const since = holds ? Math.min(all, phase.now) : Math.max(all, phase.now);
  claimed.isOwned ||= holds;
  return { candidate, policy, mode, group, since, holds, owns: holds && !isOwned };
}
