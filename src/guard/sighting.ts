import { z } from 'zod';
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

/** Why one entry is left out, while the rest of its list stands. */
export type EntryDoubt = 'id' | 'field' | 'ages';

/** A time as the server writes it, of a clock that shows such times. */
const localTime = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?$/);

// A server takes urls of 8 kB; what is much longer is not from one.
const longestUrl = 65_536;

const listed = entry(
  z.object({
    requestid: z.string(),
    url: z.string().min(1).max(longestUrl),
    startTime: localTime,
    expirationTime: localTime.nullish(),
    method: z
      .string()
      .regex(/^[A-Z]{3,7}$/)
      .nullish(),
    elapsedTime: measure.refine((length) => length >= 0),
  }),
);

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

/** Undefined where any other part of the entry is not as it was, or where the time is not written plainly. */
function elapsedSince(before: Sighting, value: unknown): Millis | undefined {
  const { requestid, url, startTime, expirationTime, method, elapsedTime } = partsOf(value);
  const isSame =
    requestid === before.id &&
    url === before.url &&
    startTime === before.startTime &&
    expirationTime === before.expirationTime &&
    method === before.method;
  const isPlain = typeof elapsedTime === 'number' && Number.isFinite(elapsedTime) && elapsedTime >= 0;
  return isSame && isPlain ? elapsedTime : undefined;
}

function readAnew(value: unknown): Result<Sighting, EntryDoubt> {
  const id = readRequestId(idOf(value) ?? '');
  if (id === undefined) return err('id');
  const read = listed(value);
  if (read === undefined) return err('field');
  const { requestid, url, startTime, expirationTime, elapsedTime: elapsed, method } = read;
  const grantedTimeout = timeBetween(startTime, expirationTime ?? '');
  if (grantedTimeout !== undefined && grantedTimeout < 0) return err('field');
  return ok({
    id: requestid,
    ...id,
    ...strictIdentity(url),
    url,
    startTime,
    elapsed,
    ...(typeof expirationTime === 'string' && { expirationTime }),
    ...(grantedTimeout !== undefined && { grantedTimeout }),
    ...(typeof method === 'string' && { method }),
  });
}

/** Both are of one clock, whatever its zone, so that their difference is all that they tell. */
function timeBetween(start: string, end: string): Millis | undefined {
  const from = localMillis(start);
  const to = localMillis(end);
  return from === undefined || to === undefined ? undefined : to - from;
}

/** Only what is exactly the call of an installed query counts as one: victims are chosen among these. */
function strictIdentity(url: string): QueryIdentity {
  const identity = queryIdentity(url);
  const path = `/query/${identity.graph}/${identity.query}`;
  const isExact = [path, `/restpp${path}`].some((exact) => url === exact || url.startsWith(`${exact}?`));
  return identity.kind !== 'installed' || isExact ? identity : { graph: '', query: 'other', kind: 'builtin' };
}
