import { z } from 'zod';
import { type Failure, failure, replyLimitNames } from '../kernel/failure.ts';
import { freeMemory } from '../kernel/reply-memory.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { type BoundedWorker, Moved } from '../kernel/worker.ts';
import type { CallName } from './calls.ts';
import { type JsonOutline, outlineJson, smallTextLength } from './json-outline.ts';
import { type OutlinedBytes, syntaxFailure } from './reply.ts';
import { overLimit, type ReplyLimits } from './reply-limits.ts';
import { type JsonSink, reduceJson } from './sliced-json.ts';
import type { SlicedWork } from './sliced-work.ts';

const envelope = ['error', 'Error', 'code', 'message', 'results'];
const runningQuery = [...envelope, 'requestid', 'url', 'elapsedTime', 'startTime', 'expirationTime', 'method'];
const check = [...envelope, 'GPESelfCheck', 'GPEGSECheck', 'PassCheck', 'UnSyncList', 'Partition', 'GPE'];
const service = ['ServiceDescriptor', 'ServiceName', 'Partition', 'Replica'];

/** Members of a reply that are used, at any level; all members if the call is not listed. */
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

const requestSchema = z.object({
  bytes: z.instanceof(Uint8Array),
  limits: z.object({ bytes: z.number(), values: z.number(), entries: z.number() }),
  members: z.array(z.string()).optional(),
});
const answerSchema = z.union([
  z.object({ bytes: z.instanceof(Uint8Array), ends: z.array(z.tuple([z.number(), z.number()])) }),
  z.object({ message: z.string(), limit: z.literal(replyLimitNames).optional() }),
]);

/** Work of the worker: checks the limits of a reply and its syntax, and reduces it to the members that are used. */
export async function longReplyWork(request: unknown): Promise<unknown> {
  const { bytes, limits, members } = requestSchema.parse(request);
  const reduced = reduceReply(bytes, limits, members);
  freeMemory(bytes);
  if (!reduced.ok) return { message: reduced.error.message, limit: reduced.error.limit };
  const { memory, ends, bytes: text } = reduced.value;
  return new Moved({ bytes: text, ends: [...ends] }, [memory]);
}

/** Reduces a reply in the worker. If the worker fails, only this reply is lost. */
export async function reduceInWorker(
  worker: BoundedWorker,
  { name, bytes, limits }: { readonly name: CallName; readonly bytes: Uint8Array; readonly limits: ReplyLimits },
  signal: AbortSignal,
): Promise<Result<OutlinedBytes, Failure>> {
  const reply = await worker.run({ bytes, limits, members: usedMembers[name] }, [bytes], signal);
  if (signal.aborted) return err(failure('timeout', 'the response was not parsed within the deadline'));
  const answer = answerSchema.safeParse(reply);
  if (!answer.success) {
    return err(failure('too_large', 'the response needs too much time or memory to be parsed', { limit: 'parser' }));
  }
  if ('bytes' in answer.data) return ok({ bytes: answer.data.bytes, outline: new Map(answer.data.ends) });
  const { message, limit } = answer.data;
  return err(limit === undefined ? failure('body', message) : failure('too_large', message, { limit }));
}

interface ReducedReply {
  /** JSON text in UTF-8. */
  readonly bytes: Uint8Array;
  readonly memory: ArrayBuffer;
  readonly ends: JsonOutline;
}

function reduceReply(
  bytes: Uint8Array,
  limits: ReplyLimits,
  members: readonly string[] | undefined,
): Result<ReducedReply, Failure> {
  const outline = finish(outlineJson(bytes, limits));
  if (!outline.ok) return outline;
  const reduced = new ReducedText(limits.bytes);
  try {
    finish(reduceJson(bytes, outline.value, members, reduced));
  } catch (error) {
    return err(error instanceof TooLong ? overLimit('bytes', limits.bytes) : syntaxFailure(error));
  }
  // An object without members is an empty list.
  if (reduced.length === 2 && isNoEmptyObject(bytes))
    return err(failure('body', 'the response contains no known member'));
  return ok(reduced.finish());
}

/** Whether a JSON text is an object with members. */
function isNoEmptyObject(bytes: Uint8Array): boolean {
  const begin = new TextDecoder().decode(bytes.subarray(0, smallTextLength)).trimStart();
  return begin.startsWith('{') && !/^\{\s*\}/.test(begin);
}

/** Error for a text that is too long; only thrown within this file. */
class TooLong extends Error {}

/** Bytes that the text grows by. */
const growth = 1_048_576;

/**
 * Text as UTF-8, in memory that grows without being copied. The memory is returned to the system at once, and counts with its
 * real size for the start of a garbage collection.
 */
class ReducedText implements JsonSink {
  readonly #limit: number;
  readonly #memory: ArrayBuffer;
  readonly #bytes: Uint8Array;
  readonly #encoder = new TextEncoder();
  readonly #ends = new Map<number, number>();
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#memory = new ArrayBuffer(0, { maxByteLength: limit });
    this.#bytes = new Uint8Array(this.#memory);
  }

  get length(): number {
    return this.#used;
  }

  write(text: string): void {
    const needed = this.#used + 3 * text.length;
    if (needed > this.#bytes.length) this.#memory.resize(Math.min(this.#limit, needed + growth));
    const { read, written } = this.#encoder.encodeInto(text, this.#bytes.subarray(this.#used));
    if (read < text.length) throw new TooLong();
    this.#used += written;
  }

  container(begin: number): void {
    if (this.#used - 1 - begin > smallTextLength) this.#ends.set(begin, this.#used - 1);
  }

  finish(): ReducedReply {
    this.#memory.resize(this.#used);
    return { bytes: this.#bytes, memory: this.#memory, ends: this.#ends };
  }
}

function finish<T>(work: SlicedWork<T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
}
