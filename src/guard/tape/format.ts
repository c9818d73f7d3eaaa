import { z } from 'zod';
import { localMillis } from '../../graphdb/dates.ts';
import { readRequestId } from '../../graphdb/request-id.ts';
import type { GateSource } from '../policy.ts';
import { clauseLine } from './clauses.ts';

/** The version of recordings that this program writes, and the only one that it reads. */
export const tapeVersion = 1;

/** What the first line of a recording calls itself. */
export const tapeFormat = 'graphwarden guard recording';

const sources = ['node_memory', 'node_cpu', 'queue_depth', 'queue_oldest'] as const satisfies readonly GateSource[];
const failures = ['timeout', 'unreachable', 'tls', 'auth', 'status', 'body', 'too_large', 'unsupported'] as const;
const name = z.string().min(1).max(500);
// Far beyond any clock, and well within what can be written as a date.
const latest = 1e14;
const instant = z.strictObject({
  wall: z.number().min(0).max(latest),
  mono: z.number().min(-latest).max(latest),
});
const graphName = '[A-Za-z_][0-9A-Za-z_]{0,127}';
const properId = z.string().refine((id) => readRequestId(id) !== undefined);
const localTime = z
  .string()
  .max(40)
  .refine((text) => localMillis(text) !== undefined);

/** The first line: what the rest is to be read with. Nothing in it comes from a query. */
export const headerLine = z.strictObject({
  format: z.literal(tapeFormat),
  version: z.literal(tapeVersion),
  cluster: name,
  nodes: z.array(name).min(1).readonly(),
  /** Instances of nodes, where the configuration says so. */
  instances: z.record(name, name),
  /** Milliseconds between two lists of a node. */
  interval: z.number().positive().max(latest),
  graphs: z.array(name).readonly(),
  /** In the order of the digits of `told`. */
  clauses: z.array(clauseLine).readonly(),
  /** The pressures that are recorded as well. */
  pressures: z.array(z.enum(sources)).readonly(),
  /** SHA-256 of the guard section that it was recorded with. */
  guard: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The first line of a recording. */
export type TapeHeader = Readonly<z.infer<typeof headerLine>>;

/** An entry that the guard may believe: all of it that it may keep. */
const soundEntry = z.strictObject({
  id: properId,
  start: localTime,
  end: localTime.optional(),
  elapsed: z.number().min(0),
  /** `/query/{graph}/{name}`, or the kind of anything else. */
  query: z.union([
    z.string().regex(new RegExp(`^/query/${graphName}/${graphName}$`)),
    z.enum(['interpreted', 'builtin']),
  ]),
  method: z
    .string()
    .regex(/^[A-Z]{3,7}$/)
    .optional(),
  /** One digit for each clause of the header, where there are any and the query is an installed one. */
  told: z
    .string()
    .regex(/^[01]+$/)
    .optional(),
  /** How often the url of this id has changed so far. */
  changed: z.int().min(1).optional(),
});

/** An entry that is left out: with its id, if that is a proper one, or with a marker that is none. */
const oddEntry = z.strictObject({
  odd: z.literal(true),
  id: z.union([properId, z.string().regex(/^\?\d{1,9}$/)]).optional(),
});

/** One entry of a list. */
export const entryLine = z.union([soundEntry, oddEntry]);

/** One of {@link entryLine}. */
export type TapeEntry = Readonly<z.infer<typeof entryLine>>;

/** A list, or why it is none. */
const listField = z.union([
  z.strictObject({ entries: z.array(entryLine).readonly() }),
  z.strictObject({ void: z.enum(['malformed', 'error']) }),
]);

/** One of {@link listField}. */
export type TapeList = Readonly<z.infer<typeof listField>>;

/** Every line but the first: what happened, in the order in which it was known. */
export const eventLine = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('listed'),
    node: name,
    started: instant,
    at: instant,
    address: z.string().max(500),
    list: listField,
  }),
  z.strictObject({
    event: z.literal('unlisted'),
    node: name,
    at: instant,
    reason: z.enum(failures),
    doubt: z.enum(['malformed', 'error']).optional(),
  }),
  z.strictObject({
    event: z.literal('pressed'),
    node: name,
    at: instant,
    source: z.enum(sources),
    value: z.number().optional(),
    interval: z.number().positive().max(latest),
  }),
  z.strictObject({ event: z.literal('graphs'), at: instant, names: z.array(name).readonly() }),
]);

/** One of {@link eventLine}. */
export type TapeEvent = Readonly<z.infer<typeof eventLine>>;
