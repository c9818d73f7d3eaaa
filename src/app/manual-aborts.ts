import type { GuardOutput } from '../guard/decision/output.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { AbortView } from '../model/guard.ts';
import type { Refusal } from './guard-control.ts';
import { wishRefusal } from './wish-refusal.ts';

type Answer = Result<AbortView, Refusal>;

interface Waiting {
  readonly node: string;
  readonly id: string;
  /** Known as soon as a decision has begun. */
  key: string | undefined;
  readonly answer: (answer: Answer) => void;
}

/** Operators who wait to hear what became of the aborts that they asked for. */
export class ManualAborts {
  readonly #view: (key: string) => AbortView | undefined;
  #waiting: readonly Waiting[] = [];
  #isOver = false;

  constructor(view: (key: string) => AbortView | undefined) {
    this.#view = view;
  }

  /** Waits for what becomes of a wish. */
  wait({ node, id }: Pick<Waiting, 'node' | 'id'>): Promise<Answer> {
    if (this.#isOver) return Promise.resolve(err(ending));
    return new Promise((answer) => {
      this.#waiting = [...this.#waiting, { node, id, key: undefined, answer }];
    });
  }

  /** Notes what a step has told. */
  note(outputs: readonly GuardOutput[]): void {
    if (this.#waiting.length > 0) for (const output of outputs) this.#note(output);
  }

  /** Nobody will know any more. */
  end(): void {
    this.#isOver = true;
    this.#answer(() => true, err(ending));
  }

  #note(output: GuardOutput): void {
    if (output.kind === 'began' && output.decision.manual !== undefined) this.#begin(output.decision);
    else if (output.kind === 'declined') {
      const { node, id, doubt } = output;
      this.#answer((one) => one.node === node && one.id === id && one.key === undefined, err(wishRefusal(doubt)));
    } else if (output.kind === 'cancelled') {
      this.#answer(({ key }) => key === output.key, err(wishRefusal(output.doubt)));
    } else if (output.kind === 'outcome') {
      const view = this.#view(output.key);
      if (view !== undefined) this.#answer(({ key }) => key === output.key, ok(view));
    }
  }

  #begin({ key, target }: Extract<GuardOutput, { readonly kind: 'began' }>['decision']): void {
    for (const one of this.#waiting) {
      if (one.key === undefined && one.node === target.node && one.id === target.id) one.key = key;
    }
  }

  #answer(isFor: (one: Waiting) => boolean, answer: Answer): void {
    const answered = this.#waiting.filter(isFor);
    this.#waiting = this.#waiting.filter((one) => !answered.includes(one));
    for (const one of answered) one.answer(answer);
  }
}

const ending: Refusal = { kind: 'refused', message: 'the daemon ends; look it up in the audit' };
