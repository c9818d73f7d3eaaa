import { err, ok, type Result } from '../../kernel/result.ts';
import type { Change, Question, Retention, Row, StoreRefusal } from '../../kernel/store.ts';
import type { Millis } from '../../kernel/time.ts';
import { addRows, replaceRows, saveRows } from './copy-rows.ts';
import type { Database, Outcomes } from './database.ts';
import { makeFolder } from './durable-files.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { trimHistory } from './history.ts';
import { databaseInMemory } from './migrate.ts';
import { openForReading } from './read-file.ts';
import { openStateFile, type StateFile, type Steps } from './state-file.ts';
import { Gone, isHeld, isOfTheDisk, sentenceOf } from './trouble.ts';

/** How the state is doing, in the words of the port. */
export interface KeeperStatus {
  readonly durable: boolean;
  readonly trouble: string | undefined;
  readonly begunAnew: boolean;
}

/** What a keeper goes by. */
export interface KeeperOptions {
  readonly folder: string;
  readonly retention: Retention;
  readonly steps: Steps;
  /** Time between two attempts to become durable again. */
  readonly retryAfter: Millis;
  /** Time between two looks at what is too old. */
  readonly trimAfter: Millis;
}

interface OnDisk {
  readonly kind: 'disk';
  readonly file: StateFile;
}

interface InMemory {
  readonly kind: 'memory';
  readonly database: Database;
  /** It began with all of the present that was on disk: what it lacks is over. */
  readonly whole: boolean;
  /** Why, as a sentence for an operator. */
  readonly why: string;
}

/** Memory is small: the past goes earlier there. */
const memoryRoom = 64 * 1024 * 1024;

/**
 * Keeps the state of a folder: on disk, and in memory for as long as the disk cannot be used. What memory took over is
 * written as soon as that goes again. Synchronous: it has a thread to itself.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  #place: OnDisk | InMemory;
  #lock: FolderLock | undefined;
  #refusal: StoreRefusal | undefined;
  #movedAside: string | undefined;
  #triedAt = performance.now();
  #trimmedAt = Number.NEGATIVE_INFINITY;

  /** Opens the state of a folder; in memory where the disk cannot be used. */
  static open(options: KeeperOptions): Result<Keeper, StoreRefusal> {
    const keeper = new Keeper(options);
    if (keeper.#refusal === undefined) return ok(keeper);
    keeper.#end();
    return err(keeper.#refusal);
  }

  private constructor(options: KeeperOptions) {
    this.#options = options;
    this.#place = this.#begin();
  }

  get status(): KeeperStatus {
    const begunAnew = this.#movedAside !== undefined;
    const trouble = this.#place.kind === 'disk' ? this.#movedAside : this.#place.why;
    return { durable: this.#place.kind === 'disk', trouble, begunAnew };
  }

  /** Commits batches as a group. `now` is ms since the epoch, by which history ages. */
  commit(batches: readonly (readonly Change[])[], now: number): Outcomes {
    this.#returnToDisk();
    const outcomes = this.#use((database) => database.commit(batches));
    const place = this.#place;
    this.#trim(now);
    return place.kind === 'disk' ? outcomes : outcomes.map((outcome) => (outcome.ok ? err(place.why) : outcome));
  }

  find(question: Question): readonly Row[] {
    return this.#use((database) => database.find(question));
  }

  count(question: Question): number {
    return this.#use((database) => database.count(question));
  }

  /** Ends. What is in memory gets a last chance to be written. */
  close(): void {
    if (this.#place.kind === 'memory') this.#tryDisk(this.#place);
    this.#end();
  }

  #end(): void {
    databaseOf(this.#place).close();
    this.#unlock();
  }

  #begin(): OnDisk | InMemory {
    try {
      const opened = this.#openFile();
      if (opened.ok) return { kind: 'disk', file: opened.value };
      this.#refusal = opened.error;
      return this.#memoryFrom(undefined, opened.error.message);
    } catch (error) {
      return this.#beginInMemory(error);
    }
  }

  /** What cannot be written may still be read: who was told what must not be forgotten. */
  #beginInMemory(error: unknown): InMemory {
    const readable = openForReading(this.#options.folder, this.#options.steps);
    if (!readable.ok) return this.#memoryFrom(undefined, error);
    const memory = this.#memoryFrom(readable.value, error);
    readable.value.close();
    return memory;
  }

  #memoryFrom(source: Database | undefined, error: unknown): InMemory {
    const database = databaseInMemory(this.#options.steps);
    const whole = source !== undefined && saveRows(source, database);
    return { kind: 'memory', database, whole, why: this.#inMemoryAlone(error) };
  }

  #inMemoryAlone(error: unknown): string {
    return `the state of '${this.#options.folder}' is kept in memory alone: ${sentenceOf(error)}`;
  }

  #openFile(): Result<StateFile, StoreRefusal> {
    const { folder, steps } = this.#options;
    makeFolder(folder);
    try {
      this.#lock ??= lockFolder(folder);
    } catch (error) {
      if (!isHeld(error)) throw error;
      return err({ kind: 'locked', message: `another daemon keeps its state in '${folder}'` });
    }
    const opened = openStateFile(folder, steps);
    if (opened.ok) this.#movedAside ??= opened.value.movedAside;
    return opened;
  }

  /** Works where the state is; where the disk fails, in memory from now on. */
  #use<T>(work: (database: Database) => T): T {
    const place = this.#place;
    if (place.kind === 'memory') return work(place.database);
    try {
      place.file.verifyPlace();
      return work(place.file.database);
    } catch (error) {
      if (!isOfTheDisk(error)) throw error;
      return work(this.#leaveDisk(place.file, error).database);
    }
  }

  #leaveDisk({ database }: StateFile, error: unknown): InMemory {
    const memory = this.#memoryFrom(database, error);
    this.#place = memory;
    this.#triedAt = performance.now();
    database.close();
    // The lock went with the folder: it would hold nobody off.
    if (error instanceof Gone) this.#unlock();
    return memory;
  }

  #unlock(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }

  #returnToDisk(): void {
    const place = this.#place;
    if (place.kind === 'disk' || performance.now() - this.#triedAt < this.#options.retryAfter) return;
    this.#tryDisk(place);
    this.#triedAt = performance.now();
  }

  #tryDisk(place: InMemory): void {
    try {
      const opened = this.#openFile();
      this.#place = opened.ok
        ? handedOver(place, opened.value)
        : { ...place, why: this.#inMemoryAlone(opened.error.message) };
    } catch (error) {
      this.#place = { ...place, why: this.#inMemoryAlone(error) };
    }
  }

  #trim(now: number): void {
    const { retention, trimAfter } = this.#options;
    if (performance.now() - this.#trimmedAt < trimAfter) return;
    const room = this.#place.kind === 'disk' ? retention.size : Math.min(retention.size, memoryRoom);
    const isMore = this.#use((database) => trimHistory(database, { ...retention, size: room }, now));
    if (!isMore) this.#trimmedAt = performance.now();
  }
}

function databaseOf(place: OnDisk | InMemory): Database {
  return place.kind === 'disk' ? place.file.database : place.database;
}

/** Writes what memory holds, and ends it. */
function handedOver({ database, whole }: InMemory, file: StateFile): OnDisk {
  try {
    if (whole) replaceRows(database, file.database);
    else addRows(database, file.database);
  } catch (error) {
    file.database.close();
    throw error;
  }
  database.close();
  return { kind: 'disk', file };
}
