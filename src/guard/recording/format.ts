import { z } from 'zod';
import { parseLocalMillis } from '../../graphdb/dates.ts';
import { parseRequestId } from '../../graphdb/query-identity.ts';
import { failureReasons } from '../../kernel/failure.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { FileLine } from '../../kernel/system.ts';
import type { Millis } from '../../kernel/time.ts';
import { gateSources } from '../policy.ts';
import { paramConditionSchema } from './param-conditions.ts';

/** Version of the recording format; a recording of another version is rejected. */
export const recordingVersion = 1;

/** Name of the format in the header of a recording. */
export const recordingFormat = 'graphwarden guard recording';

const name = z.string().min(1).max(500);
// Later than any clock, and still a valid date.
const latest = 1e14;
const instant = z.strictObject({
  wall: z.number().min(0).max(latest),
  mono: z.number().min(-latest).max(latest),
});
const graphName = '[A-Za-z_][0-9A-Za-z_]{0,127}';
const properId = z.string().refine((id) => parseRequestId(id) !== undefined);
const localTime = z
  .string()
  .max(40)
  .refine((text) => parseLocalMillis(text) !== undefined);

/** Header, the first line of a recording: how to read the other lines. It has no data of queries. */
export const headerSchema = z.strictObject({
  format: z.literal(recordingFormat),
  version: z.literal(recordingVersion),
  cluster: name,
  nodes: z.array(name).min(1).readonly(),
  /** Instances of nodes that are configured or pinned; the replay learns the others. */
  instances: z.record(name, name).default({}),
  /** Milliseconds between two lists of a node. */
  interval: z.number().positive().max(latest),
  graphs: z.array(name).readonly(),
  /** Conditions on parameters, in the order of the characters of `params`. */
  clauses: z.array(paramConditionSchema).readonly().default([]),
  /** Gate sources whose values are recorded. */
  gates: z.array(z.enum(gateSources)).readonly().default([]),
  /** SHA-256 of the guard section that was configured during the recording. */
  guard: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/** Header of a recording. */
export type RecordingHeader = Readonly<z.infer<typeof headerSchema>>;

/** Valid entry, without user data. */
const validEntry = z.strictObject({
  id: properId,
  start: localTime,
  end: localTime.optional(),
  elapsed: z.number().min(0),
  /** `/query/{graph}/{name}` of an installed query, otherwise the kind of the query. */
  query: z.union([
    z.string().regex(new RegExp(`^/query/${graphName}/${graphName}$`)),
    z.enum(['interpreted', 'builtin']),
  ]),
  method: z
    .string()
    .regex(/^[A-Z]{3,7}$/)
    .optional(),
  /** Results of the clauses of the header for an installed query, one character each: `1`, `0`, or `?` if unknown. */
  params: z
    .string()
    .regex(/^[01?]+$/)
    .optional(),
  /** Number of changes of the url of this id so far. */
  changed: z.int().min(1).optional(),
});

/** A skipped entry, with its id if that is valid, otherwise with a marker. */
const skippedEntry = z.strictObject({
  skipped: z.literal(true),
  id: z.union([properId, z.string().regex(/^\?\d{1,9}$/)]).optional(),
});

/** One entry of a list. */
export const entrySchema = z.union([validEntry, skippedEntry]);

/** One of {@link entrySchema}. */
export type RecordedEntry = Readonly<z.infer<typeof entrySchema>>;

/** A list, or the reason why the body is not a list. */
const listSchema = z.union([
  z.strictObject({ entries: z.array(entrySchema).readonly() }),
  z.strictObject({ rejected: z.enum(['malformed', 'error']) }),
]);

/** One of {@link listSchema}. */
export type RecordedList = Readonly<z.infer<typeof listSchema>>;

/** Time that the server took for a list, in ms. */
const listTime = z.number().min(0).max(latest);

/** Event, each line after the header, in the order in which the guard received it. */
export const eventSchema = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('listed'),
    node: name,
    started: instant,
    at: instant,
    list_time: listTime.optional(),
    list: listSchema,
  }),
  z.strictObject({
    event: z.literal('unlisted'),
    node: name,
    at: instant,
    reason: z.enum(failureReasons).optional(),
    skip_reason: z.enum(['malformed', 'error']).optional(),
    list_time: listTime.optional(),
  }),
  z.strictObject({
    event: z.literal('gate_value'),
    node: name,
    at: instant,
    source: z.enum(gateSources),
    value: z.number().optional(),
    /** Age of the value when it was polled, in ms. */
    age: z.number().min(0).max(latest).optional(),
    interval: z.number().positive().max(latest),
  }),
  z.strictObject({ event: z.literal('graphs'), at: instant, names: z.array(name).readonly() }),
]);

/** One of {@link eventSchema}. */
export type RecordingEvent = Readonly<z.infer<typeof eventSchema>>;

/** Parsed line of a recording. */
export type RecordingItem =
  | { readonly kind: 'header'; readonly header: RecordingHeader }
  | { readonly kind: 'event'; readonly event: RecordingEvent };

const anyHeader = z.looseObject({
  format: z.literal(recordingFormat),
  version: z.union([z.number(), z.string().max(20)]),
});

/** Parses a recording line by line, without storing the lines. Errors state the number of the line and not its content. */
export class RecordingReader {
  #header: RecordingHeader | undefined;
  #line = 0;
  #last: Millis = Number.NEGATIVE_INFINITY;

  /** Parses the next line. Do not continue after an error. */
  read({ text, isWhole }: FileLine): Result<RecordingItem, string> {
    this.#line += 1;
    if (!isWhole)
      return this.#error(
        'is incomplete, because the recording ended while it was written; remove the line to replay the rest',
      );
    const json = parsed(text);
    if (json === undefined) return this.#error('is not a JSON object');
    return this.#header === undefined ? this.#readHeader(json) : this.#readEvent(json, this.#header);
  }

  #readHeader(json: unknown): Result<RecordingItem, string> {
    const any = anyHeader.safeParse(json);
    if (!any.success) return this.#error(`is not the first line of a ${recordingFormat}`);
    if (any.data.version !== recordingVersion) {
      return this.#error(`has format version ${any.data.version}; this program reads version ${recordingVersion}`);
    }
    const read = headerSchema.safeParse(json);
    if (!read.success) return this.#error(`is not a valid header of a recording${issueLocation(read.error)}`);
    this.#header = read.data;
    return ok({ kind: 'header', header: read.data });
  }

  #readEvent(json: unknown, header: RecordingHeader): Result<RecordingItem, string> {
    const read = eventSchema.safeParse(json);
    if (!read.success) return this.#error(`is not a valid event of a recording${issueLocation(read.error)}`);
    const event = read.data;
    if ('node' in event && !header.nodes.includes(event.node))
      return this.#error('has a node that the header does not contain');
    if (event.at.mono < this.#last) return this.#error('is out of order: its time is before the previous line');
    if (event.event === 'listed' && event.started.mono > event.at.mono)
      return this.#error('has an end before its start');
    if (!hasAllConditionResults(event, header))
      return this.#error('must have one result for each clause of the header');
    this.#last = event.at.mono;
    return ok({ kind: 'event', event });
  }

  #error(what: string): Result<never, string> {
    return err(`line ${this.#line} ${what}`);
  }
}

function parsed(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the location of the first issue, with names of the format only. */
function issueLocation({ issues }: z.ZodError): string {
  const [path = []] = issues.map((issue) => issue.path.map(String).filter((part) => /^\w{1,20}$/.test(part)));
  return path.length === 0 ? '' : ` (at ${path.join('.')})`;
}

function hasAllConditionResults(event: RecordingEvent, { clauses }: RecordingHeader): boolean {
  if (event.event !== 'listed' || !('entries' in event.list)) return true;
  return event.list.entries.every((entry) => {
    if ('skipped' in entry || !entry.query.startsWith('/')) return true;
    return (entry.params ?? '').length === clauses.length;
  });
}
