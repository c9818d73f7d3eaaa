import { z } from 'zod';
import type { HttpReply } from '../kernel/http.ts';
import type { Clock } from '../kernel/time.ts';
import type { CallListener } from './completed-call.ts';
import { acceptReply, type JsonObject, parseObject, reportedError } from './reply.ts';
import { replyLimits } from './reply-limits.ts';

/** Request to abort one query. */
export interface AbortRequest {
  readonly id: string;
  readonly graph: string;
  /** Connection of the fresh list; the request leaves over this one or not at all. */
  readonly connection: string;
  /** Last check, in the turn in which the request would be written; it is not written if this returns false. */
  readonly mayWrite: () => boolean;
  /** Called when the request is complete, if one is sent. */
  readonly onCall?: CallListener;
}

/** Result of an abort. The reasons are sentences for the audit and contain no text of the server. */
export type AbortReply =
  /** The server accepted the abort and reports the ids of the queries that it has aborted, perhaps none. */
  | { readonly kind: 'accepted'; readonly aborted: readonly string[] }
  /** The reply states clearly that the server rejected the abort; `isUnauthorized`: because of the credential. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isUnauthorized: boolean }
  /** It is unknown whether the server received the abort and what it did; the ids are those that the reply names. */
  | { readonly kind: 'lost'; readonly reason: string; readonly aborted?: readonly string[] }
  /** No byte of the request was sent. */
  | { readonly kind: 'unsent'; readonly reason: string };

/** A reply with its reason. */
export type AbortFailure = Exclude<AbortReply, { readonly kind: 'accepted' }>;

const abortedQuery = z.object({ requestid: z.string() });

const acceptedReply = z.object({
  error: z.union([z.literal(false), z.literal('false')]).optional(),
  results: z.array(z.object({ aborted_queries: z.array(abortedQuery) })).min(1),
});

const namedQueries = z.object({ aborted_queries: z.array(z.unknown()) });
const refusedReply = z.object({ error: z.literal(true), message: z.string() });

/** Parses the reply to an abort request. Any reply that is not clearly a success or a rejection is `lost`. */
export async function parseAbortReply(reply: HttpReply, clock: Clock, signal: AbortSignal): Promise<AbortReply> {
  const body = acceptReply(reply, clock);
  if (!body.ok) {
    const { message: reason, reason: cause } = body.error;
    const isRefusal = reply.status >= 400 && reply.status < 500;
    return isRefusal ? { kind: 'refused', reason, isUnauthorized: cause === 'auth' } : { kind: 'lost', reason };
  }
  const json = await parseObject(body.value, { clock, limits: replyLimits.list }, signal);
  if (!json.ok) return { kind: 'lost', reason: json.error.message };
  const hidden = idsOfRepeatedMembers(body.value, json.value);
  if (hidden === undefined) return parseAbortEnvelope(json.value);
  return { kind: 'lost', reason: 'the response has the same member twice', aborted: hidden };
}

/** Longest reply that is searched for repeated members, far above any reply to an abort. */
const maxSearchedBytes = 1_048_576;

/** Returns all ids in a reply whose lists are repeated, because a parser keeps one of them; undefined if none is repeated. */
function idsOfRepeatedMembers(body: Uint8Array, json: JsonObject): readonly string[] | undefined {
  if (body.length > maxSearchedBytes) return undefined;
  const text = new TextDecoder().decode(body);
  // Within a string, a quote follows a backslash.
  const count = (member: string) => text.split(new RegExp(`"${member}"\\s*:`)).length - 1;
  const isRepeated = count('results') > 1 || count('aborted_queries') > listOf(json.results).length;
  if (!isRepeated) return undefined;
  return Array.from(text.matchAll(/"requestid"\s*:\s*"([^"\\]*)"/g), ([, id = '']) => id);
}

function parseAbortEnvelope(json: JsonObject): AbortReply {
  const error = reportedError(json);
  const reason = error?.message;
  const answer = acceptedReply.safeParse(json);
  if (answer.success && reason === undefined) {
    const aborted = answer.data.results.flatMap(({ aborted_queries: queries }) => queries);
    return { kind: 'accepted', aborted: aborted.map(({ requestid }) => requestid) };
  }
  const isRefusal = refusedReply.safeParse(json).success && !namesQueries(json.results);
  return isRefusal && reason !== undefined
    ? { kind: 'refused', reason, isUnauthorized: error?.reason === 'auth' }
    : { kind: 'lost', reason: reason ?? 'the response is not an abort response', aborted: idsIn(json.results) };
}

/** Returns whether results name aborted queries, which contradicts an error. */
function namesQueries(results: unknown): boolean {
  return JSON.stringify(results ?? []).includes('aborted_queries');
}

/** Returns all ids that an unexpected reply names, because the server may have aborted these queries. */
function idsIn(results: unknown): readonly string[] {
  return listOf(results)
    .flatMap((one) => namedQueries.safeParse(one).data?.aborted_queries ?? [])
    .flatMap((one) => abortedQuery.safeParse(one).data?.requestid ?? []);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
