import type { QueryGuardStatus } from '../../api/queries.ts';
import type { Candidate } from '../../guard/candidate.ts';
import type { Protection } from '../../guard/conditions/all.ts';
import { compileProtection } from '../../guard/conditions.ts';
import type { Instant, Millis } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import type { ListedQuery } from '../../model/query.ts';
import type { ClusterGuard } from './cluster-guard.ts';
import { forecastKey, policyForecasts } from './policy-forecast.ts';

/** Returns what the guard knows of one query of a node. */
export type QueryGuardStatusLookup = (node: string, query: ListedQuery) => QueryGuardStatus;

const noPolicy: Omit<QueryGuardStatus, 'protected'> = {
  policy: null,
  matchesAt: null,
  earliestAbortAt: null,
  mode: null,
  held: null,
  heldUntil: null,
};

interface GuardSnapshot {
  readonly guard: Pick<ClusterGuard, 'state' | 'settings' | 'guard'>;
  readonly protect: readonly Protection[];
  readonly now: Instant;
}

/** Evaluates all running queries once. Without a snapshot of the guard, no query has a status. */
export function createQueryStatusLookup(snapshot: GuardSnapshot | undefined): QueryGuardStatusLookup {
  if (snapshot === undefined) return () => ({ ...noPolicy, protected: null });
  const { guard, protect, now } = snapshot;
  const forecasts = policyForecasts(guard.state, now);
  const isProtected = compileProtection(protect);
  const instant = (mono: Millis): string => formatTimestamp(now.wall + mono - now.mono);
  return (node, query) => {
    const forecast = query.state === 'running' ? forecasts.get(forecastKey(node, query.id)) : undefined;
    const listed = query.state === 'running' ? guard.state.views.get(node)?.list?.candidates.get(query.id) : undefined;
    const protectedQuery = isProtected(listed ?? candidateWithNames(node, query));
    if (forecast === undefined || protectedQuery) return { ...noPolicy, protected: protectedQuery };
    const { match, matchesAt } = forecast;
    const hold = guard.guard.holdOf(match, guard.state, now);
    return {
      policy: match.policy.name,
      matchesAt: instant(matchesAt),
      earliestAbortAt: isNodeCovered(guard, node, now) ? instant(matchesAt + match.policy.grace) : null,
      protected: protectedQuery,
      mode: match.mode,
      held: hold?.reason ?? null,
      heldUntil: hold?.until === undefined ? null : instant(hold.until),
    };
  };
}

/** Whether the guard covers a node: its latest list is recent and valid, and its instance is known. */
export function isNodeCovered(
  { state, settings }: Pick<ClusterGuard, 'state' | 'settings'>,
  node: string,
  now: Instant,
): boolean {
  const view = state.views.get(node);
  if (view?.list === undefined || view.rejectedLists > 0 || !view.isCovered) return false;
  return now.mono - view.list.times.received.mono < settings.staleAfter;
}

/** Names are known even for a query that no policy may evaluate; its parameters are not, which counts as protected. */
function candidateWithNames(node: string, { id, graph, query, kind }: ListedQuery): Candidate {
  const named = { id, graph, query, kind, instance: '', arrivedAt: 0, url: '', startTime: '', elapsed: 0 };
  return { node, observation: named, at: 0, age: { least: 0, most: 0 }, since: 0 };
}
