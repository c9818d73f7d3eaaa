import type { Retention } from '../../kernel/store.ts';
import type { WorkerThread } from '../worker-thread.ts';
import type { StateQuestion, StateReply } from './state-worker.ts';

/** The folder that a thread works on. */
export interface StateFolder {
  readonly folder: string;
  readonly retention: Retention;
}

/** The thread that holds the database open, as it is spoken to. A thread that broke is begun anew with the next question. */
export class StateThread {
  readonly #thread: WorkerThread;
  readonly #folder: StateFolder;
  #broken = false;

  constructor(thread: WorkerThread, folder: StateFolder) {
    this.#thread = thread;
    this.#folder = folder;
  }

  /** The first question. */
  open(): Promise<StateReply> {
    return this.#ask({ kind: 'open', ...this.#folder });
  }

  /** Rejects when the thread breaks, or cannot be opened again after it did. */
  async ask(question: StateQuestion): Promise<StateReply> {
    if (this.#broken) await this.#openAgain();
    try {
      return await this.#ask(question);
    } catch (error) {
      this.#broken = true;
      throw error;
    }
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  async #openAgain(): Promise<void> {
    const { refusal } = await this.open();
    if (refusal !== undefined) throw new Error(refusal.message);
    this.#broken = false;
  }

  async #ask(question: StateQuestion): Promise<StateReply> {
    const reply = await this.#thread.ask(question);
    if (!isReply(reply)) throw new TypeError('this is no answer of the store');
    return reply;
  }
}

function isReply(value: unknown): value is StateReply {
  return typeof value === 'object' && value !== null && 'status' in value;
}
