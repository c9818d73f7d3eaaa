import { waitAtMost, waitUnlessAborted } from '../kernel/deadline.ts';
import { SerialQueue } from '../kernel/serial-queue.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { BoundedWorker } from '../kernel/worker.ts';
import type { OpenWorker, WorkerThread } from './worker-thread.ts';

/** Heap limit of the thread: its program, and the values that are parsed at a time. The bytes of a reply are outside the heap. */
const memoryLimit = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 };
/** Maximum time of one request. */
const deadline: Millis = 10_000;
/** Time after which an idle thread ends. */
const idleTime: Millis = 120_000;
/**
 * Size in bytes from which a request is large: an idle thread that had one ends after {@link idleTimeOfLarge}, because its garbage
 * would stay in memory. It does not end at once, because V8 keeps pages of an ended thread for eight seconds.
 */
const largeRequest = 4 * 1_048_576;
/** Time after which an idle thread that had a large request ends. */
const idleTimeOfLarge: Millis = 3000;

interface Request {
  readonly request: unknown;
  readonly moved: readonly Uint8Array[];
  readonly signal: AbortSignal;
}

/** Creates a worker whose thread starts with the first request, ends when it is idle, and is replaced if a request fails. */
export function createBoundedWorker(open: ReturnType<OpenWorker>, clock: Clock): BoundedWorker {
  const queue = new SerialQueue();
  let thread: WorkerThread | undefined;
  let idle = new AbortController();
  let longestIdle = idleTime;

  async function stop(): Promise<void> {
    const ended = thread;
    thread = undefined;
    await ended?.stop();
  }

  async function stopAfterIdleTime(ended: AbortSignal): Promise<void> {
    await clock.sleep(longestIdle, ended);
    if (!ended.aborted) await stop();
  }

  async function run({ request, moved, signal }: Request): Promise<unknown> {
    idle.abort();
    if (thread === undefined) longestIdle = idleTime;
    thread ??= open(memoryLimit);
    if (moved.reduce((sum, { length }) => sum + length, 0) >= largeRequest) longestIdle = idleTimeOfLarge;
    const memory = moved.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer);
    const reply = thread.request(request, memory).catch(() => undefined);
    const value = await waitAtMost(clock, deadline, reply, signal);
    if (value === undefined) await stop();
    idle = new AbortController();
    void stopAfterIdleTime(idle.signal);
    return value;
  }

  return {
    run: (request, moved, signal) => {
      let waiting: Request | undefined = { request, moved, signal };
      const turn = queue.run(() => {
        const next = waiting;
        waiting = undefined;
        return next === undefined || signal.aborted ? undefined : run(next);
      });
      // A request that waits must not keep its memory.
      const giveUp = (): void => {
        waiting = undefined;
      };
      signal.addEventListener('abort', giveUp, { once: true });
      void turn.finally(() => signal.removeEventListener('abort', giveUp));
      return waitUnlessAborted(turn, signal);
    },
  };
}
