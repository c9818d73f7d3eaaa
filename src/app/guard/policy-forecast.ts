import { confirmedAt } from '../../guard/confirmation.ts';
import type { NodeView } from '../../guard/decision/node-view.ts';
import type { GuardState } from '../../guard/decision/state.ts';
import type { Match } from '../../guard/matcher.ts';
import { minAgeWhenConfirmed } from '../../guard/policy-reach.ts';
import type { Instant, Millis } from '../../kernel/time.ts';

/** What a policy has to say of one query, on the monotonic clock. */
export interface PolicyForecast {
  readonly match: Match;
  /** M: since when everything holds on a confirmed entry; until then, when at the earliest it will. */
  readonly matchesAt: Millis;
  /** M is no forecast. */
  readonly isMatched: boolean;
}

/** Who has a say in which query as of the latest step, by {@link forecastKey}: the owner, or else who will match it first. */
export function policyForecasts(
  { views, matches, upcoming }: GuardState,
  now: Instant,
): ReadonlyMap<string, PolicyForecast> {
  const owned = matches.filter(({ owns }) => owns);
  const next = upcoming.toSorted((one, other) => other.since - one.since);
  const forecasts = [...next, ...owned].flatMap(
    (match) => forecastOf(match, views.get(match.candidate.node), now) ?? [],
  );
  return new Map(
    forecasts.map((one) => [forecastKey(one.match.candidate.node, one.match.candidate.observation.id), one]),
  );
}

/** The key of {@link policyForecasts}. */
export function forecastKey(node: string, id: string): string {
  return JSON.stringify([node, id]);
}

/** When a match has its match time; undefined while its query has not been observed since the guard began to. */
export function forecastOf(match: Match, view: NodeView | undefined, { mono }: Instant): PolicyForecast | undefined {
  const { policy, candidate, holds, since } = match;
  const { id } = candidate.observation;
  const confirmation = view?.histories.get(id);
  if (view === undefined || confirmation === undefined) return undefined;
  const confirmed = confirmedAt(confirmation, view.confirmSettings.indexOf(policy.confirm));
  const earliest = Math.max(confirmation.first.started.mono + minAgeWhenConfirmed(policy.confirm), mono);
  const matchesAt = Math.max(since, confirmed ?? earliest);
  return { match, matchesAt, isMatched: holds && confirmed !== undefined };
}
