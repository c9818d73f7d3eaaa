import { confirmedAt } from '../../guard/confirmation.ts';
import type { NodeView } from '../../guard/decision/node-view.ts';
import type { GuardState } from '../../guard/decision/state.ts';
import type { Match } from '../../guard/matcher.ts';
import { minAgeWhenConfirmed } from '../../guard/policy-reach.ts';
import type { Instant, Millis } from '../../kernel/time.ts';

/** Match of a policy and a query, now or in the future; times are monotonic. */
export interface PolicyForecast {
  readonly match: Match;
  /** Match time; before that, the earliest possible match time. */
  readonly matchesAt: Millis;
  /** Whether the match time has passed. */
  readonly isMatched: boolean;
}

/**
 * Returns the policy of each query, by {@link forecastKey}: its owner, or else the policy that will match it first. An enforcing
 * policy that will match a query precedes an observing one that matches it, because it will abort the query.
 */
export function policyForecasts(
  { views, matches, upcoming }: GuardState,
  now: Instant,
): ReadonlyMap<string, PolicyForecast> {
  const owned = matches.filter(({ owns }) => owns);
  const next = upcoming.toSorted((one, other) => other.since - one.since);
  const all = [...next, ...owned];
  const byMode = [...all.filter(({ mode }) => mode === 'observe'), ...all.filter(({ mode }) => mode === 'enforce')];
  const forecasts = byMode.flatMap((match) => forecastOf(match, views.get(match.candidate.node), now) ?? []);
  return new Map(
    forecasts.map((one) => [forecastKey(one.match.candidate.node, one.match.candidate.observation.id), one]),
  );
}

/** Key of {@link policyForecasts}. */
export function forecastKey(node: string, id: string): string {
  return JSON.stringify([node, id]);
}

/** Returns the match time of a match; undefined before the first observation of its query. */
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
