import { waitAtMost, waitUnlessAborted } from '../kernel/deadline.ts';
import { SerialQueue } from '../kernel/serial-queue.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { BoundedWorker } from '../kernel/worker.ts';
import type { OpenWorker, WorkerThread } from './worker-thread.ts';

/** Memory of the largest reply as text, of its copy, and of what is parsed at a time. */
const memoryLimit = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };
/** Maximum time of one request. */
const deadline: Millis = 10_000;
/** Time after which an idle thread ends. */
const idleTime: Millis = 120_000;

/** Creates a worker whose thread starts with the first request, ends when it is idle, and is replaced if a request fails. */
export function createBoundedWorker(open: ReturnType<OpenWorker>, clock: Clock): BoundedWorker {
  const queue = new SerialQueue();
  let thread: WorkerThread | undefined;
  let idle = new AbortController();

  async function stop(): Promise<void> {
    const ended = thread;
    thread = undefined;
    await ended?.stop();
  }

  async function stopAfterIdleTime(ended: AbortSignal): Promise<void> {
    await clock.sleep(idleTime, ended);
    if (!ended.aborted) await stop();
  }

  async function run(question: unknown, transfer: readonly ArrayBuffer[]): Promise<unknown> {
    idle.abort();
    thread ??= open(memoryLimit);
    const reply = thread.ask(question, transfer).catch(() => undefined);
    const value = await waitAtMost(clock, deadline, reply);
    if (value === undefined) await stop();
    idle = new AbortController();
    void stopAfterIdleTime(idle.signal);
    return value;
  }

  return {
    ask: (question, transfer, signal) =>
      waitUnlessAborted(
        queue.run(() => (signal.aborted ? undefined : run(question, transfer))),
        signal,
      ),
  };
}
