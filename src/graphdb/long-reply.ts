import { z } from 'zod';
import { type Failure, failure, replyLimitNames } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { BoundedWorker } from '../kernel/worker.ts';
import type { CallName } from './calls.ts';
import { outlineJson } from './json-outline.ts';
import { decodeText, type OutlinedText } from './reply.ts';
import type { ReplyLimits } from './reply-limits.ts';
import { reduceJson } from './sliced-json.ts';
import type { SlicedWork } from './sliced-work.ts';

const envelope = ['error', 'Error', 'code', 'message', 'results'];
const runningQuery = [...envelope, 'requestid', 'url', 'elapsedTime', 'startTime', 'expirationTime', 'method'];
const check = [...envelope, 'GPESelfCheck', 'GPEGSECheck', 'PassCheck', 'UnSyncList', 'Partition', 'GPE'];
const service = ['ServiceDescriptor', 'ServiceName', 'Partition', 'Replica'];

/** Members of objects that are used of a reply, at any level; all of them if the call is not listed. */
export const usedMembers: Partial<Record<CallName, readonly string[]>> = {
  processListAll: runningQuery,
  processList: runningQuery,
  delayedList: [...envelope, 'requestidPartial', 'url', 'elapsedTime'],
  dataConsistency: check,
  deletedVertices: check,
  serviceStatus: [
    ...envelope,
    ...service,
    'ServiceStatusEvents',
    'EventMeta',
    'EventId',
    'TimestampNS',
    'ServiceStatus',
    'ProcessState',
  ],
};

const questionSchema = z.object({
  bytes: z.instanceof(Uint8Array),
  limits: z.object({ bytes: z.number(), values: z.number(), entries: z.number() }),
  members: z.array(z.string()).optional(),
});
const answerSchema = z.union([
  z.object({ text: z.string(), ends: z.array(z.tuple([z.number(), z.number()])) }),
  z.object({ message: z.string(), limit: z.literal(replyLimitNames).optional() }),
]);

/** Work of the worker: decodes a reply, checks its limits and its syntax, and reduces it to the members that are used. */
export async function longReplyWork(question: unknown): Promise<unknown> {
  const { bytes, limits, members } = questionSchema.parse(question);
  const reduced = reduceReply(bytes, limits, members);
  if (reduced.ok) return { text: reduced.value.text, ends: [...reduced.value.outline] };
  return { message: reduced.error.message, limit: reduced.error.limit };
}

/** Reduces a reply in the worker; a worker that fails costs this reply only. */
export async function reduceInWorker(
  worker: BoundedWorker,
  { name, bytes, limits }: { readonly name: CallName; readonly bytes: Uint8Array; readonly limits: ReplyLimits },
  signal: AbortSignal,
): Promise<Result<OutlinedText, Failure>> {
  const { buffer } = bytes;
  const transfer = buffer instanceof ArrayBuffer ? [buffer] : [];
  const reply = await worker.ask({ bytes, limits, members: usedMembers[name] }, transfer, signal);
  if (signal.aborted) return err(failure('timeout', 'the response was not parsed within the deadline'));
  const answer = answerSchema.safeParse(reply);
  if (!answer.success) return err(failure('body', 'the response needs too much time or memory to be parsed'));
  if ('text' in answer.data) return ok({ text: answer.data.text, outline: new Map(answer.data.ends) });
  const { message, limit } = answer.data;
  return err(limit === undefined ? failure('body', message) : failure('too_large', message, { limit }));
}

function reduceReply(
  bytes: Uint8Array,
  limits: ReplyLimits,
  members: readonly string[] | undefined,
): Result<OutlinedText, Failure> {
  const given = decodeText(bytes);
  if (!given.ok) return given;
  const outline = finish(outlineJson(given.value, limits));
  if (!outline.ok) return outline;
  try {
    const text = finish(reduceJson(given.value, outline.value, members));
    // An object without members is an empty list.
    if (text === '{}' && !/^\s*\{\s*\}\s*$/.test(given.value))
      return err(failure('body', 'the response contains no known member'));
    const reduced = finish(outlineJson(text, limits));
    return reduced.ok ? ok({ text, outline: reduced.value }) : reduced;
  } catch {
    return err(failure('body', 'the response is not valid JSON'));
  }
}

function finish<T>(work: SlicedWork<T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
}
