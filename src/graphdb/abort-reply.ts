import { z } from 'zod';
import type { HttpReply } from '../kernel/http.ts';
import type { Clock } from '../kernel/time.ts';
import type { CallListener } from './made-call.ts';
import { acceptReply, type JsonObject, raisedError, readObject } from './reply.ts';

/** One abort to be asked for. */
export interface AbortRequest {
  /** Below the prefix of the api, as the guard has built it. */
  readonly path: string;
  /** `ip:port` that the fresh list came from: nobody else may get the call. */
  readonly address: string;
  /** Told of the request when it is over, if one is made. */
  readonly called?: CallListener;
}

/** What came of an abort. The reasons are sentences for the audit, without anything that the server said. */
export type AbortReply =
  /** The server did as it was told; the ids are those that it says it has aborted, perhaps none. */
  | { readonly kind: 'taken'; readonly aborted: readonly string[] }
  /** The server refused, and says so in a way that leaves no doubt. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** There is no telling whether the server got it, or what it did; the ids are those that it names all the same. */
  | { readonly kind: 'lost'; readonly reason: string; readonly aborted?: readonly string[] }
  /** Nothing of it can have left. */
  | { readonly kind: 'unsent'; readonly reason: string };

/** A reply with its reason. */
export type AbortTrouble = Exclude<AbortReply, { readonly kind: 'taken' }>;

const entry = z.object({ requestid: z.string() });

const taken = z.object({
  error: z.union([z.literal(false), z.literal('false')]).optional(),
  results: z.array(z.object({ aborted_queries: z.array(entry) })).min(1),
});

const named = z.object({ aborted_queries: z.array(z.unknown()) });
const refused = z.object({ error: z.literal(true), message: z.string() });

/** Reads the answer to an abort. Whatever is not clearly one of the two clear answers is `lost`. */
export async function readAbortReply(reply: HttpReply, clock: Clock, signal: AbortSignal): Promise<AbortReply> {
  const body = acceptReply(reply, clock);
  if (!body.ok) {
    const isRefusal = reply.status >= 400 && reply.status < 500;
    return { kind: isRefusal ? 'refused' : 'lost', reason: body.error.message };
  }
  const json = await readObject(body.value, clock, signal);
  return json.ok ? readEnvelope(json.value) : { kind: 'lost', reason: json.error.message };
}

function readEnvelope(json: JsonObject): AbortReply {
  const reason = raisedError(json)?.message;
  const answer = taken.safeParse(json);
  if (answer.success && reason === undefined) {
    const aborted = answer.data.results.flatMap(({ aborted_queries: queries }) => queries);
    return { kind: 'taken', aborted: aborted.map(({ requestid }) => requestid) };
  }
  const isRefusal = refused.safeParse(json).success && !namesQueries(json.results);
  return isRefusal && reason !== undefined
    ? { kind: 'refused', reason }
    : { kind: 'lost', reason: reason ?? 'the answer is not one to an abort', aborted: idsIn(json.results) };
}

/** An error that names what it has aborted contradicts itself. */
function namesQueries(results: unknown): boolean {
  return JSON.stringify(results ?? []).includes('aborted_queries');
}

/** Whatever an odd answer names: it may be somebody's query. */
function idsIn(results: unknown): readonly string[] {
  return listOf(results)
    .flatMap((one) => named.safeParse(one).data?.aborted_queries ?? [])
    .flatMap((one) => entry.safeParse(one).data?.requestid ?? []);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
