import { pinnedInstance } from '../instances.ts';
import type { Match } from '../matcher.ts';
import { coverageProblem } from './coverage.ts';
import { decisionKey } from './decision.ts';
import type { GuardState, StepContext } from './state.ts';

interface KeptOldestInput {
  readonly match: Match | undefined;
  readonly state: GuardState;
  readonly context: StepContext;
}

/**
 * Returns whether a query is the one that its policy keeps: no older query of its group certainly remains. A query with
 * an intent does not count as remaining, and neither does a query of another node whose latest list failed.
 */
export function isKeptOldest({ match, state, context }: KeptOldestInput): boolean {
  if (match?.policy.victims.keep === undefined) return false;
  const { node } = match.candidate;
  const isListed = ({ candidate }: Match) =>
    candidate.node === node || state.views.get(candidate.node)?.rejectedLists === 0;
  return !state.matches.some(
    (other) => isOlderInGroup(other, match) && isListed(other) && remains(other, state, context),
  );
}

function isOlderInGroup(other: Match, { candidate, group, policy }: Match): boolean {
  if (!other.owns || other.group !== group || other.policy !== policy) return false;
  const [one, another] = [other.candidate.observation, candidate.observation];
  if (one.id === another.id) return false;
  // On one node the time in the id is exact; an age depends on the duration of its list.
  if (other.candidate.node === candidate.node && one.arrivedAt !== another.arrivedAt)
    return one.arrivedAt < another.arrivedAt;
  const older = other.candidate.since - candidate.since;
  return older < 0 || (older === 0 && one.id < another.id);
}

function remains({ candidate: { node, observation }, mode }: Match, state: GuardState, { now }: StepContext): boolean {
  const key = decisionKey({ ...observation, node });
  if (state.excludedKeys.has(key) || (mode === 'observe' && state.reportedKeys.has(key))) return false;
  const own = pinnedInstance(state.instances, node, now.mono);
  return coverageProblem(node, state, now.mono) === undefined && own === observation.instance;
}
