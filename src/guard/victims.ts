import type { Match } from './matcher.ts';

/**
 * Those of the matches that their policies take, in order. Only an owner takes, at most `victims.max` of a group at a
 * time; `isEngaged` tells which ones a decision is under way for: these stay taken and leave less room for others. Those
 * for which `mayBegin` says no are passed over; it is asked only while there is room.
 */
export function victimsOf(
  matches: readonly Match[],
  isEngaged: (match: Match) => boolean,
  mayBegin: (match: Match) => boolean = () => true,
): readonly Match[] {
  const groups = Map.groupBy(
    matches.filter(({ owns }) => owns),
    ({ group }) => group,
  );
  return [...groups.values()].flatMap((group) => {
    const taken = group.filter(isEngaged);
    const isRoom = ({ policy }: Match) => taken.length < policy.victims.max;
    const free = group.filter((match) => isRoom(match) && !isEngaged(match)).toSorted(inOrder);
    for (const match of free) if (isRoom(match) && mayBegin(match)) taken.push(match);
    return taken;
  });
}

/** Matches of one policy, best first. Two of one age are told apart by what does not change from list to list. */
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
