import type { Retention } from '../../kernel/store.ts';
import type { WorkerThread } from '../worker-thread.ts';
import type { StateReply, StateRequest } from './state-worker.ts';

/** The folder that a thread works on. */
export interface StateDir {
  readonly folder: string;
  readonly retention: Retention;
}

/** Client of the thread that has the database open. A thread that failed is restarted by the next request. */
export class StateThread {
  readonly #thread: WorkerThread;
  readonly #folder: StateDir;
  #hasFailed = false;

  constructor(thread: WorkerThread, folder: StateDir) {
    this.#thread = thread;
    this.#folder = folder;
  }

  get folder(): string {
    return this.#folder.folder;
  }

  /** Sends the first request, which opens the state. */
  open(): Promise<StateReply> {
    return this.#send({ kind: 'open', ...this.#folder });
  }

  /** Rejects when the thread breaks, or cannot be opened again after it did. */
  async request(request: StateRequest): Promise<StateReply> {
    if (this.#hasFailed) await this.#openAgain();
    try {
      return await this.#send(request);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  async #openAgain(): Promise<void> {
    const { refusal } = await this.open();
    if (refusal !== undefined) throw new Error(refusal.message);
    this.#hasFailed = false;
  }

  async #send(request: StateRequest): Promise<StateReply> {
    const reply = await this.#thread.request(request);
    if (!isReply(reply)) throw new TypeError('the thread of the store returned an unexpected reply');
    return reply;
  }
}

function isReply(value: unknown): value is StateReply {
  return typeof value === 'object' && value !== null && 'status' in value;
}
