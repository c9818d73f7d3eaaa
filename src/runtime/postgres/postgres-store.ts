import { exponentialBackoff } from '../../kernel/backoff.ts';
import { waitAtMost } from '../../kernel/deadline.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { CommitPriority, Row, Store, StoreChange, StoreQuery } from '../../kernel/store.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import { type CommitTask, nextGroup } from '../store/commit-order.ts';
import { commitBatches, type Fence, type PreparedBatch, prepareBatch } from './batches.ts';
import type { PostgresConnection, RunSql } from './connection.ts';
import { describeError, kindOfError } from './errors.ts';
import type { PostgresHistory } from './postgres-history.ts';
import { toRow } from './rows.ts';
import { attemptStatement, countStatement, findStatement, type SqlStatement } from './statements.ts';
import type { Trimmer } from './trimmer.ts';

/** Parts of a {@link PostgresStore}. */
export interface PostgresStoreParts {
  readonly connection: PostgresConnection;
  readonly history: PostgresHistory;
  readonly trimmer: Trimmer;
  /** Leases that protect the rows of clusters; absent for commands, which change no rows of running replicas. */
  readonly fence?: Fence | undefined;
  /** Returns why other connections of this process cannot write. Without commits, the store itself does not detect it. */
  readonly writeProblem?: (() => string | undefined) | undefined;
  readonly clock: Clock;
}

type PreparedCommit = CommitTask & PreparedBatch;

interface QueryTask {
  readonly kind: 'query';
  readonly statement: SqlStatement;
  readonly settle: (answer: Result<readonly Row[], string>) => void;
}

/** Time after which pending work fails and notifications continue without the database. */
const answerTimeout: Millis = 5000;

/** Wait before an attempt with a new connection. */
const retryWait = { min: 100, max: 2000 } as const;

/** Maximum number of commits that stay queued while the database is unavailable; the oldest are dropped. */
const maxPendingTasks = 10_000;

const closedMessage = 'the store is closed';

/**
 * Store in PostgreSQL. Batches are committed in order, but urgent ones first; batches that arrive during other work are
 * committed together. Queries wait for the commits before them. After a failure of the connection, a group is repeated until the
 * database answers, because it is unknown whether the commit happened: puts and drops are idempotent, and added rows are
 * compared. Callers wait at most {@link answerTimeout}.
 */
export class PostgresStore implements Store {
  readonly wasRecreated = false;
  readonly mergeCount = 0;
  readonly history: PostgresHistory;
  readonly #parts: PostgresStoreParts;
  readonly #tasks: (PreparedCommit | QueryTask)[] = [];
  readonly #stopped = new AbortController();
  #problem: string | undefined;
  #isProcessing = false;
  #hasAnswered = false;
  #isBlocked = false;
  #closed: Promise<void> | undefined;
  #idle = Promise.resolve();

  constructor(parts: PostgresStoreParts) {
    this.#parts = parts;
    this.history = parts.history;
  }

  get durable(): boolean {
    return this.problem === undefined;
  }

  get problem(): string | undefined {
    const blocked = this.#isBlocked ? `PostgreSQL has not answered for ${answerTimeout / 1000} s` : undefined;
    return this.#problem ?? blocked ?? this.#parts.writeProblem?.();
  }

  async commit(changes: readonly StoreChange[], priority: CommitPriority = 'normal'): Promise<Result<void, string>> {
    if (this.#closed !== undefined) return err(closedMessage);
    const prepared = prepareBatch(changes, this.#parts.fence);
    if (!prepared.ok) return prepared;
    return new Promise((settle) => this.#add({ kind: 'commit', priority, ...prepared.value, settle }));
  }

  async find(query: StoreQuery): Promise<Result<readonly Row[], string>> {
    return this.#enqueueQuery(() => findStatement(query));
  }

  async count(query: StoreQuery): Promise<Result<number, string>> {
    const found = await this.#enqueueQuery(() => countStatement(query));
    return found.ok ? ok(Number(found.value[0]?.rows ?? 0)) : found;
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    const { clock, connection, history } = this.#parts;
    // Earlier commits get the time that callers wait for them.
    await waitAtMost(clock, answerTimeout, this.#idle);
    this.#stopped.abort();
    await this.#idle;
    await Promise.all([connection.close(), history.close()]);
  }

  async #enqueueQuery(toStatement: () => SqlStatement): Promise<Result<readonly Row[], string>> {
    if (this.#closed !== undefined) return err(closedMessage);
    const statement = attemptStatement(toStatement);
    if (!statement.ok) return statement;
    return new Promise((settle) => this.#add({ kind: 'query', statement: statement.value, settle }));
  }

  #add(task: PreparedCommit | QueryTask): void {
    this.#tasks.push(task);
    if (!this.#isProcessing) this.#idle = this.#processTasks();
    else if (this.#isBlocked) this.#failPending([]);
  }

  /** Fails all pending tasks; commits stay queued until the database answers. */
  #failPending(underWay: readonly (PreparedCommit | QueryTask)[]): void {
    const message = this.problem ?? closedMessage;
    for (const { settle } of [...underWay, ...this.#tasks]) settle(err(message));
    const later = this.#tasks.filter((task) => task.kind === 'commit' && task.changes.length > 0);
    this.#tasks.splice(0, this.#tasks.length, ...later.slice(-maxPendingTasks));
  }

  async #processTasks(): Promise<void> {
    this.#isProcessing = true;
    // Batches that are passed together are committed as one group.
    await Promise.resolve();
    while (this.#tasks.length > 0) {
      // Queries wait for the commits before them, but not for later ones, which may never end.
      if (this.#tasks[0]?.kind === 'query' && !this.#mustCommit) await this.#answerNext();
      else await this.#commitNext();
    }
    this.#isProcessing = false;
    const { trimmer } = this.#parts;
    if (this.durable && this.#closed === undefined) await trimmer.trimWhenDue();
  }

  /** Whether an urgent commit waits after a query was answered: of several queries, it waits for one only. */
  get #mustCommit(): boolean {
    return this.#hasAnswered && this.#tasks.some((task) => task.kind === 'commit' && task.priority === 'urgent');
  }

  async #commitNext(): Promise<void> {
    this.#hasAnswered = false;
    const group = this.#takeGroup();
    await this.#withTimeout(group, () => this.#write(group));
  }

  #takeGroup(): readonly PreparedCommit[] {
    const group = nextGroup(this.#tasks.filter((task) => task.kind === 'commit'));
    const taken = new Set<PreparedCommit | QueryTask>(group);
    if (taken.size > 0) this.#tasks.splice(0, this.#tasks.length, ...this.#tasks.filter((task) => !taken.has(task)));
    return group;
  }

  async #answerNext(): Promise<void> {
    const task = this.#tasks.shift();
    if (task?.kind !== 'query') return;
    this.#hasAnswered = true;
    await this.#withTimeout([task], async () => task.settle(await this.#answer(task.statement)));
  }

  async #withTimeout(tasks: readonly (PreparedCommit | QueryTask)[], work: () => Promise<void>): Promise<void> {
    const finished = new AbortController();
    void this.#failLate(tasks, finished.signal);
    try {
      await work();
    } finally {
      finished.abort();
      this.#isBlocked = false;
    }
  }

  /** Fails tasks that have waited for too long. */
  async #failLate(tasks: readonly (PreparedCommit | QueryTask)[], finished: AbortSignal): Promise<void> {
    await this.#parts.clock.sleep(answerTimeout, finished);
    if (finished.aborted) return;
    this.#isBlocked = true;
    this.#failPending(tasks);
  }

  /** Commits a group, with new attempts until the database answers or the store is closed. */
  async #write(group: readonly PreparedCommit[]): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const written = await this.#attempt((run) =>
        commitBatches(run, group, { fence: this.#parts.fence, isRepeated: attempt > 0 }),
      );
      if (written.ok) {
        for (const [index, { settle }] of group.entries())
          settle(written.value[index] ?? err('the database returned no outcome'));
        return;
      }
      if (!(await this.#waitForRetry(written.error, attempt))) {
        for (const { settle } of group) settle(err(written.error.message));
        return;
      }
    }
  }

  /** Runs a query, and once more with a new connection if the first one fails. */
  async #answer({ sql, values }: SqlStatement): Promise<Result<readonly Row[], string>> {
    const select = async (run: RunSql): Promise<readonly Row[]> => (await run(sql, values)).rows.map(toRow);
    const first = await this.#attempt(select, true);
    if (first.ok) return first;
    if (!first.error.mayRepeat) return err(first.error.message);
    const second = await this.#attempt(select, true);
    return second.ok ? second : err(second.error.message);
  }

  async #attempt<T>(work: (run: RunSql) => Promise<T>, isReadOnly = false): Promise<Result<T, FailedAttempt>> {
    const { connection } = this.#parts;
    try {
      const result = await connection.transaction(work, { isReadOnly });
      this.#problem = undefined;
      return ok(result);
    } catch (error) {
      const kind = kindOfError(error);
      const message = describeError(error, connection.target);
      if (kind === 'connection') this.#problem = message;
      return err({ message, mayRepeat: kind !== 'refused' });
    }
  }

  /** Waits before the next attempt; returns false if a further attempt is useless. */
  async #waitForRetry({ mayRepeat }: FailedAttempt, attempt: number): Promise<boolean> {
    if (!mayRepeat || this.#stopped.signal.aborted) return false;
    await this.#parts.clock.sleep(exponentialBackoff(retryWait, attempt), this.#stopped.signal);
    return !this.#stopped.signal.aborted;
  }
}

interface FailedAttempt {
  readonly message: string;
  readonly mayRepeat: boolean;
}
