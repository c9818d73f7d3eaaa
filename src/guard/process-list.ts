import { z } from 'zod';
import { apparentTimeout } from '../graphdb/granted-timeout.ts';
import { parseQueryIdentity, parseRequestId } from '../graphdb/query-identity.ts';
import { numberSchema, parserOf, rawList } from '../graphdb/reply-schemas.ts';
import { greatestClockChange } from '../kernel/clock-changes.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { QueryIdentity } from '../model/query.ts';

/** Valid entry of a process list, with the properties of a running query. */
export interface Observation extends QueryIdentity {
  readonly id: string;
  /** Instance in the id (`RESTPP_<partition>_<replica>`). The query runs on it, and only it can abort the query. */
  readonly instance: string;
  /**
   * Arrival of the query, in ms since the epoch by the server's clock. The query may have waited in the queue since.
   */
  readonly arrivedAt: number;
  /**
   * URL with the query string, which is user data: graphwarden compares and matches it, but never stores or shows it.
   */
  readonly url: string;
  /** Start as the server writes it. It has no time zone, so it is only compared with other times of the same server. */
  readonly startTime: string;
  /** Expiration in the same format; undefined if the entry lacks it. */
  readonly expirationTime?: string;
  /** HTTP method of the request; undefined if the server does not report it, as most servers do not. */
  readonly method?: string;
  /** Time for which the query has run, as measured by the server. */
  readonly elapsed: Millis;
  /** Listed expiration minus listed start; negative if clocks are set back in between. Undefined without an expiration. */
  readonly apparentTimeout?: Millis;
}

type MutableObservation = { -readonly [Part in keyof Observation]: Observation[Part] };

/** Reason why one entry is skipped, while the rest of its list is valid. */
export type EntrySkipReason = 'id' | 'field' | 'ages';

/** Local time in the format of the server. */
const localTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?$/;
const properMethod = /^[A-Z]{3,7}$/;
/** URL path of a call of an installed query, optionally with parameters. */
const installedCall = /^(?:\/restpp)?\/query\/([A-Za-z_]\w{0,127})\/([A-Za-z_]\w{0,127})(?:\?|$)/;

// The server accepts URLs of up to 8 kB, so a much longer URL is invalid.
const maxUrlLength = 65_536;

const readMeasure = parserOf(numberSchema);

/** Returns the id of an entry, even if it is malformed; undefined if the entry has none. */
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

/** Returns the elapsed time if all other fields are unchanged since the previous observation; otherwise undefined. */
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
  const timeout = end === undefined ? undefined : apparentTimeout(startTime, end);
  if (timeout !== undefined && timeout < -greatestClockChange) return err('field');
  const { instance, arrivedAt } = id;
  const { graph, query, kind } = strictIdentity(url);
  const read: MutableObservation = { id: requestid, instance, arrivedAt, graph, query, kind, url, startTime, elapsed };
  if (end !== undefined) read.expirationTime = end;
  if (timeout !== undefined) read.apparentTimeout = timeout;
  if (verb !== undefined) read.method = verb;
  return ok(read);
}

/** Parses an elapsed time. Some server builds quote the number. */
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

/**
 * Returns the identity of a query. Only an exact call of an installed query counts as installed and can be a victim.
 */
function strictIdentity(url: string): QueryIdentity {
  const [, graph, query] = installedCall.exec(url) ?? [];
  if (graph !== undefined && query !== undefined) return { graph, query, kind: 'installed' };
  const identity = parseQueryIdentity(url);
  return identity.kind === 'installed' ? { graph: '', query: 'other', kind: 'builtin' } : identity;
}

/** Reason why a whole list of a node is rejected: no entry is known to be valid. */
export type ListSkipReason = 'malformed' | 'error' | 'duplicate_ids' | 'foreign_instance' | 'too_old' | 'too_slow';

/** Entries of a valid process list. */
export interface ProcessListEntries {
  readonly observations: readonly Observation[];
  /** One reason for each skipped entry. */
  readonly skippedEntries: readonly EntrySkipReason[];
  /** All ids of the list, also of invalid entries, because such a query may still run. */
  readonly ids: ReadonlySet<string>;
}

/** Parsed entries of a list, before {@link validateList} decides whether the list is valid. */
export interface ParsedProcessList extends ProcessListEntries {
  /** Instances of all well-formed ids; they show which instance the list comes from. */
  readonly instances: ReadonlySet<string>;
  /** Whether an id occurs more than once. */
  readonly isRepeating: boolean;
}

/** Entries of the previous list, by id. Most entries are unchanged, so that their parsed values can be reused. */
export type KnownEntries = ReadonlyMap<string, { readonly observation: Observation }>;

/** Known server instances of the nodes of a cluster. */
export interface ExpectedInstances {
  /** Instance of the polled node; undefined if it is not known yet. */
  readonly own: string | undefined;
  readonly others: ReadonlySet<string>;
}

/** Start of a list request and arrival of its response. */
export interface ListTimes {
  readonly started: Instant;
  readonly received: Instant;
}

/** Maximum time between the arrival of a list and a decision that is based on it. */
const listAgeSlack: Millis = 1000;

/** Maximum age of a list that the guard acts on, from the start of its request. */
export const maxListAge: Millis = 3000;

/** Limit far above the number of queries that a server can run. A list of 50,000 keeps the event loop busy for 100 ms. */
const maxEntries = 20_000;

const readEnvelope = parserOf(z.object({ error: z.literal([false, 'false']).optional(), results: rawList }));
const readFlag = parserOf(z.object({ error: z.literal([true, 'true']) }));

/** Returns the raw entries of a list, or why the body is not a list. */
export function parseEntries(body: unknown): Result<readonly unknown[], 'malformed' | 'error'> {
  if (readFlag(body) !== undefined) return err('error');
  const envelope = readEnvelope(body);
  return envelope === undefined || envelope.results.length > maxEntries ? err('malformed') : ok(envelope.results);
}

/** Parses the decoded JSON body of `GET /restpp/showprocesslistall`. */
export function parseProcessList(
  body: unknown,
  known: KnownEntries = new Map(),
): Result<ParsedProcessList, 'malformed' | 'error'> {
  const entries = parseEntries(body);
  if (!entries.ok) return entries;
  const observations: Observation[] = [];
  const skippedEntries: EntrySkipReason[] = [];
  const ids = new Set<string>();
  const instances = new Set<string>();
  let named = 0;
  let latest: string | undefined;
  for (const value of entries.value) {
    const id = entryId(value);
    const read = parseEntry(value, id === undefined ? undefined : known.get(id)?.observation);
    if (read.ok) observations.push(read.value);
    else skippedEntries.push(read.error);
    if (id === undefined) continue;
    named += 1;
    ids.add(id);
    const instance = read.ok ? read.value.instance : parseRequestId(id)?.instance;
    // Usually all entries have the same instance, so this saves most insertions.
    if (instance !== undefined && instance !== latest) instances.add(instance);
    latest = instance;
  }
  return ok({ observations, skippedEntries, ids, instances, isRepeating: ids.size < named });
}

/** Rejects a list with duplicate ids, or with entries of another node's instance. */
export function validateList(
  answer: Result<ParsedProcessList, ListSkipReason>,
  instances: ExpectedInstances,
): Result<ProcessListEntries, ListSkipReason> {
  if (!answer.ok) return answer;
  if (answer.value.isRepeating) return err('duplicate_ids');
  return hasForeignEntries(answer.value.observations, instances) ? err('foreign_instance') : answer;
}

/**
 * Returns why a list cannot be acted upon at `now`, by either clock; undefined if it can. Its age counts from the start
 * of the request, because a response may describe any moment of it; so the list of a long request is always too slow.
 */
export function staleness({ started, received }: ListTimes, now: Instant): 'too_old' | 'too_slow' | undefined {
  const duration = received.mono - started.mono;
  if (duration > maxListAge) return 'too_slow';
  const age = Math.max(now.mono - started.mono, Math.abs(now.wall - started.wall));
  return age > Math.min(duration + listAgeSlack, maxListAge) ? 'too_old' : undefined;
}

/**
 * Returns whether an entry has the instance of another node. If the instance of the polled node is unknown, all entries
 * must have the same instance.
 */
function hasForeignEntries(observations: readonly Observation[], { own, others }: ExpectedInstances): boolean {
  const [first] = observations;
  const expected = own ?? first?.instance;
  return observations.some(({ instance }) => instance !== expected || (own === undefined && others.has(instance)));
}
