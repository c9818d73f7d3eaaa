import { confirmedAt } from '../guard/confirmation.ts';
import type { GuardState } from '../guard/decision/state.ts';
import type { View } from '../guard/decision/view.ts';
import type { Match } from '../guard/matcher.ts';
import { leastAgeWhenConfirmed } from '../guard/narrowing.ts';
import type { Instant, Millis } from '../kernel/time.ts';

/** What a policy has to say of one query, on the monotonic clock. */
export interface Opinion {
  readonly match: Match;
  /** M: since when everything holds on a confirmed entry; until then, when at the earliest it will. */
  readonly matchesAt: Millis;
  /** M is no forecast. */
  readonly isMatched: boolean;
}

/** Who has a say in which query as of the latest step, by {@link opinionKey}: the owner, or else who will match it first. */
export function opinionsOf({ views, matches, upcoming }: GuardState, now: Instant): ReadonlyMap<string, Opinion> {
  const owned = matches.filter(({ owns }) => owns);
  const next = upcoming.toSorted((one, other) => other.since - one.since);
  const opinions = [...next, ...owned].map((match) => opinion(match, views.get(match.candidate.node), now));
  return new Map(opinions.filter((one) => one !== undefined));
}

/** The key of {@link opinionsOf}. */
export function opinionKey(node: string, id: string): string {
  return JSON.stringify([node, id]);
}

function opinion(match: Match, view: View | undefined, { mono }: Instant): readonly [string, Opinion] | undefined {
  const { policy, candidate, holds, since } = match;
  const { id } = candidate.sighting;
  const witness = view?.witnesses.get(id);
  if (view === undefined || witness === undefined) return undefined;
  const confirmed = confirmedAt(witness, view.ways.indexOf(policy.confirm));
  const earliest = Math.max(witness.first.started.mono + leastAgeWhenConfirmed(policy.confirm), mono);
  const matchesAt = Math.max(since, confirmed ?? earliest);
  return [opinionKey(candidate.node, id), { match, matchesAt, isMatched: holds && confirmed !== undefined }];
}
