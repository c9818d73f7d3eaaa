import { randomUUID } from 'node:crypto';
import { exponentialBackoff } from '../../kernel/backoff.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Retention, Row, StoreChange, StoreOpenError, StoreQuery } from '../../kernel/store.ts';
import type { Millis } from '../../kernel/time.ts';
import { mergeRows, replaceRows, saveRows } from './copy-rows.ts';
import type { Database, Outcomes } from './database.ts';
import { trimHistory } from './history.ts';
import { lastWriterOf, setLastWriter } from './last-writer.ts';
import { type MigrationSteps, migrate, openInMemoryDatabase, schemaVersionOf } from './migrations.ts';
import { openReadOnlyDatabase } from './read-only-database.ts';
import { DatabaseMissing, isDatabaseLocked, isDiskError, messageOf } from './sqlite-errors.ts';
import { type FolderLock, lockFolder, makeFolder } from './state-directory.ts';
import { openStateFile, type StateFile } from './state-file.ts';

/** Status of the state, as the port reports it. */
export interface StateStatus {
  readonly durable: boolean;
  readonly problem: string | undefined;
  readonly wasRecreated: boolean;
  /** How often rows of a file were merged with rows in memory. */
  readonly mergeCount: number;
}

/** Options of a state database. */
export interface StateDatabaseOptions {
  readonly folder: string;
  readonly retention: Retention;
  readonly steps: MigrationSteps;
  /** Release of this program, which a migrated database records. */
  readonly program?: string;
  /** Longest time between two attempts to become durable again; the first ones follow sooner. */
  readonly retryAfter: Millis;
  /** Time between two deletions of rows that are too old. */
  readonly trimAfter: Millis;
}

interface DiskLocation {
  readonly kind: 'disk';
  readonly file: StateFile;
}

interface MemoryLocation {
  readonly kind: 'memory';
  readonly database: Database;
  /**
   * Last writer of the file that all current rows were copied from: rows that only that file has are obsolete. Undefined if
   * the database in memory began without a file, or with a part of one.
   */
  readonly copiedFrom: string | undefined;
  /** Reason, as a sentence for the operator. */
  readonly reason: string;
}

const firstRetryAfter: Millis = 1000;

/** Maximum size of a database in memory, above which history is deleted. */
const maxMemoryBytes = 64 * 1024 * 1024;

/**
 * Keeps the state of a folder: on disk, or in memory while the disk cannot be used. The state in memory is
 * written as soon as the disk works again. Synchronous: it runs in its own thread.
 */
export class StateDatabase {
  readonly #options: StateDatabaseOptions;
  #location: DiskLocation | MemoryLocation;
  #lock: FolderLock | undefined;
  #refusal: StoreOpenError | undefined;
  #movedAside: string | undefined;
  #lastAttemptAt = performance.now();
  /** Attempts to return to the disk that failed. */
  #failures = 0;
  #mergeCount = 0;
  /** Id of this process as a writer. Every file that has it contains rows that this process knows. */
  #writer = randomUUID();
  #trimmedAt = Number.NEGATIVE_INFINITY;

  /** Opens the state of a folder; in memory where the disk cannot be used. */
  static open(options: StateDatabaseOptions): Result<StateDatabase, StoreOpenError> {
    const state = new StateDatabase(options);
    if (state.#refusal === undefined) return ok(state);
    state.#closeAll();
    return err(state.#refusal);
  }

  private constructor(options: StateDatabaseOptions) {
    this.#options = options;
    this.#location = this.#openInitial();
  }

  get status(): StateStatus {
    const wasRecreated = this.#movedAside !== undefined;
    const problem = this.#location.kind === 'disk' ? this.#movedAside : this.#location.reason;
    return { durable: this.#location.kind === 'disk', problem, wasRecreated, mergeCount: this.#mergeCount };
  }

  /** Commits batches as a group. `now` is ms since the epoch, by which history ages. */
  commit(batches: readonly (readonly StoreChange[])[], now: number): Outcomes {
    this.#returnToDisk();
    const outcomes = this.#withDatabase((database) => database.commit(batches));
    const location = this.#location;
    this.#trim(now);
    return location.kind === 'disk'
      ? outcomes
      : outcomes.map((outcome) => (outcome.ok ? err(location.reason) : outcome));
  }

  find(query: StoreQuery): readonly Row[] {
    return this.#withDatabase((database) => database.find(query));
  }

  count(query: StoreQuery): number {
    return this.#withDatabase((database) => database.count(query));
  }

  /** Closes the database. State in memory is written if the disk works again. */
  close(): void {
    if (this.#location.kind === 'memory') this.#attemptDisk(this.#location);
    this.#closeAll();
  }

  #closeAll(): void {
    databaseAt(this.#location).close();
    this.#unlock();
  }

  #openInitial(): DiskLocation | MemoryLocation {
    try {
      const opened = this.#openFile();
      if (opened.ok) return this.#claim(opened.value);
      this.#refusal = opened.error;
      return this.#copyToMemory(undefined, opened.error.message);
    } catch (error) {
      return this.#openInMemory(error);
    }
  }

  #claim(file: StateFile): DiskLocation {
    const { database } = file;
    try {
      database.inTransaction(() => setLastWriter(database, this.#writer));
      return { kind: 'disk', file };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Reads a database that cannot be written or migrated: the record of sent notifications must not be lost. */
  #openInMemory(error: unknown): MemoryLocation {
    const { folder, steps } = this.#options;
    const readable = openReadOnlyDatabase(folder, steps, { isOlderAllowed: true });
    if (!readable.ok) return this.#copyToMemory(undefined, error);
    const memory = this.#copyToMemory(readable.value, error);
    readable.value.close();
    return memory;
  }

  #copyToMemory(source: Database | undefined, error: unknown): MemoryLocation {
    const { steps } = this.#options;
    const database = openInMemoryDatabase(source === undefined ? steps : steps.slice(0, schemaVersionOf(source)));
    const copiedFrom = source !== undefined && saveRows(source, database) ? lastWriterOf(source) : undefined;
    migrate(database, steps);
    // Rows of earlier files may be missing from now on: those files are merged like files of another process.
    if (copiedFrom === undefined) this.#writer = randomUUID();
    return { kind: 'memory', database, copiedFrom, reason: this.#memoryOnlyMessage(error) };
  }

  #memoryOnlyMessage(error: unknown): string {
    return `the state of '${this.#options.folder}' is kept only in memory: ${messageOf(error)}`;
  }

  #openFile(): Result<StateFile, StoreOpenError> {
    const { folder, steps, program } = this.#options;
    makeFolder(folder);
    try {
      this.#lock ??= lockFolder(folder);
    } catch (error) {
      if (!isDatabaseLocked(error)) throw error;
      return err({ kind: 'locked', message: `another daemon uses the state directory '${folder}'` });
    }
    const opened = openStateFile(folder, { steps, program });
    if (opened.ok) this.#movedAside ??= opened.value.movedAside;
    return opened;
  }

  /** Runs work on the current database; if the disk fails, in memory from then on. */
  #withDatabase<T>(work: (database: Database) => T): T {
    const location = this.#location;
    if (location.kind === 'memory') return work(location.database);
    try {
      location.file.verifyLocation();
      return work(location.file.database);
    } catch (error) {
      if (!isDiskError(error)) throw error;
      return work(this.#leaveDisk(location.file, error).database);
    }
  }

  #leaveDisk({ database }: StateFile, error: unknown): MemoryLocation {
    const memory = this.#copyToMemory(database, error);
    this.#location = memory;
    this.#lastAttemptAt = performance.now();
    this.#failures = 0;
    database.close();
    // The lock was deleted with the folder and no longer excludes another daemon.
    if (error instanceof DatabaseMissing) this.#unlock();
    return memory;
  }

  #unlock(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }

  #returnToDisk(): void {
    const location = this.#location;
    if (location.kind === 'disk' || performance.now() - this.#lastAttemptAt < this.#retryAfter()) return;
    this.#attemptDisk(location);
    this.#lastAttemptAt = performance.now();
    this.#failures += 1;
  }

  #retryAfter(): Millis {
    const { retryAfter: max } = this.#options;
    return exponentialBackoff({ min: Math.min(firstRetryAfter, max), max }, this.#failures);
  }

  #attemptDisk(location: MemoryLocation): void {
    try {
      const opened = this.#openFile();
      this.#location = opened.ok
        ? this.#moveToDisk(location, opened.value)
        : { ...location, reason: this.#memoryOnlyMessage(opened.error.message) };
    } catch (error) {
      this.#location = { ...location, reason: this.#memoryOnlyMessage(error) };
    }
  }

  /** Writes the rows in memory to a file, and closes the database in memory. */
  #moveToDisk({ database, copiedFrom }: MemoryLocation, file: StateFile): DiskLocation {
    const isSame = copiedFrom !== undefined && lastWriterOf(file.database) === copiedFrom;
    const claim = (): void => setLastWriter(file.database, this.#writer);
    try {
      if (isSame) replaceRows(database, file.database, claim);
      else mergeRows(database, file.database, claim);
    } catch (error) {
      file.database.close();
      throw error;
    }
    if (!isSame) this.#mergeCount += 1;
    database.close();
    return { kind: 'disk', file };
  }

  #trim(now: number): void {
    const { retention, trimAfter } = this.#options;
    if (performance.now() - this.#trimmedAt < trimAfter) return;
    const size = this.#location.kind === 'disk' ? retention.size : Math.min(retention.size, maxMemoryBytes);
    const hasMore = this.#withDatabase((database) => trimHistory(database, { ...retention, size }, now));
    if (!hasMore) this.#trimmedAt = performance.now();
  }
}

function databaseAt(location: DiskLocation | MemoryLocation): Database {
  return location.kind === 'disk' ? location.file.database : location.database;
}
