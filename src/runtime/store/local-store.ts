import { err, ok, type Result } from '../../kernel/result.ts';
import type { Change, Question, Retention, Row, Store } from '../../kernel/store.ts';
import type { Database } from './database.ts';
import { trimHistory } from './history.ts';
import { sentenceOf } from './trouble.ts';

/** Commits between two looks at what is too old. */
const trimEvery = 100;

/** What may come to be stored. `now` is ms since the epoch, by which history ages. */
export interface StoreLimits {
  readonly retention: Retention;
  readonly now: () => number;
}

/** How a local store is. */
export interface LocalStoreOptions {
  /** Why it is not durable; undefined where all is well. */
  readonly trouble?: string | undefined;
  /** Without them everything stays. */
  readonly limits?: StoreLimits | undefined;
}

/** A store whose database is open in this very thread: for what is small, in memory, or soon over. */
export class LocalStore implements Store {
  readonly begunAnew = false;
  readonly durable: boolean;
  readonly trouble: string | undefined;
  readonly #database: Database;
  readonly #limits: StoreLimits | undefined;
  #commits = 0;
  #closed = false;

  constructor(database: Database, { trouble, limits }: LocalStoreOptions = {}) {
    this.#database = database;
    this.#limits = limits;
    this.trouble = trouble;
    this.durable = trouble === undefined;
  }

  async commit(changes: readonly Change[]): Promise<Result<void, string>> {
    const outcome = this.#attempt(() => this.#database.commit([changes])[0] ?? ok(undefined));
    this.#commits += 1;
    if (this.#commits % trimEvery === 0) this.#attempt(() => this.#trim());
    return outcome.ok ? outcome.value : outcome;
  }

  async find(question: Question): Promise<Result<readonly Row[], string>> {
    return this.#attempt(() => this.#database.find(question));
  }

  async count(question: Question): Promise<Result<number, string>> {
    return this.#attempt(() => this.#database.count(question));
  }

  async close(): Promise<void> {
    if (!this.#closed) this.#database.close();
    this.#closed = true;
  }

  #trim(): void {
    const limits = this.#limits;
    if (limits === undefined) return;
    while (trimHistory(this.#database, limits.retention, limits.now()));
  }

  #attempt<T>(work: () => T): Result<T, string> {
    if (this.#closed) return err('the store is closed');
    try {
      return ok(work());
    } catch (error) {
      return err(sentenceOf(error));
    }
  }
}
