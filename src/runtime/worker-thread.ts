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
 * A thread that runs the program's own entry file in one of its roles, so that it works the same from source and
 * in the one-file bundle. It begins with the first question, anew after it broke, and keeps no process alive while it
 * has nothing to do.
 */
export function workerThread(entry: URL, role: string): WorkerThread {
  let current: Running | undefined;
  let stopped = false;
  return {
    ask: async (question) => {
      if (stopped) throw new Error(`the worker '${role}' is stopped`);
      if (current === undefined || current.ended) current = new Running(entry, role);
      return current.ask(question);
    },
    stop: async () => {
      stopped = true;
      await current?.end();
    },
  };
}

interface Asker {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

class Running {
  ended = false;
  readonly #worker: Worker;
  readonly #askers = new Map<number, Asker>();
  #asked = 0;

  constructor(entry: URL, role: string) {
    // The flags of node were meant for the program as a whole, and some are refused by threads.
    this.#worker = new Worker(entry, { workerData: { [roleKey]: role }, execArgv: [] });
    this.#worker.on('message', (reply: Reply) => this.#settle(reply));
    this.#worker.on('error', (error) => this.#giveUp(error));
    this.#worker.on('exit', () => this.#giveUp(new Error(`the worker '${role}' ended before it answered`)));
  }

  ask(question: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#asked += 1;
      this.#worker.postMessage({ id: this.#asked, question }, []);
      this.#askers.set(this.#asked, { resolve, reject });
      this.#worker.ref();
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(reply: Reply): void {
    const asker = this.#askers.get(reply.id);
    this.#askers.delete(reply.id);
    if (this.#askers.size === 0) this.#worker.unref();
    if ('error' in reply) asker?.reject(reply.error);
    else asker?.resolve(reply.value);
  }

  #giveUp(reason: unknown): void {
    this.ended = true;
    for (const { reject } of this.#askers.values()) reject(reason);
    this.#askers.clear();
  }
}
