import type { Result } from './result.ts';

/** A value of a column. Times are ms since the epoch, truths are 0 and 1. */
export type Cell = string | number | null;

/** A row by its columns' names. What comes back from a store is as hostile as any file: a schema has to accept it. */
export type Row = Readonly<Record<string, Cell>>;

/** One change of durable state. */
export type Change =
  /** Inserts the row, or replaces the one with the same primary key. */
  | { readonly table: string; readonly put: Row }
  /** Deletes the rows that have these values. */
  | { readonly table: string; readonly drop: Row };

/** A condition on one column. */
export interface Condition {
  readonly column: string;
  readonly is: '=' | '<' | '<=' | '>' | '>=';
  readonly value: Cell;
}

/** Which rows to find. All conditions have to hold. */
export interface Question {
  readonly table: string;
  readonly where?: readonly Condition[];
  /** Columns to order by; each may begin with `-` for the descending order. */
  readonly order?: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
}

/**
 * The port to durable state. One batch is one transaction, on disk when the promise resolves well; batches are
 * committed in the order in which they were given. Errors are sentences: the caller goes on without durability.
 */
export interface Store {
  /** False while nothing can be written: no folder, a full or read-only disk. */
  readonly durable: boolean;
  /** What happened to the store when it was opened or since, in words for an operator; undefined where all is well. */
  readonly trouble: string | undefined;
  /** An unreadable database was moved aside at this start: what was counted before is lost. */
  readonly begunAnew: boolean;
  commit(changes: readonly Change[]): Promise<Result<void, string>>;
  find(question: Question): Promise<Result<readonly Row[], string>>;
  /** How many rows a question would give without its limit and offset. */
  count(question: Question): Promise<Result<number, string>>;
  /** Ends after what was given before is written. */
  close(): Promise<void>;
}

/** How long and how large what was stored may become. */
export interface Retention {
  readonly transitions: number;
  readonly audit: number;
  readonly notifications: number;
  /** Bytes of the database; the oldest goes first. */
  readonly size: number;
}

/** A reason not to start: another daemon holds the folder, or the database was written by a newer program. */
export interface StoreRefusal {
  readonly kind: 'locked' | 'newer';
  readonly message: string;
}

/** Opens the store of a folder, or without one a store that lives as long as the process. What can be lived with (corrupt, read-only, missing) is no refusal. */
export type OpenStore = (options: {
  readonly folder?: string;
  readonly retention: Retention;
}) => Promise<Result<Store, StoreRefusal>>;
