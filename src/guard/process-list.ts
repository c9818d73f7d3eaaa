import { z } from 'zod';
import { parseLocalMillis } from '../graphdb/dates.ts';
import { parseQueryIdentity, parseRequestId } from '../graphdb/query-identity.ts';
import { numberSchema, parserOf, rawList } from '../graphdb/reply-schemas.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { QueryIdentity } from '../model/query.ts';

/** Valid entry of a process list: all that the server reports of a running query. */
export interface Observation extends QueryIdentity {
  readonly id: string;
  /** `RESTPP_<partition>_<replica>` in the id: the instance that the query runs on, and that alone can abort it. */
  readonly instance: string;
  /** When it arrived, ms since the epoch by the server's clock; it may have waited since then. */
  readonly arrivedAt: number;
  /** With the query string, which is user data: compared and matched on, never stored or shown. */
  readonly url: string;
  /** Both as written, without a zone: compared alone. The latter is undefined where the entry lacks it. */
  readonly startTime: string;
  readonly expirationTime?: string;
  /** HTTP method of the request; undefined if the server does not report it, as most servers do not. */
  readonly method?: string;
  /** The server's own measure of how long it has run. */
  readonly elapsed: Millis;
  /** Expiration minus start; undefined where the entry lacks one of them. */
  readonly grantedTimeout?: Millis;
}

type MutableObservation = { -readonly [Part in keyof Observation]: Observation[Part] };

/** Reason why one entry is skipped, while the rest of its list is valid. */
export type EntrySkipReason = 'id' | 'field' | 'ages';

/** A time as the server writes it, of a clock that shows such times. */
const localTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?$/;
const properMethod = /^[A-Z]{3,7}$/;
/** Exactly the call of an installed query, with its parameters behind it. */
const installedCall = /^(?:\/restpp)?\/query\/([A-Za-z_]\w{0,127})\/([A-Za-z_]\w{0,127})(?:\?|$)/;

// A server takes urls of 8 kB; what is much longer is not from one.
const maxUrlLength = 65_536;

const readMeasure = parserOf(numberSchema);

/** The id that an entry carries, whether it is a proper one or not; undefined where it has none. */
export function entryId(value: unknown): string | undefined {
  const { requestid } = fieldsOf(value);
  return typeof requestid === 'string' ? requestid : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * Parses one entry; an invalid field makes the whole entry invalid. Reuses the values derived from unchanged fields of
 * the previous observation of the same id.
 */
export function parseEntry(value: unknown, before?: Observation): Result<Observation, EntrySkipReason> {
  const elapsed = before && elapsedIfUnchanged(before, value);
  return before === undefined || elapsed === undefined ? parseNewEntry(value) : ok({ ...before, elapsed });
}

/** Undefined where any other part of the entry is not as it was. */
function elapsedIfUnchanged(before: Observation, value: unknown): Millis | undefined {
  const { requestid, url, startTime, expirationTime, method, elapsedTime } = fieldsOf(value);
  const isSame =
    requestid === before.id &&
    url === before.url &&
    startTime === before.startTime &&
    expirationTime === before.expirationTime &&
    method === before.method;
  return isSame ? parseElapsed(elapsedTime) : undefined;
}

function parseNewEntry(value: unknown): Result<Observation, EntrySkipReason> {
  const { requestid, url, startTime, expirationTime, method, elapsedTime } = fieldsOf(value);
  const id = typeof requestid === 'string' ? parseRequestId(requestid) : undefined;
  if (typeof requestid !== 'string' || id === undefined) return err('id');
  const end = expirationTime ?? undefined;
  const verb = method ?? undefined;
  const elapsed = parseElapsed(elapsedTime);
  if (elapsed === undefined || !isUrl(url)) return err('field');
  if (!matchesPattern(localTime, startTime) || !(end === undefined || matchesPattern(localTime, end)))
    return err('field');
  if (!(verb === undefined || matchesPattern(properMethod, verb))) return err('field');
  const grantedTimeout = timeBetween(startTime, end);
  if (grantedTimeout !== undefined && grantedTimeout < 0) return err('field');
  const { instance, arrivedAt } = id;
  const { graph, query, kind } = strictIdentity(url);
  const read: MutableObservation = { id: requestid, instance, arrivedAt, graph, query, kind, url, startTime, elapsed };
  if (end !== undefined) read.expirationTime = end;
  if (grantedTimeout !== undefined) read.grantedTimeout = grantedTimeout;
  if (verb !== undefined) read.method = verb;
  return ok(read);
}

/** A number as it is, or as some builds quote it. */
function parseElapsed(value: unknown): Millis | undefined {
  const length = typeof value === 'number' ? value : readMeasure(value);
  return length !== undefined && length >= 0 && length < Number.POSITIVE_INFINITY ? length : undefined;
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxUrlLength;
}

function matchesPattern(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

/** Returns the time between two local times of one clock. The zone is unknown, so only the difference is usable. */
function timeBetween(start: string, end: string | undefined): Millis | undefined {
  const from = parseLocalMillis(start);
  const to = end === undefined ? undefined : parseLocalMillis(end);
  return from === undefined || to === undefined ? undefined : to - from;
}

/** Only what is exactly the call of an installed query counts as one: victims are chosen among these. */
function strictIdentity(url: string): QueryIdentity {
  const [, graph, query] = installedCall.exec(url) ?? [];
  if (graph !== undefined && query !== undefined) return { graph, query, kind: 'installed' };
  const identity = parseQueryIdentity(url);
  return identity.kind === 'installed' ? { graph: '', query: 'other', kind: 'builtin' } : identity;
}

/** Reason why a whole list of a node is rejected: no entry is known to be valid. */
export type ListSkipReason = 'malformed' | 'error' | 'duplicate_ids' | 'foreign_instance' | 'too_old' | 'too_slow';

/** What a good list says. */
export interface ProcessList {
  readonly observations: readonly Observation[];
  /** One reason for each skipped entry. */
  readonly leftOut: readonly EntrySkipReason[];
  /** All ids of the list, also of invalid entries, because such a query may still run. */
  readonly ids: ReadonlySet<string>;
}

/** The entries of a list, each looked at once. Whether they are to be believed is another question. */
export interface ParsedProcessList extends ProcessList {
  /** Of all proper ids: that is how one finds out whose they are. */
  readonly instances: ReadonlySet<string>;
  /** An id stands twice. */
  readonly isRepeating: boolean;
}

/** What the list before said, by id: most of it says the same again. */
export type KnownEntries = ReadonlyMap<string, { readonly observation: Observation }>;

/** Which server instances are known to run where. */
export interface ExpectedInstances {
  /** The one of the node that was asked, once it is known. */
  readonly own: string | undefined;
  readonly others: ReadonlySet<string>;
}

/** When a list was asked for, and when it was there. */
export interface ListTimes {
  readonly started: Instant;
  readonly received: Instant;
}

const listAgeSlack: Millis = 1000;

/** How long after its question a list may be acted upon, however long it was under way. */
export const maxListAge: Millis = 3000;

/** Many times what a server can run at once. A longer list is invalid, and its parsing would delay all other work. */
const maxEntries = 50_000;

const readEnvelope = parserOf(z.object({ error: z.literal([false, 'false']).optional(), results: rawList }));
const readFlag = parserOf(z.object({ error: z.literal([true, 'true']) }));

/** The entries of a list as they came, whatever is odd about them; or why the body is no list at all. */
export function parseEntries(body: unknown): Result<readonly unknown[], 'malformed' | 'error'> {
  if (readFlag(body) !== undefined) return err('error');
  const envelope = readEnvelope(body);
  return envelope === undefined || envelope.results.length > maxEntries ? err('malformed') : ok(envelope.results);
}

/** Reads the body of `GET /restpp/showprocesslistall`, parsed as JSON already and not looked at yet. */
export function parseProcessList(
  body: unknown,
  known: KnownEntries = new Map(),
): Result<ParsedProcessList, 'malformed' | 'error'> {
  const entries = parseEntries(body);
  if (!entries.ok) return entries;
  const observations: Observation[] = [];
  const leftOut: EntrySkipReason[] = [];
  const ids = new Set<string>();
  const instances = new Set<string>();
  let named = 0;
  let latest: string | undefined;
  for (const value of entries.value) {
    const id = entryId(value);
    const read = parseEntry(value, id === undefined ? undefined : known.get(id)?.observation);
    if (read.ok) observations.push(read.value);
    else leftOut.push(read.error);
    if (id === undefined) continue;
    named += 1;
    ids.add(id);
    const instance = read.ok ? read.value.instance : parseRequestId(id)?.instance;
    // Mostly they are all the same.
    if (instance !== undefined && instance !== latest) instances.add(instance);
    latest = instance;
  }
  return ok({ observations, leftOut, ids, instances, isRepeating: ids.size < named });
}

/** What a list says where it is to be believed, as far as that can be seen by its entries. */
export function validateList(
  answer: Result<ParsedProcessList, ListSkipReason>,
  instances: ExpectedInstances,
): Result<ProcessList, ListSkipReason> {
  if (!answer.ok) return answer;
  if (answer.value.isRepeating) return err('duplicate_ids');
  return hasForeignEntries(answer.value.observations, instances) ? err('foreign_instance') : answer;
}

/**
 * Returns whether a list is too old to act upon at `now`, by either clock. Its age counts from the start of the request,
 * because a response may describe any moment of it; so the list of a long request is always too slow.
 */
export function staleness({ started, received }: ListTimes, now: Instant): 'too_old' | 'too_slow' | undefined {
  const duration = received.mono - started.mono;
  if (duration > maxListAge) return 'too_slow';
  const age = Math.max(now.mono - started.mono, Math.abs(now.wall - started.wall));
  return age > Math.min(duration + listAgeSlack, maxListAge) ? 'too_old' : undefined;
}

/** Whether one of these runs elsewhere; of two on a node of which nothing is known, one does, whichever that is. */
function hasForeignEntries(observations: readonly Observation[], { own, others }: ExpectedInstances): boolean {
  const [first] = observations;
  const expected = own ?? first?.instance;
  return observations.some(({ instance }) => instance !== expected || (own === undefined && others.has(instance)));
}
