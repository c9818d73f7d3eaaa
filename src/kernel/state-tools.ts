import type { Result } from './result.ts';

/** Result of a check: after `failed`, a daemon cannot use the database, and the checks that follow are not made. */
export type StateCheckResult = 'ok' | 'warning' | 'failed';

/** One check of a state database. */
export interface StateCheck {
  readonly name: 'file' | 'connection' | 'program' | 'schema' | 'integrity' | 'bounds';
  readonly result: StateCheckResult;
  readonly detail: string;
}

/** Rows of a table. The times, in ms since the epoch, are those of the oldest and the newest row of a history. */
export interface StateTable {
  readonly name: string;
  readonly rows: number;
  readonly oldest?: number;
  readonly newest?: number;
}

/** Report about a state database. */
export interface StateReport {
  readonly file: string;
  readonly bytes: number;
  /** Undefined if the file is not a database. */
  readonly schemaVersion: number | undefined;
  /** Newest schema version of this program. */
  readonly supportedVersion: number;
  /** Release that created or migrated the database; undefined before version 8. */
  readonly program: string | undefined;
  readonly checks: readonly StateCheck[];
  /** Empty if a check failed. */
  readonly tables: readonly StateTable[];
}

/** Copy of a state database. */
export interface StateBackup {
  /** Path of the copy; `-` for the standard output. */
  readonly file: string;
  readonly bytes: number;
  readonly schemaVersion: number;
}

/** Database that was restored. */
export interface StateRestore {
  /** Path of the database. */
  readonly file: string;
  readonly schemaVersion: number;
  /** Path of the database that it replaced; undefined if there was none. */
  readonly replaced: string | undefined;
}

/** Port to the files of a state directory, with or without a running daemon. Errors are sentences. */
export interface StateTools {
  /** Copies the database to a new file, or with `-` to the standard output. */
  backup(folder: string, file: string): Promise<Result<StateBackup, string>>;
  /** Replaces the database by a copy. Refused while a daemon uses the directory. */
  restore(folder: string, file: string): Promise<Result<StateRestore, string>>;
  /** Checks the database of a directory. */
  checkFolder(folder: string): Promise<Result<StateReport, string>>;
  /** Checks one file. */
  checkFile(file: string): Promise<Result<StateReport, string>>;
}
