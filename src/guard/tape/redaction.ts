import { readRequestId } from '../../graphdb/request-id.ts';
import { readEntries } from '../listing.ts';
import { idOf, readSighting, type Sighting } from '../sighting.ts';
import type { ClauseTest } from './clauses.ts';
import type { TapeEntry, TapeList } from './format.ts';

/** Turns what nodes answer into what may be kept of it. It remembers the urls of each node's latest list. */
export type Redaction = (node: string, body: unknown) => TapeList;

interface Known {
  readonly url: string;
  readonly changed: number;
}

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']);

/**
 * Keeps of an entry what the guard may keep, and of an odd one only so much that it is as odd when it is replayed. Of a
 * url nothing is left but the name of an installed query, or the kind of anything else. A list that is void for what it
 * names is kept as it is: the replay is to find the same.
 */
export function createRedaction(test: ClauseTest): Redaction {
  const urls = new Map<string, ReadonlyMap<string, Known>>();
  return (node, body) => {
    const results = readEntries(body);
    if (!results.ok) return { void: results.error };
    const before = urls.get(node);
    const now = new Map<string, Known>();
    const markers = new Map<string, string>();
    const entries = results.value.map((value): TapeEntry => {
      const read = readSighting(value);
      if (!read.ok) return oddOf(idOf(value), markers);
      const known = seen(before?.get(read.value.id), read.value.url);
      now.set(read.value.id, known);
      return soundOf(read.value, known.changed, test);
    });
    urls.set(node, now);
    return { entries };
  };
}

function seen(before: Known | undefined, url: string): Known {
  if (before === undefined) return { url, changed: 0 };
  return before.url === url ? before : { url, changed: before.changed + 1 };
}

function soundOf(sighting: Sighting, changed: number, test: ClauseTest): TapeEntry {
  const { id, startTime: start, expirationTime: end, elapsed, kind, graph, query, method } = sighting;
  const told = kind === 'installed' ? test(sighting) : '';
  return {
    id,
    start,
    ...(end === undefined ? {} : { end }),
    elapsed,
    query: kind === 'installed' ? `/query/${graph}/${query}` : kind,
    ...(method === undefined ? {} : { method: methods.has(method) ? method : 'OTHER' }),
    ...(told === '' ? {} : { told }),
    ...(changed === 0 ? {} : { changed }),
  };
}

/** Two that are alike stay so: a list with one id twice is void. */
function oddOf(id: string | undefined, markers: Map<string, string>): TapeEntry {
  if (id === undefined) return { odd: true };
  if (readRequestId(id) !== undefined) return { id, odd: true };
  const marker = markers.get(id) ?? `?${markers.size + 1}`;
  markers.set(id, marker);
  return { id: marker, odd: true };
}
