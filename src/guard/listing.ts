import { z } from 'zod';
import { readRequestId } from '../graphdb/request-id.ts';
import { entry, list } from '../graphdb/shapes.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import { type EntryDoubt, idOf, readSighting, type Sighting } from './sighting.ts';

/** Why a whole list of a node says nothing: there is no telling which of its entries are right. */
export type ListDoubt = 'malformed' | 'error' | 'duplicate_ids' | 'foreign_instance' | 'too_old' | 'too_slow';

/** What a good list says. */
export interface Listing {
  readonly sightings: readonly Sighting[];
  /** One reason for each entry that is left out. */
  readonly leftOut: readonly EntryDoubt[];
  /** All ids that it names, whatever else is odd about their entries: who is named may still run. */
  readonly ids: ReadonlySet<string>;
}

/** The entries of a list, each looked at once. Whether they are to be believed is another question. */
export interface Answer extends Listing {
  /** Of all proper ids: that is how one finds out whose they are. */
  readonly instances: ReadonlySet<string>;
  /** An id stands twice. */
  readonly isRepeating: boolean;
}

/** What the list before said, by id: most of it says the same again. */
export type Known = ReadonlyMap<string, { readonly sighting: Sighting }>;

/** Which server instances are known to run where. */
export interface Instances {
  /** The one of the node that was asked, once it is known. */
  readonly own: string | undefined;
  readonly others: ReadonlySet<string>;
}

/** When a list was asked for, and when it was there. */
export interface ListTimes {
  readonly started: Instant;
  readonly received: Instant;
}

const slack: Millis = 1000;

/** How long after its question a list may be acted upon, however long it was under way. */
export const oldestToActOn: Millis = 3000;

/** Many times what a server can run at once: whoever lists more is none, and would hold up all else that we do. */
const mostEntries = 50_000;

const readEnvelope = entry(z.object({ error: z.literal([false, 'false']).optional(), results: list }));
const readFlag = entry(z.object({ error: z.literal([true, 'true']) }));

/** The entries of a list as they came, whatever is odd about them; or why the body is no list at all. */
export function readEntries(body: unknown): Result<readonly unknown[], 'malformed' | 'error'> {
  if (readFlag(body) !== undefined) return err('error');
  const envelope = readEnvelope(body);
  return envelope === undefined || envelope.results.length > mostEntries ? err('malformed') : ok(envelope.results);
}

/** Reads the body of `GET /restpp/showprocesslistall`, parsed as JSON already and not looked at yet. */
export function readAnswer(body: unknown, known: Known = new Map()): Result<Answer, 'malformed' | 'error'> {
  const entries = readEntries(body);
  if (!entries.ok) return entries;
  const sightings: Sighting[] = [];
  const leftOut: EntryDoubt[] = [];
  const ids = new Set<string>();
  const instances = new Set<string>();
  let named = 0;
  let latest: string | undefined;
  for (const value of entries.value) {
    const id = idOf(value);
    const read = readSighting(value, id === undefined ? undefined : known.get(id)?.sighting);
    if (read.ok) sightings.push(read.value);
    else leftOut.push(read.error);
    if (id === undefined) continue;
    named += 1;
    ids.add(id);
    const instance = read.ok ? read.value.instance : readRequestId(id)?.instance;
    // Mostly they are all the same.
    if (instance !== undefined && instance !== latest) instances.add(instance);
    latest = instance;
  }
  return ok({ sightings, leftOut, ids, instances, isRepeating: ids.size < named });
}

/** What a list says where it is to be believed, as far as that can be seen by its entries. */
export function believed(answer: Result<Answer, ListDoubt>, instances: Instances): Result<Listing, ListDoubt> {
  if (!answer.ok) return answer;
  if (answer.value.isRepeating) return err('duplicate_ids');
  return areForeign(answer.value.sightings, instances) ? err('foreign_instance') : answer;
}

/**
 * Whether a list is too old to act upon at `now`, by either clock. It is as old as its question, since an answer may
 * tell of any moment in between; so one that was long under way is too slow for ever.
 */
export function staleness({ started, received }: ListTimes, now: Instant): 'too_old' | 'too_slow' | undefined {
  const duration = received.mono - started.mono;
  if (duration > oldestToActOn) return 'too_slow';
  const age = Math.max(now.mono - started.mono, Math.abs(now.wall - started.wall));
  return age > Math.min(duration + slack, oldestToActOn) ? 'too_old' : undefined;
}

/** Whether one of these runs elsewhere; of two on a node of which nothing is known, one does, whichever that is. */
function areForeign(sightings: readonly Sighting[], { own, others }: Instances): boolean {
  const [first] = sightings;
  const expected = own ?? first?.instance;
  return sightings.some(({ instance }) => instance !== expected || (own === undefined && others.has(instance)));
}
