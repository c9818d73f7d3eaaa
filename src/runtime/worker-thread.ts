import { Worker } from 'node:worker_threads';
import { type Reply, roleKey, type Work } from './worker-roles.ts';

/** Work that must not hold up the event loop, done in a thread beside it. */
export interface WorkerThread {
  /** Plain data in and out. Rejects with what the work threw, and when the thread ended before it answered. */
  readonly ask: Work;
  /** Ends the thread for good, also in the midst of its work. */
  readonly stop: () => Promise<void>;
}

/**
 * Thread that runs the program's own entry file in one of its roles, so that it works the same from source and
 * in the one-file bundle. It starts with the first request, restarts after a failure, and does not keep the process
 * alive while it is idle.
 */
export function workerThread(entry: URL, role: string): WorkerThread {
  let current: RunningWorker | undefined;
  let stopped = false;
  return {
    ask: async (question) => {
      if (stopped) throw new Error(`the worker '${role}' is stopped`);
      if (current === undefined || current.ended) current = new RunningWorker(entry, role);
      return current.ask(question);
    },
    stop: async () => {
      stopped = true;
      await current?.end();
    },
  };
}

interface PendingQuestion {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

class RunningWorker {
  ended = false;
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingQuestion>();
  #lastId = 0;

  constructor(entry: URL, role: string) {
    // The flags of node were meant for the program as a whole, and some are refused by threads.
    this.#worker = new Worker(entry, { workerData: { [roleKey]: role }, execArgv: [] });
    this.#worker.on('message', (reply: Reply) => this.#settle(reply));
    this.#worker.on('error', (error) => this.#rejectAll(error));
    this.#worker.on('exit', () => this.#rejectAll(new Error(`the worker '${role}' exited before it replied`)));
  }

  ask(question: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      this.#worker.postMessage({ id: this.#lastId, question }, []);
      this.#pending.set(this.#lastId, { resolve, reject });
      this.#worker.ref();
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(reply: Reply): void {
    const asker = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if ('error' in reply) asker?.reject(reply.error);
    else asker?.resolve(reply.value);
  }

  #rejectAll(reason: unknown): void {
    this.ended = true;
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }
}
