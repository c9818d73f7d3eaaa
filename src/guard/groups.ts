import type { Millis } from '../kernel/time.ts';
import { ageAt, type Candidate } from './candidate.ts';
import { meets, surelyMeets } from './comparison.ts';
import type { GroupCondition, GroupKey, Policy } from './policy.ts';

/** Since when groups have been as their policies ask, by {@link groupOf}: the arrival of the list that showed it. */
export type HeldGroups = ReadonlyMap<string, Millis>;

/** The group of a policy that a candidate is in, as a text; without `by`, of all on its node. */
export function groupOf({ name, group }: Pick<Policy, 'name' | 'group'>, candidate: Candidate): string {
  const values: Readonly<Record<GroupKey, string>> = {
    node: candidate.node,
    graph: candidate.sighting.graph,
    query: candidate.sighting.query,
  };
  return JSON.stringify([name, ...(group?.by ?? ['node']).map((key) => values[key])]);
}

/**
 * The groups that are as they have to be by the list that arrived at `readAt`; `members` are those that meet the
 * policy's conditions by then. What was so before has been so since then.
 */
export function heldGroups(
  policy: Pick<Policy, 'name'> & { readonly group: GroupCondition },
  {
    members,
    readAt,
    before,
  }: { readonly members: readonly Candidate[]; readonly readAt: Millis; readonly before: HeldGroups },
): HeldGroups {
  const groups = Map.groupBy(members, (member) => groupOf(policy, member));
  const held = [...groups].filter(([, group]) => isHeld(policy.group, group, readAt));
  return new Map(held.map(([key]) => [key, before.get(key) ?? readAt]));
}

function isHeld({ count, oldest, youngest }: GroupCondition, group: readonly Candidate[], readAt: Millis): boolean {
  if (count !== undefined && !meets(count, group.length)) return false;
  const ages = group.map((member) => ageAt(member, readAt));
  const of = (choose: (...values: readonly number[]) => number) => ({
    least: choose(...ages.map(({ least }) => least)),
    most: choose(...ages.map(({ most }) => most)),
  });
  if (oldest !== undefined && !surelyMeets(oldest, of(Math.max))) return false;
  return youngest === undefined || surelyMeets(youngest, of(Math.min));
}
