import { z } from 'zod';
import { mapResult, ok } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import type { DelayedQuery, RunningQuery } from '../../model/query.ts';
import type { Caller } from '../caller.ts';
import type { PathForm } from '../calls.ts';
import { apparentTimeout, grantedTimeoutRange } from '../granted-timeout.ts';
import type { Answer, GraphDb } from '../graph-db.ts';
import { arrivalTime, parseQueryIdentity } from '../query-identity.ts';
import { numberSchema, parserOf, textOrEmpty } from '../reply-schemas.ts';
import { fetchList, parseList } from './list.ts';

/** Maximum valid elapsed time: ten years, in ms. A larger one is garbled and would stay in the sum of a histogram. */
const longestElapsed = 315_360_000_000;

const elapsedTime = numberSchema.pipe(z.number().min(0).max(longestElapsed)).nullish().catch(undefined);

const running = parserOf(
  z.object({
    requestid: z.string().min(1),
    startTime: textOrEmpty,
    expirationTime: textOrEmpty,
    url: z.string(),
    elapsedTime,
  }),
);
const delayed = parserOf(z.object({ requestidPartial: textOrEmpty, url: z.string(), elapsedTime }));

/** Hooks around a list request. */
export interface ProcessListHooks {
  /** Runs before the request is sent. */
  readonly onRequest: (signal: AbortSignal) => void;
  /** Receives the path form in which the server answered. */
  readonly onReply: (form: PathForm) => void;
}

/** Returns the call `GET /restpp/showprocesslistall`: all graphs, but only the node that receives the request. */
export function createProcessListCall(
  caller: Caller,
  { onRequest, onReply }: ProcessListHooks,
): GraphDb['processListAll'] {
  const name = 'processListAll';
  return async (signal) => {
    onRequest(signal);
    const started = caller.clock.now();
    const reply = await caller.jsonWithOrigin(name, {}, signal);
    if (!reply.ok) return reply;
    const received = caller.clock.now();
    const { json: body, address, connection, form } = reply.value;
    onReply(form);
    const entry = (value: unknown) => parseRunningQuery(value, received.wall);
    const queries = await parseList(caller, { name, member: 'results', entry }, body, signal);
    return mapResult(queries, (listed) => ({ queries: listed, raw: { body, address, connection, started, received } }));
  };
}

/**
 * Returns the call `GET /restpp/showprocesslist/{graph}`: the same without the elapsed time. It remembers since when each
 * query is listed, because the times of the server depend on its clock.
 */
export function createGraphProcessListCall(caller: Caller): GraphDb['processList'] {
  const memory = new FirstLists();
  return async (graph, signal) => {
    const { wall } = caller.clock.now();
    const call = {
      name: 'processList',
      input: { segments: { graph } },
      member: 'results',
      entry: (value: unknown) => parseRunningQuery(value, wall),
    } as const;
    const listed = await fetchList(caller, call, signal);
    if (!listed.ok) {
      if (listed.error.reason === 'unsupported') memory.replace(graph, new Map());
      return listed;
    }
    const { mono } = caller.clock.now();
    const before = memory.of(graph);
    const first = new Map(listed.value.map(({ requestId }) => [requestId, before?.get(requestId) ?? mono]));
    memory.replace(graph, first);
    return ok(listed.value.map((query) => ({ ...query, listedFor: mono - (first.get(query.requestId) ?? mono) })));
  };
}

/** Monotonic times of the first list with a query, by request id. */
type FirstTimes = ReadonlyMap<string, number>;

/** Most request ids that are remembered for a node: a hostile node can list any number, in graphs with ever new names. */
const maxRemembered = 20_000;

/** Since when the queries of each graph are listed. Above {@link maxRemembered} ids, the graphs listed longest ago are forgotten. */
class FirstLists {
  readonly #graphs = new Map<string, FirstTimes>();
  #size = 0;

  of(graph: string): FirstTimes | undefined {
    return this.#graphs.get(graph);
  }

  replace(graph: string, times: FirstTimes): void {
    this.#forget(graph);
    if (times.size > 0) this.#graphs.set(graph, times);
    this.#size += times.size;
    for (const oldest of this.#graphs.keys()) {
      if (this.#size <= maxRemembered) return;
      this.#forget(oldest);
    }
  }

  #forget(graph: string): void {
    this.#size -= this.#graphs.get(graph)?.size ?? 0;
    this.#graphs.delete(graph);
  }
}

/** `GET /restpp/showdelayedlistall`: partial ids, which repeat. */
export function fetchDelayedList(caller: Caller, signal: AbortSignal): Answer<readonly DelayedQuery[]> {
  return fetchList(caller, { name: 'delayedList', input: {}, member: 'results', entry: parseDelayedQuery }, signal);
}

/** Parses an entry of a list of running queries that the server sent at `now`, in ms since the epoch. */
export function parseRunningQuery(value: unknown, now: number): RunningQuery | undefined {
  const read = running(value);
  if (read === undefined) return undefined;
  const arrivedAt = arrivalTime(read.requestid);
  const startedAt = arrivedAt ?? now - (read.elapsedTime ?? 0);
  const grantedTimeout = longestTimeout(read, startedAt, now);
  return {
    requestId: read.requestid,
    ...parseQueryIdentity(read.url),
    ...(arrivedAt !== undefined && { arrivedAt }),
    ...(grantedTimeout !== undefined && { grantedTimeout }),
    ...(typeof read.elapsedTime === 'number' && { elapsed: read.elapsedTime }),
  };
}

function parseDelayedQuery(value: unknown): DelayedQuery | undefined {
  const read = delayed(value);
  if (read === undefined) return undefined;
  return {
    partialId: read.requestidPartial,
    ...parseQueryIdentity(read.url),
    ...(typeof read.elapsedTime === 'number' && { elapsed: read.elapsedTime }),
  };
}

/** Returns the longest possible timeout, so that a query does not seem to be overdue if clocks change while it runs. */
function longestTimeout(
  { startTime, expirationTime }: { readonly startTime: string; readonly expirationTime: string },
  startedAt: number,
  now: number,
): Millis | undefined {
  const times = { startTime, apparentTimeout: apparentTimeout(startTime, expirationTime), startedAt };
  return grantedTimeoutRange(times, now)?.most;
}
