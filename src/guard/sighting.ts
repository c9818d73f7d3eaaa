import { localMillis } from '../graphdb/dates.ts';
import { queryIdentity } from '../graphdb/query-identity.ts';
import { readRequestId } from '../graphdb/request-id.ts';
import { entry, measure } from '../graphdb/shapes.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import type { QueryIdentity } from '../model/query.ts';

/** One entry of a process list that may be believed, by itself: all that the server tells of a running query. */
export interface Sighting extends QueryIdentity {
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
  /** Of the request; undefined where the server does not tell, as most do not. */
  readonly method?: string;
  /** The server's own measure of how long it has run. */
  readonly elapsed: Millis;
  /** Expiration minus start; undefined where the entry lacks one of them. */
  readonly grantedTimeout?: Millis;
}

type Draft = { -readonly [Part in keyof Sighting]: Sighting[Part] };

/** Why one entry is left out, while the rest of its list stands. */
export type EntryDoubt = 'id' | 'field' | 'ages';

/** A time as the server writes it, of a clock that shows such times. */
const localTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?$/;
const properMethod = /^[A-Z]{3,7}$/;
/** Exactly the call of an installed query, with its parameters behind it. */
const installedCall = /^(?:\/restpp)?\/query\/([A-Za-z_]\w{0,127})\/([A-Za-z_]\w{0,127})(?:\?|$)/;

// A server takes urls of 8 kB; what is much longer is not from one.
const longestUrl = 65_536;

const readMeasure = entry(measure);

/** The id that an entry carries, whether it is a proper one or not; undefined where it has none. */
export function idOf(value: unknown): string | undefined {
  const { requestid } = partsOf(value);
  return typeof requestid === 'string' ? requestid : undefined;
}

function partsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * One entry as it came, believed only as a whole: a part of it that is odd puts the others in doubt. Of the sighting
 * before of the same id all is taken over that is worked out of what is written as it was.
 */
export function readSighting(value: unknown, before?: Sighting): Result<Sighting, EntryDoubt> {
  const elapsed = before && elapsedSince(before, value);
  return before === undefined || elapsed === undefined ? readAnew(value) : ok({ ...before, elapsed });
}

/** Undefined where any other part of the entry is not as it was. */
function elapsedSince(before: Sighting, value: unknown): Millis | undefined {
  const { requestid, url, startTime, expirationTime, method, elapsedTime } = partsOf(value);
  const isSame =
    requestid === before.id &&
    url === before.url &&
    startTime === before.startTime &&
    expirationTime === before.expirationTime &&
    method === before.method;
  return isSame ? lengthOf(elapsedTime) : undefined;
}

function readAnew(value: unknown): Result<Sighting, EntryDoubt> {
  const { requestid, url, startTime, expirationTime, method, elapsedTime } = partsOf(value);
  const id = typeof requestid === 'string' ? readRequestId(requestid) : undefined;
  if (typeof requestid !== 'string' || id === undefined) return err('id');
  const end = expirationTime ?? undefined;
  const verb = method ?? undefined;
  const elapsed = lengthOf(elapsedTime);
  if (elapsed === undefined || !isUrl(url)) return err('field');
  if (!isLike(localTime, startTime) || !(end === undefined || isLike(localTime, end))) return err('field');
  if (!(verb === undefined || isLike(properMethod, verb))) return err('field');
  const grantedTimeout = timeBetween(startTime, end);
  if (grantedTimeout !== undefined && grantedTimeout < 0) return err('field');
  const { instance, arrivedAt } = id;
  const { graph, query, kind } = strictIdentity(url);
  const read: Draft = { id: requestid, instance, arrivedAt, graph, query, kind, url, startTime, elapsed };
  if (end !== undefined) read.expirationTime = end;
  if (grantedTimeout !== undefined) read.grantedTimeout = grantedTimeout;
  if (verb !== undefined) read.method = verb;
  return ok(read);
}

/** A number as it is, or as some builds quote it. */
function lengthOf(value: unknown): Millis | undefined {
  const length = typeof value === 'number' ? value : readMeasure(value);
  return length !== undefined && length >= 0 && length < Number.POSITIVE_INFINITY ? length : undefined;
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestUrl;
}

function isLike(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

/** Both are of one clock, whatever its zone, so that their difference is all that they tell. */
function timeBetween(start: string, end: string | undefined): Millis | undefined {
  const from = localMillis(start);
  const to = end === undefined ? undefined : localMillis(end);
  return from === undefined || to === undefined ? undefined : to - from;
}

/** Only what is exactly the call of an installed query counts as one: victims are chosen among these. */
function strictIdentity(url: string): QueryIdentity {
  const [, graph, query] = installedCall.exec(url) ?? [];
  if (graph !== undefined && query !== undefined) return { graph, query, kind: 'installed' };
  const identity = queryIdentity(url);
  return identity.kind === 'installed' ? { graph: '', query: 'other', kind: 'builtin' } : identity;
}
