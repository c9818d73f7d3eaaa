import { err, ok, type Result } from '../../kernel/result.ts';
import type { HistoryReader, Retention, Row, Store, StoreChange, StoreQuery, Summary } from '../../kernel/store.ts';
import type { Database } from './database.ts';
import { trimHistory } from './history.ts';
import { migrations, openInMemoryDatabase } from './migrations.ts';
import { openReadOnlyDatabase } from './read-only-database.ts';
import { messageOf } from './sqlite-errors.ts';

/** Number of commits between two deletions of old history. */
const trimEvery = 100;

/** Maximum number of rows that a summary reads of a database in memory, because that blocks the event loop. */
export const maxRowsInMemory = 10_000;

/** Retention of history. `now` returns ms since the epoch. */
export interface StoreLimits {
  readonly retention: Retention;
  readonly now: () => number;
}

/** Options of a local store. */
export interface LocalStoreOptions {
  /** Reason why the store is not durable; undefined if it is. */
  readonly problem?: string | undefined;
  /** Limits of the history; without them nothing is deleted. */
  readonly limits?: StoreLimits | undefined;
}

/** Store with a database in this thread, for small, in-memory and short-lived databases. */
export class LocalStore implements Store, HistoryReader {
  readonly maxSummaryRows = maxRowsInMemory;
  /** The history is read over the connection of the store. */
  readonly history = this;
  readonly wasRecreated = false;
  readonly mergeCount = 0;
  readonly durable: boolean;
  readonly problem: string | undefined;
  readonly #database: Database;
  readonly #limits: StoreLimits | undefined;
  #commits = 0;
  #closed = false;

  constructor(database: Database, { problem, limits }: LocalStoreOptions = {}) {
    this.#database = database;
    this.#limits = limits;
    this.problem = problem;
    this.durable = problem === undefined;
  }

  async commit(changes: readonly StoreChange[]): Promise<Result<void, string>> {
    const outcome = this.#attempt(() => this.#database.commit([changes])[0] ?? ok(undefined));
    this.#commits += 1;
    if (this.#commits % trimEvery === 0) this.#attempt(() => this.#trim());
    return outcome.ok ? outcome.value : outcome;
  }

  async find(query: StoreQuery): Promise<Result<readonly Row[], string>> {
    return this.#attempt(() => this.#database.find(query));
  }

  async count(query: StoreQuery): Promise<Result<number, string>> {
    return this.#attempt(() => this.#database.count(query));
  }

  async summarize({ compute }: Summary, query: StoreQuery, input: unknown): Promise<Result<readonly Row[], string>> {
    return this.#attempt(() => compute(this.#database.iterate(query), input));
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
      return err(messageOf(error));
    }
  }
}

/** Maximum size of a database in memory in bytes, above which history is deleted. */
const maxMemoryBytes = 64 * 1024 * 1024;

/**
 * Opens a store in memory, with the tables and the SQL of the one on disk. If it replaces an unusable disk, `problem`
 * states the reason, and the store is not durable.
 */
export function memoryStore(problem?: string, limits?: StoreLimits): Store {
  return new LocalStore(openInMemoryDatabase(), { problem, limits: limits && memoryLimits(limits) });
}

function memoryLimits({ retention, now }: StoreLimits): StoreLimits {
  return { retention: { ...retention, size: Math.min(retention.size, maxMemoryBytes) }, now };
}

/** Opens the state directory of a stopped daemon for commands that read it. Commits fail. */
export async function readStore(folder: string): Promise<Result<Store, string>> {
  const opened = openReadOnlyDatabase(folder, migrations);
  return opened.ok ? ok(new LocalStore(opened.value, { problem: 'the state is open read-only' })) : opened;
}
