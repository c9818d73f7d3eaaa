import { type ResourceLimits, Worker } from 'node:worker_threads';
import { threadScript } from './executable.ts';
import { roleKey, type Work, type WorkerReply } from './worker-roles.ts';

/** Thread for work that must not block the event loop. */
export interface WorkerThread {
  /**
   * Sends a request of plain data; `transfer` moves memory to the thread. Rejects if the work throws, or if the thread ends
   * before its reply.
   */
  readonly request: (request: unknown, transfer?: readonly ArrayBuffer[]) => ReturnType<Work>;
  /** Stops the thread permanently, even during work. */
  readonly stop: () => Promise<void>;
}

/** Opens threads of a role. */
export type OpenWorker = (role: string) => (resourceLimits?: ResourceLimits) => WorkerThread;

/**
 * Thread that runs the program's own entry file in one of its roles, so that it works the same from source, in the
 * bundle and in the executable. It starts with the first request, restarts after a failure, and does not
 * keep the process alive while it is idle.
 */
export function workerThread(entry: URL, role: string, resourceLimits: ResourceLimits = {}): WorkerThread {
  let current: RunningWorker | undefined;
  let stopped = false;
  return {
    request: async (request, transfer = []) => {
      if (stopped) throw new Error(`the worker '${role}' is stopped`);
      if (current === undefined || current.ended) current = new RunningWorker(entry, role, resourceLimits);
      return current.send(request, transfer);
    },
    stop: async () => {
      stopped = true;
      await current?.end();
    },
  };
}

interface PendingRequest {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

class RunningWorker {
  ended = false;
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingRequest>();
  #lastId = 0;

  constructor(entry: URL, role: string, resourceLimits: ResourceLimits) {
    // The flags of Node are for the whole process, and some are not valid for threads.
    const script = threadScript();
    const settings = { workerData: { [roleKey]: role }, execArgv: [], resourceLimits };
    this.#worker = new Worker(script ?? entry, { ...settings, eval: script !== undefined });
    this.#worker.on('message', (reply: WorkerReply) => this.#settle(reply));
    this.#worker.on('error', (error) => this.#rejectAll(error));
    this.#worker.on('exit', () => this.#rejectAll(new Error(`the worker '${role}' exited before it replied`)));
  }

  send(request: unknown, transfer: readonly ArrayBuffer[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      this.#worker.postMessage({ id: this.#lastId, request }, [...transfer]);
      this.#pending.set(this.#lastId, { resolve, reject });
      this.#worker.ref();
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(reply: WorkerReply): void {
    const task = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if ('error' in reply) task?.reject(reply.error);
    else task?.resolve(reply.value);
  }

  #rejectAll(reason: unknown): void {
    this.ended = true;
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }
}
