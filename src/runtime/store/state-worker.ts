import { err, ok, type Result } from '../../kernel/result.ts';
import type { Change, Question, Retention, Row, StoreRefusal } from '../../kernel/store.ts';
import type { Work } from '../worker-roles.ts';
import type { Outcomes } from './database.ts';
import { Keeper, type KeeperOptions, type KeeperStatus } from './keeper.ts';
import { migrations } from './migrations.ts';
import { sentenceOf } from './trouble.ts';

/** What the store's thread is asked. `open` comes first, also after the thread broke. */
export type StateQuestion =
  | { readonly kind: 'open'; readonly folder: string; readonly retention: Retention }
  | { readonly kind: 'commit'; readonly batches: readonly (readonly Change[])[]; readonly now: number }
  | { readonly kind: 'find' | 'count'; readonly question: Question }
  | { readonly kind: 'close' };

/** What it answers: how the state is doing, and what belongs to the kind of question. */
export interface StateReply {
  readonly status: KeeperStatus;
  readonly refusal?: StoreRefusal;
  readonly outcomes?: Outcomes;
  readonly rows?: Result<readonly Row[], string>;
  readonly count?: Result<number, string>;
}

/** What a test may set otherwise. */
export type StateWorkOptions = Partial<Omit<KeeperOptions, 'folder' | 'retention'>>;

const closed: KeeperStatus = { durable: false, trouble: 'the store is closed', begunAnew: false };

/** The work of the store's thread: one state at a time. */
export function stateWork(options: StateWorkOptions = {}): Work {
  const state = new StateWork({ steps: migrations, retryAfter: 15_000, trimAfter: 60_000, ...options });
  return async (question) => {
    if (!isQuestion(question)) throw new TypeError('this is no question to the store');
    return state.answer(question);
  };
}

class StateWork {
  readonly #options: Omit<KeeperOptions, 'folder' | 'retention'>;
  #keeper: Keeper | undefined;

  constructor(options: Omit<KeeperOptions, 'folder' | 'retention'>) {
    this.#options = options;
  }

  answer(question: StateQuestion): StateReply {
    if (question.kind === 'open') return this.#open(question);
    const keeper = this.#keeper;
    if (keeper === undefined) throw new Error('the store is not open');
    if (question.kind === 'close') return this.#close(keeper);
    const answered = answerOf(keeper, question);
    // Asked last: what was asked may have changed it.
    return { ...answered, status: keeper.status };
  }

  #open({ folder, retention }: { readonly folder: string; readonly retention: Retention }): StateReply {
    this.#keeper?.close();
    const opened = Keeper.open({ ...this.#options, folder, retention });
    this.#keeper = opened.ok ? opened.value : undefined;
    return opened.ok ? { status: opened.value.status } : { status: closed, refusal: opened.error };
  }

  #close(keeper: Keeper): StateReply {
    const { status } = keeper;
    keeper.close();
    this.#keeper = undefined;
    return { status };
  }
}

function answerOf(
  keeper: Keeper,
  question: Exclude<StateQuestion, { readonly kind: 'open' | 'close' }>,
): Omit<StateReply, 'status'> {
  if (question.kind === 'commit') return { outcomes: keeper.commit(question.batches, question.now) };
  if (question.kind === 'find') return { rows: attempt(() => keeper.find(question.question)) };
  return { count: attempt(() => keeper.count(question.question)) };
}

function attempt<T>(work: () => T): Result<T, string> {
  try {
    return ok(work());
  } catch (error) {
    return err(sentenceOf(error));
  }
}

/** The other side is this very program: its kind tells a question from a mistake, and that is all there is to tell. */
function isQuestion(value: unknown): value is StateQuestion {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
