import { z } from 'zod';
import type { Millis } from '../../kernel/time.ts';
import type { DelayedQuery, RunningQuery } from '../../model/query.ts';
import type { Caller } from '../caller.ts';
import { localMillis } from '../dates.ts';
import type { Answer } from '../graph-db.ts';
import { queryIdentity } from '../query-identity.ts';
import { arrivalOf } from '../request-id.ts';
import { amount, entry, measure, text } from '../shapes.ts';
import { readList } from './list.ts';

const running = entry(
  z.object({
    requestid: z.string().min(1),
    startTime: text,
    expirationTime: text,
    url: z.string(),
    elapsedTime: measure.nullish(),
  }),
);
const delayed = entry(z.object({ requestidPartial: text, url: z.string(), elapsedTime: amount }));

/** `GET /restpp/showprocesslistall`: all graphs, but only the node that is asked. */
export function readProcessListAll(caller: Caller, signal: AbortSignal): Answer<readonly RunningQuery[]> {
  return readList(caller, { name: 'processListAll', input: {}, member: 'results', entry: runningQuery }, signal);
}

/** `GET /restpp/showprocesslist/{graph}`: the same without the elapsed time. */
export function readProcessList(caller: Caller, graph: string, signal: AbortSignal): Answer<readonly RunningQuery[]> {
  const input = { segments: { graph } };
  return readList(caller, { name: 'processList', input, member: 'results', entry: runningQuery }, signal);
}

/** `GET /restpp/showdelayedlistall`: partial ids, which repeat. */
export function readDelayedList(caller: Caller, signal: AbortSignal): Answer<readonly DelayedQuery[]> {
  return readList(caller, { name: 'delayedList', input: {}, member: 'results', entry: delayedQuery }, signal);
}

function runningQuery(value: unknown): RunningQuery | undefined {
  const read = running(value);
  if (read === undefined) return undefined;
  const arrivedAt = arrivalOf(read.requestid);
  const grantedTimeout = timeBetween(read.startTime, read.expirationTime);
  return {
    requestId: read.requestid,
    ...queryIdentity(read.url),
    ...(arrivedAt !== undefined && { arrivedAt }),
    ...(grantedTimeout !== undefined && { grantedTimeout }),
    ...(typeof read.elapsedTime === 'number' && { elapsed: read.elapsedTime }),
  };
}

function delayedQuery(value: unknown): DelayedQuery | undefined {
  const read = delayed(value);
  if (read === undefined) return undefined;
  return { partialId: read.requestidPartial, ...queryIdentity(read.url), elapsed: read.elapsedTime };
}

/** The two times are local to the server and name no zone, so their difference is all that they tell. */
function timeBetween(start: string, end: string): Millis | undefined {
  const from = localMillis(start);
  const to = localMillis(end);
  return from === undefined || to === undefined || to < from ? undefined : to - from;
}
