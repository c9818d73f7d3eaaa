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
}

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

const readEnvelope = entry(z.object({ error: z.literal([false, 'false']).optional(), results: list }));
const readFlag = entry(z.object({ error: z.literal([true, 'true']) }));

/** The entries of a list as they came, whatever is odd about them; or why the body is no list at all. */
export function readEntries(body: unknown): Result<readonly unknown[], 'malformed' | 'error'> {
  if (readFlag(body) !== undefined) return err('error');
  const envelope = readEnvelope(body);
  return envelope === undefined ? err('malformed') : ok(envelope.results);
}

/** Reads the body of `GET /restpp/showprocesslistall`, parsed as JSON already and not looked at yet. */
export function readListing(body: unknown, instances: Instances): Result<Listing, ListDoubt> {
  const entries = readEntries(body);
  if (!entries.ok) return entries;
  const ids = entries.value.map(idOf).filter((id) => id !== undefined);
  if (new Set(ids).size < ids.length) return err('duplicate_ids');
  const read = entries.value.map(readSighting);
  const sightings = read.flatMap((one) => (one.ok ? [one.value] : []));
  if (areForeign(new Set(sightings.map(({ instance }) => instance)), instances)) return err('foreign_instance');
  return ok({ sightings, leftOut: read.flatMap((one) => (one.ok ? [] : [one.error])) });
}

/** The instances that a list names, be it void for them or for anything else: that is how one finds out whose they are. */
export function instancesIn(body: unknown): ReadonlySet<string> {
  const ids = readEnvelope(body)?.results.map((one) => readRequestId(idOf(one) ?? '')) ?? [];
  return new Set(ids.flatMap((id) => (id === undefined ? [] : [id.instance])));
}

/** All ids that a list names, whatever else is odd about their entries: who is named may still run. */
export function idsIn(body: unknown): ReadonlySet<string> {
  const ids = readEnvelope(body)?.results.map(idOf) ?? [];
  return new Set(ids.filter((id) => id !== undefined));
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
function areForeign(named: ReadonlySet<string>, { own, others }: Instances): boolean {
  if (own !== undefined) return [...named].some((instance) => instance !== own);
  return named.size > 1 || [...named].some((instance) => others.has(instance));
}
