import type { Range } from '../kernel/range.ts';
import type { Millis } from '../kernel/time.ts';
import { ageAt, type Candidate } from './candidate.ts';
import { certainlyMeets, meets } from './comparison.ts';
import { durationRangeText } from './phrases.ts';
import type { GroupCondition, Policy } from './policy.ts';

/**
 * Match times of groups, by {@link groupKeyOf}: the arrival of the first list with which the group meets its bounds.
 */
export type MatchingGroups = ReadonlyMap<string, Millis>;

/** Returns the key of the group of a candidate; without a group condition, the key of all candidates on its node. */
export function groupKeyOf({ name, group }: Pick<Policy, 'name' | 'group'>, candidate: Candidate): string {
  if (group === undefined) return `${name}\0${candidate.node}`;
  return group.by.reduce((key, by) => `${key}\0${by === 'node' ? candidate.node : candidate.observation[by]}`, name);
}

/**
 * Returns the groups that meet the policy's bounds by the list that arrived at `listedAt`; `members` are the queries
 * that meet the policy's conditions by then. A group that matched before keeps its match time. If an unlisted query
 * could break a bound on count or age, the lists of the whole cluster, or of the node of the group, must be complete.
 */
export function findMatchingGroups(
  policy: Pick<Policy, 'name'> & { readonly group: GroupCondition },
  {
    members,
    listedAt,
    before,
    isComplete,
    incompleteNodes,
  }: {
    readonly members: readonly Candidate[];
    readonly listedAt: Millis;
    readonly before: MatchingGroups;
    readonly isComplete: boolean;
    readonly incompleteNodes: ReadonlySet<string>;
  },
): MatchingGroups {
  const isCapped = hasUpperBound(policy.group);
  const isOfNode = policy.group.by.includes('node');
  if (isCapped && !isOfNode && !isComplete) return new Map();
  const known = isCapped ? members.filter(({ node }) => !incompleteNodes.has(node)) : members;
  const groups = Map.groupBy(known, (member) => groupKeyOf(policy, member));
  const held = [...groups].filter(([, group]) => meetsGroupCondition(policy.group, group, listedAt));
  return new Map(held.map(([key]) => [key, before.get(key) ?? listedAt]));
}

/** Returns whether an additional query could break a bound of the group. */
function hasUpperBound({ count, oldest, youngest }: GroupCondition): boolean {
  const caps = [count, oldest].some((bound) => bound?.operator.startsWith('<'));
  return caps || youngest?.operator.startsWith('>') === true;
}

function meetsGroupCondition(
  { count, oldest, youngest }: GroupCondition,
  group: readonly Candidate[],
  listedAt: Millis,
): boolean {
  if (count !== undefined && !meets(count, group.length)) return false;
  if (oldest !== undefined && !certainlyMeets(oldest, groupAge(group, listedAt, Math.max))) return false;
  return youngest === undefined || certainlyMeets(youngest, groupAge(group, listedAt, Math.min));
}

/** Formats the number and the ages of the queries of a group for operators. */
export function groupText(group: readonly Candidate[], listedAt: Millis): string {
  if (group.length === 0) return '0 queries';
  const [oldest, youngest] = [groupAge(group, listedAt, Math.max), groupAge(group, listedAt, Math.min)].map(
    durationRangeText,
  );
  return `${group.length} ${group.length === 1 ? 'query' : 'queries'}, oldest ${oldest}, youngest ${youngest}`;
}

/** Returns the age of the oldest (`Math.max`) or youngest (`Math.min`) query. Groups may exceed the argument limit. */
function groupAge(
  group: readonly Candidate[],
  listedAt: Millis,
  choose: (one: number, other: number) => number,
): Range {
  const ages = group.map((member) => ageAt(member, listedAt));
  return ages.reduce((one, other) => ({ least: choose(one.least, other.least), most: choose(one.most, other.most) }));
}
