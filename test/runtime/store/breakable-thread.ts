import { stateWork } from '../../../src/runtime/store/state-worker.ts';
import type { WorkerThread } from '../../../src/runtime/worker-thread.ts';
import { noteTables } from './notes.ts';

/** A thread that works in this one, counts, and breaks when a test says so. */
export class BreakableThread implements WorkerThread {
  /** The kinds of questions, in their order. */
  readonly asked: unknown[] = [];
  stopped = 0;
  #work = stateWork({ steps: [noteTables] });
  #breaks = 0;
  #gate: Promise<void> | undefined;

  readonly ask = async (question: unknown): Promise<unknown> => {
    this.asked.push(describe(question));
    await this.#gate;
    if (this.#breaks === 0) return this.#work(question);
    this.#breaks -= 1;
    // Its memory is gone, and with it what it held open.
    await this.#work({ kind: 'close' }).catch(() => undefined);
    this.#work = stateWork({ steps: [noteTables] });
    throw new Error('it ran out of memory');
  };

  readonly stop = async (): Promise<void> => {
    this.stopped += 1;
  };

  /** Breaks at this many of the next questions. */
  breakAt(questions: number): void {
    this.#breaks = questions;
  }

  /** Answers nothing until the gate opens. */
  holdUp(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return resolve;
  }
}

function describe(question: unknown): string {
  if (typeof question !== 'object' || question === null || !('kind' in question)) return 'nonsense';
  const batches = 'batches' in question && Array.isArray(question.batches) ? ` ${question.batches.length}` : '';
  return `${String(question.kind)}${batches}`;
}
