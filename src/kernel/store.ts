import type { Result } from './result.ts';
import type { Millis } from './time.ts';

/** Value of a column. Times are ms since the epoch, booleans are 0 and 1. */
export type ColumnValue = string | number | null;

/** Row by column name. Rows from a store are untrusted, like any file: a schema must accept them. */
export type Row = Readonly<Record<string, ColumnValue>>;

/** One change of durable state. */
export type StoreChange =
  /** Inserts the row, or replaces the one with the same primary key. */
  | { readonly table: string; readonly put: Row }
  /**
   * Deletes the rows that have these values. `cluster` is the cluster that the rows belong to, if `drop` does not contain
   * it: a store that several replicas share accepts changes of a cluster from its owner only.
   */
  | { readonly table: string; readonly drop: Row; readonly cluster?: string };

/** Condition on one column. */
export interface StoreCondition {
  readonly column: string;
  readonly is: '=' | '<' | '<=' | '>' | '>=';
  readonly value: ColumnValue;
}

/** Rows to find. All conditions must hold. */
export interface StoreQuery {
  readonly table: string;
  /** Columns of the rows; all by default. */
  readonly columns?: readonly string[];
  readonly where?: readonly StoreCondition[];
  /** Columns to order by; a leading `-` means descending order. */
  readonly order?: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
}

/** Reads of a store. Errors are sentences: the caller continues without the rows. */
export interface StoreReader {
  find(query: StoreQuery): Promise<Result<readonly Row[], string>>;
  /** Returns the number of rows of a query without its limit and offset. */
  count(query: StoreQuery): Promise<Result<number, string>>;
}

/** Aggregation in the thread that reads the rows, so that only its few result rows are copied. `input` is plain data. */
export interface Summary {
  readonly name: string;
  readonly compute: (rows: Iterable<Row>, input: unknown) => readonly Row[];
}

/** Reads of history, which may take long: none of them delays a commit, or a read of the store itself. */
export interface HistoryReader extends StoreReader {
  /** Most rows that a summary reads. */
  readonly maxSummaryRows: number;
  summarize(summary: Summary, query: StoreQuery, input: unknown): Promise<Result<readonly Row[], string>>;
}

/** Time after which a read of history is canceled. */
export const historyTimeout: Millis = 5000;

/** `urgent`: committed before waiting batches, unless these change the same tables. */
export type CommitPriority = 'normal' | 'urgent';

/**
 * Port to durable state. One batch is one transaction, on disk when the promise resolves successfully; batches that
 * change the same table are committed in order. Errors are sentences: the caller continues without durability.
 */
export interface Store extends StoreReader {
  /** False while writes fail: no folder, a full or a read-only disk. */
  readonly durable: boolean;
  /** Problem with the store when it was opened or since, for operators; undefined if there is none. */
  readonly problem: string | undefined;
  /** An unreadable database was moved aside at this start: earlier state is lost. */
  readonly wasRecreated: boolean;
  /**
   * How often rows of the state directory were merged with rows that were kept in memory. When it changes, the store has
   * current rows that the process has not read.
   */
  readonly mergeCount: number;
  commit(changes: readonly StoreChange[], priority?: CommitPriority): Promise<Result<void, string>>;
  /** History, for clients of the API. */
  readonly history: HistoryReader;
  /** Closes the store after all earlier writes. */
  close(): Promise<void>;
}

/** Retention of stored rows, by age and size. */
export interface Retention {
  readonly transitions: number;
  readonly audit: number;
  readonly notifications: number;
  /** Bytes of the database; the oldest rows are deleted first. */
  readonly size: number;
}

/** Reason not to start: another daemon holds the folder, the database has a format that this program does not support, or PostgreSQL cannot be used. */
export interface StoreOpenError {
  readonly kind: 'locked' | 'newer' | 'older' | 'unavailable';
  readonly message: string;
}

/**
 * Opens the store of a folder, or without a folder a store in memory. A corrupt, read-only or missing database does not
 * prevent the start.
 */
export type OpenStore = (options: {
  readonly folder?: string;
  readonly retention: Retention;
}) => Promise<Result<Store, StoreOpenError>>;
