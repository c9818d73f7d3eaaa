import type { Instant, Millis } from '../kernel/time.ts';
import type { ListedQuery } from '../model/query.ts';

/** Queries in the successive process lists of one node. Immutable. */
export interface TrackedQueries {
  readonly open: ReadonlyMap<string, TrackedQuery>;
  /** Queries that were reported as ended, latest last; a list that names one again does not start it again. */
  readonly reported: ReadonlySet<string>;
}

/** Query with the content of its latest list. */
export interface TrackedQuery {
  readonly query: ListedQuery;
  readonly firstSeen: Instant;
  readonly lastSeen: Instant;
  /** Time of the first list without the query; undefined while it is listed. */
  readonly missedAt: Instant | undefined;
  /** Whether the list came so late that the end of the query is unknown. */
  readonly isEndUnknown: boolean;
}

/** How a query ended. `lost`: no process list covers its end. */
export const queryOutcomes = ['ended', 'expired', 'aborted', 'lost'] as const;

/** Query that is no longer in the process lists. */
export interface EndedQuery extends TrackedQuery {
  readonly outcome: (typeof queryOutcomes)[number];
  /** Policy that aborted it; `''` for an operator. */
  readonly policy?: string;
}

/** Ended queries of one node. */
export interface QueryEnds {
  readonly cluster: string;
  readonly node: string;
  readonly ended: readonly EndedQuery[];
}

/** Complete process list of a node. */
export interface QueryList {
  readonly queries: readonly ListedQuery[];
  readonly at: Instant;
  /** Time until which the previous list is valid. */
  readonly lifetime: Millis;
  /** Policy that aborted a query of this node; `''` for an operator, undefined if it was not aborted. */
  readonly abortedBy: (id: string) => string | undefined;
  /** State of the query on other nodes. Absent if there is no other node. */
  readonly elsewhere?: (id: string) => 'open' | 'reported' | undefined;
}

const maxReportedQueries = 10_000;

/** State of a node before its first list. */
export const noTrackedQueries: TrackedQueries = { open: new Map(), reported: new Set() };

/**
 * Adds a complete list. A query has ended when it is missing from two complete lists in a row: one list alone may omit
 * it, and the guard also needs the second one to confirm an abort. A query that another node lists is reported there only.
 */
export function trackList(
  tracked: TrackedQueries,
  list: QueryList,
): { readonly tracked: TrackedQueries; readonly ended: readonly EndedQuery[] } {
  const open = new Map<string, TrackedQuery>();
  for (const query of list.queries) {
    if (query.state !== 'running' || tracked.reported.has(query.id) || list.elsewhere?.(query.id) === 'reported')
      continue;
    const firstSeen = tracked.open.get(query.id)?.firstSeen ?? list.at;
    open.set(query.id, { query, firstSeen, lastSeen: list.at, missedAt: undefined, isEndUnknown: false });
  }
  const ended: EndedQuery[] = [];
  for (const [id, seen] of tracked.open) {
    if (open.has(id)) continue;
    if (seen.missedAt !== undefined)
      ended.push(...(list.elsewhere?.(id) === undefined ? [endedQuery(seen, list)] : []));
    else open.set(id, { ...seen, missedAt: list.at, isEndUnknown: list.at.mono - seen.lastSeen.mono > list.lifetime });
  }
  if (ended.length === 0) return { tracked: { ...tracked, open }, ended };
  const reported = [...tracked.reported, ...ended.map(({ query }) => query.id)].slice(-maxReportedQueries);
  return { tracked: { open, reported: new Set(reported) }, ended };
}

/** Ends the queries of a node that is no longer polled. */
export function endAsLost({ open }: TrackedQueries, elsewhere?: QueryList['elsewhere']): readonly EndedQuery[] {
  const lost = [...open.values()].filter(({ query }) => elsewhere?.(query.id) === undefined);
  return lost.map((seen) => ({ ...seen, outcome: 'lost' }));
}

function endedQuery(seen: TrackedQuery, { abortedBy }: QueryList): EndedQuery {
  const policy = abortedBy(seen.query.id);
  if (policy !== undefined) return { ...seen, outcome: 'aborted', policy };
  if (seen.isEndUnknown) return { ...seen, outcome: 'lost' };
  return { ...seen, outcome: hasExpired(seen) ? 'expired' : 'ended' };
}

/** Returns whether the query had reached its timeout by the first list without it. */
function hasExpired({ query: { age, grantedTimeout }, lastSeen, missedAt }: TrackedQuery): boolean {
  if (age === undefined || grantedTimeout === undefined || missedAt === undefined) return false;
  return age + missedAt.mono - lastSeen.mono >= grantedTimeout;
}
