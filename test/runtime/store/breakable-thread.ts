import { stateWork } from '../../../src/runtime/store/state-worker.ts';
import type { WorkerThread } from '../../../src/runtime/worker-thread.ts';
import { noteTables } from './notes.ts';

/** Worker thread that runs in this thread, records its requests, and fails on demand. */
export class BreakableThread implements WorkerThread {
  /** Kinds of the requests, in order. */
  readonly requests: unknown[] = [];
  stopped = 0;
  #work = stateWork({ steps: [noteTables] });
  #failures = 0;
  #gate: Promise<void> | undefined;

  readonly request = async (request: unknown): Promise<unknown> => {
    this.requests.push(describe(request));
    await this.#gate;
    if (this.#failures === 0) return this.#work(request);
    this.#failures -= 1;
    // A failed thread loses its memory and its open files.
    await this.#work({ kind: 'close' }).catch(() => undefined);
    this.#work = stateWork({ steps: [noteTables] });
    throw new Error('it ran out of memory');
  };

  readonly stop = async (): Promise<void> => {
    this.stopped += 1;
  };

  /** Fails the next `requests` requests. */
  failNext(requests: number): void {
    this.#failures = requests;
  }

  /** Delays all replies until the returned function is called. */
  holdReplies(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return resolve;
  }
}

function describe(request: unknown): string {
  if (typeof request !== 'object' || request === null || !('kind' in request)) return 'nonsense';
  const batches = 'batches' in request && Array.isArray(request.batches) ? ` ${request.batches.length}` : '';
  return `${String(request.kind)}${batches}`;
}
