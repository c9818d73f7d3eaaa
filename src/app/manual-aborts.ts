import type { Doubt } from '../guard/decision/decision.ts';
import type { GuardOutput } from '../guard/decision/output.ts';
import type { WishDoubt } from '../guard/decision/wish.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { AbortView } from '../model/guard.ts';
import type { Refusal } from './guard-control.ts';

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
      this.#answer((one) => one.node === node && one.id === id && one.key === undefined, err(refusalOf(doubt)));
    } else if (output.kind === 'cancelled') {
      this.#answer(({ key }) => key === output.key, err(refusalOf(output.doubt)));
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

const sentences: Readonly<Partial<Record<Doubt | WishDoubt, string>>> = {
  paused: 'the guard is paused: resume it, or say that it is to be done all the same',
  audit: 'what is done could not be written down: the state folder cannot be used',
  not_restored: 'what was done before is not read yet: try again',
  stopping: 'the daemon ends',
  not_covered: 'the node is not covered: it is not certain that its lists are its own',
  not_installed: 'only installed queries can be aborted',
  unknown_graph: 'the cluster is not known to have this graph',
  too_old: 'the node gave no list that is new enough',
};

function refusalOf(doubt: Doubt | WishDoubt): Refusal {
  if (doubt === 'not_listed') return { kind: 'unknown_query', message: 'the node does not list such a query' };
  const kind = doubt === 'audit' ? 'not_stored' : 'refused';
  return { kind, message: sentences[doubt] ?? `nothing was sent: ${doubt.replaceAll('_', ' ')}` };
}
