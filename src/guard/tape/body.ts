import type { TapeEntry, TapeList } from './format.ts';

/** What a parameter that stands for a clause is given where the clause is true. */
export const trueText = 'true';

/** The parameter that stands for the clause at a place of the header. */
export function clauseParam(place: number): string {
  return `c${place}`;
}

/**
 * A recorded list as a node would have answered it. Instead of parameters its urls carry what the clauses on them came
 * to, so that the guard judges a recording by the very same code.
 */
export function bodyOf(list: TapeList): unknown {
  if ('entries' in list) return { error: false, results: list.entries.map(answeredEntry) };
  return list.void === 'error' ? { error: true } : {};
}

function answeredEntry(entry: TapeEntry): unknown {
  if ('odd' in entry) return { requestid: entry.id };
  const { id: requestid, start: startTime, end: expirationTime, elapsed: elapsedTime, method } = entry;
  return { requestid, startTime, expirationTime, url: urlOf(entry), elapsedTime, method };
}

function urlOf({ query, told = '', changed }: Exclude<TapeEntry, { odd: true }>): string {
  const path = query === 'interpreted' ? '/interpreted_query' : query === 'builtin' ? '/builtin' : query;
  const truths = Array.from(told, (digit, place) => `${clauseParam(place)}=${digit === '1' ? trueText : 'false'}`);
  const all = [...truths, ...(changed === undefined ? [] : [`changed=${changed}`])];
  return all.length === 0 ? path : `${path}?${all.join('&')}`;
}
