import { err, ok, type Result } from '../../kernel/result.ts';
import type { Change, Question, Retention, Row, Store } from '../../kernel/store.ts';
import type { Database } from './database.ts';
import { trimHistory } from './history.ts';
import { sentenceOf } from './trouble.ts';

/** Commits between two looks at what is too old. */
const trimEvery = 100;

/** A store whose database is open in this very thread: for what is small, in memory, or soon over. */
export class LocalStore implements Store {
  readonly begunAnew = false;
  readonly durable: boolean;
  readonly #database: Database;
  readonly #trouble: string | undefined;
  #trim: () => void = () => undefined;
  #commits = 0;
  #closed = false;

  constructor(database: Database, trouble?: string) {
    this.#database = database;
    this.#trouble = trouble;
    this.durable = trouble === undefined;
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** From now on lets go of what is too old or too much. */
  limit(retention: Retention, now: () => number): void {
    this.#trim = () => {
      while (trimHistory(this.#database, retention, now()));
    };
  }

  async commit(changes: readonly Change[]): Promise<Result<void, string>> {
    const outcome = this.#attempt(() => this.#database.commit([changes])[0] ?? ok(undefined));
    if (this.#commits % trimEvery === 0) this.#attempt(this.#trim);
    this.#commits += 1;
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

  #attempt<T>(work: () => T): Result<T, string> {
    if (this.#closed) return err('the store is closed');
    try {
      return ok(work());
    } catch (error) {
      return err(sentenceOf(error));
    }
  }
}
