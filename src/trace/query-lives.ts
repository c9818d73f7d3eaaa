import type { Instant, Millis } from '../kernel/time.ts';
import type { ListedQuery } from '../model/query.ts';

/** What the lists of one node say over time. Values are never changed in place. */
export interface QueryLives {
  readonly open: ReadonlyMap<string, SeenQuery>;
  /** Told of already, the latest last: a list that names one again is no new life. */
  readonly told: ReadonlySet<string>;
}

/** A query as it was last listed. */
export interface SeenQuery {
  readonly query: ListedQuery;
  readonly firstSeen: Instant;
  readonly lastSeen: Instant;
  /** When the first list was there that was without it; undefined while it is listed. */
  readonly missedAt: Instant | undefined;
  /** That list came so late that nobody knows when the query went. */
  readonly isUnwatched: boolean;
}

/** How a query ended. `lost`: nobody was looking. */
export const queryOutcomes = ['ended', 'expired', 'aborted', 'lost'] as const;

/** A query that is over, as far as anybody can tell. */
export interface EndedQuery extends SeenQuery {
  readonly outcome: (typeof queryOutcomes)[number];
  /** The policy that had it aborted; `''` where an operator had. */
  readonly policy?: string;
}

/** One good list of a node. */
export interface QueryList {
  readonly queries: readonly ListedQuery[];
  readonly at: Instant;
  /** Until when the list before is believed. */
  readonly lifetime: Millis;
  /** Which policy had a query of this node aborted; `''`: an operator. Undefined where nobody had. */
  readonly abortedBy: (id: string) => string | undefined;
  /** What other nodes know of a query that this one lists or listed. Absent where nobody else can. */
  readonly elsewhere?: (id: string) => 'open' | 'told' | undefined;
}

const mostTold = 10_000;

/** A node that was never asked. */
export const noLives: QueryLives = { open: new Map(), told: new Set() };

/**
 * What a good list adds. A query is over when two good lists in a row are without it: one alone may have left it out,
 * and the guard needs the second one too to know what came of its abort. What is open elsewhere is told of there.
 */
export function listed(
  lives: QueryLives,
  list: QueryList,
): { readonly lives: QueryLives; readonly ended: readonly EndedQuery[] } {
  const open = new Map<string, SeenQuery>();
  for (const query of list.queries) {
    if (query.state !== 'running' || lives.told.has(query.id) || list.elsewhere?.(query.id) === 'told') continue;
    const firstSeen = lives.open.get(query.id)?.firstSeen ?? list.at;
    open.set(query.id, { query, firstSeen, lastSeen: list.at, missedAt: undefined, isUnwatched: false });
  }
  const ended: EndedQuery[] = [];
  for (const [id, seen] of lives.open) {
    if (open.has(id)) continue;
    if (seen.missedAt !== undefined) ended.push(...(list.elsewhere?.(id) === undefined ? [endOf(seen, list)] : []));
    else open.set(id, { ...seen, missedAt: list.at, isUnwatched: list.at.mono - seen.lastSeen.mono > list.lifetime });
  }
  if (ended.length === 0) return { lives: { ...lives, open }, ended };
  const told = [...lives.told, ...ended.map(({ query }) => query.id)].slice(-mostTold);
  return { lives: { open, told: new Set(told) }, ended };
}

/** Nobody will list these any more: their node is not watched any longer. */
export function abandoned({ open }: QueryLives, elsewhere?: QueryList['elsewhere']): readonly EndedQuery[] {
  const lost = [...open.values()].filter(({ query }) => elsewhere?.(query.id) === undefined);
  return lost.map((seen) => ({ ...seen, outcome: 'lost' }));
}

function endOf(seen: SeenQuery, { abortedBy }: QueryList): EndedQuery {
  const policy = abortedBy(seen.query.id);
  if (policy !== undefined) return { ...seen, outcome: 'aborted', policy };
  if (seen.isUnwatched) return { ...seen, outcome: 'lost' };
  return { ...seen, outcome: hasExpired(seen) ? 'expired' : 'ended' };
}

/** Whether its time-out fell between the last list that had it and the first that had not. */
function hasExpired({ query: { age, grantedTimeout }, lastSeen, missedAt }: SeenQuery): boolean {
  if (age === undefined || grantedTimeout === undefined || missedAt === undefined) return false;
  return age + missedAt.mono - lastSeen.mono >= grantedTimeout;
}
