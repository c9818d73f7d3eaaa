import type { Match } from './matcher.ts';

/**
 * Those of the matches that their policies take, in order. Only an owner takes, at most `victims.max` of a group at a
 * time; `isEngaged` tells which ones a decision is under way for: these stay taken and leave less room for others.
 */
export function victimsOf(matches: readonly Match[], isEngaged: (match: Match) => boolean): readonly Match[] {
  const groups = new Map<string, Match[]>();
  for (const match of matches.filter(({ owns }) => owns)) {
    const group = groups.get(match.group);
    if (group === undefined) groups.set(match.group, [match]);
    else group.push(match);
  }
  return [...groups.values()].flatMap((group) => taken(group, isEngaged));
}

function taken(group: readonly Match[], isEngaged: (match: Match) => boolean): readonly Match[] {
  const engaged = group.filter(isEngaged);
  const free = group.filter((match) => !engaged.includes(match)).toSorted(inOrder);
  const room = (group[0]?.policy.victims.max ?? 0) - engaged.length;
  return [...engaged, ...free.slice(0, Math.max(0, room))];
}

/** Two of one age are told apart by what does not change from list to list. */
function inOrder(one: Match, other: Match): number {
  const older = beginOf(one) - beginOf(other);
  if (older !== 0) return one.policy.victims.pick === 'oldest' ? older : -older;
  return keyOf(one) < keyOf(other) ? -1 : 1;
}

function beginOf({ candidate: { at, age } }: Match): number {
  return at - age.least;
}

function keyOf({ candidate: { node, sighting } }: Match): string {
  return `${node} ${sighting.id}`;
}
