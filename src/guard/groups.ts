import type { Millis } from '../kernel/time.ts';
import { ageAt, type Candidate, type Range } from './candidate.ts';
import { meets, surelyMeets } from './comparison.ts';
import type { GroupCondition, Policy } from './policy.ts';

/** Since when groups have been as their policies ask, by {@link groupOf}: the arrival of the list that showed it. */
export type HeldGroups = ReadonlyMap<string, Millis>;

/** The group of a policy that a candidate is in, as a text; without `by`, of all on its node. */
export function groupOf({ name, group }: Pick<Policy, 'name' | 'group'>, candidate: Candidate): string {
  if (group === undefined) return `${name}\0${candidate.node}`;
  return group.by.reduce((key, by) => `${key}\0${by === 'node' ? candidate.node : candidate.sighting[by]}`, name);
}

/**
 * The groups that are as they have to be by the list that arrived at `readAt`; `members` are those that meet the
 * policy's conditions by then. What was so before has been so since then. Where somebody who is not seen could be too
 * many, too old or too young, all of the cluster has to be seen, or of the node whose groups they are.
 */
export function heldGroups(
  policy: Pick<Policy, 'name'> & { readonly group: GroupCondition },
  {
    members,
    readAt,
    before,
    isWhole,
    lacking,
  }: {
    readonly members: readonly Candidate[];
    readonly readAt: Millis;
    readonly before: HeldGroups;
    readonly isWhole: boolean;
    readonly lacking: ReadonlySet<string>;
  },
): HeldGroups {
  const isCapped = couldBeOtherwise(policy.group);
  const isOfNode = policy.group.by.includes('node');
  if (isCapped && !isOfNode && !isWhole) return new Map();
  const known = isCapped ? members.filter(({ node }) => !lacking.has(node)) : members;
  const groups = Map.groupBy(known, (member) => groupOf(policy, member));
  const held = [...groups].filter(([, group]) => isHeld(policy.group, group, readAt));
  return new Map(held.map(([key]) => [key, before.get(key) ?? readAt]));
}

/** Whether one more could be too many, too old or too young. */
function couldBeOtherwise({ count, oldest, youngest }: GroupCondition): boolean {
  const caps = [count, oldest].some((bound) => bound?.operator.startsWith('<'));
  return caps || youngest?.operator.startsWith('>') === true;
}

function isHeld({ count, oldest, youngest }: GroupCondition, group: readonly Candidate[], readAt: Millis): boolean {
  if (count !== undefined && !meets(count, group.length)) return false;
  if (oldest !== undefined && !surelyMeets(oldest, ageOfAll(group, readAt, Math.max))) return false;
  return youngest === undefined || surelyMeets(youngest, ageOfAll(group, readAt, Math.min));
}

/** Of the oldest or the youngest, as `choose` says; there may be more of them than a function takes arguments. */
function ageOfAll(group: readonly Candidate[], readAt: Millis, choose: (one: number, other: number) => number): Range {
  const ages = group.map((member) => ageAt(member, readAt));
  return ages.reduce((one, other) => ({ least: choose(one.least, other.least), most: choose(one.most, other.most) }));
}
