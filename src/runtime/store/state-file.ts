import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { StoreOpenError } from '../../kernel/store.ts';
import type { Millis } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { Database } from './database.ts';
import { type CopyPoint, copyDatabase } from './database-copy.ts';
import { latestMigration } from './migration-records.ts';
import { type MigrationSteps, migrate, schemaMismatch, schemaVersionOf } from './migrations.ts';
import {
  DatabaseDamaged,
  DatabaseMissing,
  DatabaseNotCopied,
  isUnreadableDatabase,
  messageOf,
} from './sqlite-errors.ts';
import { makeDaemonFile } from './state-directory.ts';

/** The database of a folder, open for reading and writing. */
export interface StateFile {
  readonly database: Database;
  /** Set if the existing file was unusable: its new path, and the reason as a sentence. */
  readonly movedAside: string | undefined;
  /** Throws if the file no longer exists: a write to a deleted file succeeds and is lost. */
  readonly verifyLocation: () => void;
}

/** Step of a migration after which a crash is tested. */
export type MigrationPoint = CopyPoint | 'copy finished' | 'migrated' | 'older copies removed';

/** Options of a state file. */
export interface StateFileOptions {
  readonly steps: MigrationSteps;
  /** Release of this program, which the database records. */
  readonly program?: string | undefined;
  /** Called after each step of a migration. */
  readonly reached?: ((point: MigrationPoint) => void) | undefined;
}

/** Timeout for the lock of another process, such as a manual query. */
const busyTimeout: Millis = 5000;

/** Marks the file as ours, `GWRD`. */
export const applicationId = 0x47_57_52_44;

/** Returns the path of the database in a folder. */
export function stateFilePath(folder: string): string {
  return join(folder, 'state.db');
}

/** Returns the path of the copy that is made before the migration of a database from this version. */
function migrationCopyPath(path: string, version: number): string {
  return `${path}.version-${version}.backup`;
}

/** Opens the database of an existing folder; creates or migrates it if necessary. Throws errors of the disk. */
export function openStateFile(folder: string, options: StateFileOptions): Result<StateFile, StoreOpenError> {
  const path = stateFilePath(folder);
  try {
    return openVerified(path, options, undefined);
  } catch (error) {
    if (!isUnreadableDatabase(error)) throw error;
    const sentence = `'${path}' could not be read: ${messageOf(error)}`;
    return openVerified(
      path,
      options,
      `${sentence}; it was moved to '${moveAside(path)}' and an empty one was created`,
    );
  }
}

function openVerified(
  path: string,
  options: StateFileOptions,
  movedAside: string | undefined,
): Result<StateFile, StoreOpenError> {
  // First, so that its identity is known before SQLite opens it: a folder that is mounted over this one meanwhile has
  // another file at this path.
  makeDaemonFile(path);
  const verifyLocation = fileIdentity(path);
  const database = new Database(new DatabaseSync(path, { timeout: busyTimeout }));
  try {
    verifyContents(database);
    const refusal = unsupportedVersion(database, path, options.steps);
    if (refusal !== undefined) {
      database.close();
      return err(refusal);
    }
    // SQLite opens the write-ahead log by its path: that of another folder must not be used with this file.
    verifyLocation();
    const copy = copyBeforeMigration(database, path, options);
    configure(database);
    verifyLocation();
    migrateFile(database, { ...options, path, copy });
    return ok({ database, movedAside, verifyLocation });
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Copies a database that must be migrated, before anything is written to it. The copy is kept until the next migration. */
function copyBeforeMigration(database: Database, path: string, options: StateFileOptions): string | undefined {
  const { steps, reached } = options;
  const version = schemaVersionOf(database);
  if (version === 0 || version === steps.length) return undefined;
  const copy = migrationCopyPath(path, version);
  try {
    copyDatabase(database, copy, reached);
    reached?.('copy finished');
    return copy;
  } catch (error) {
    if (isUnreadableDatabase(error)) throw error;
    throw new DatabaseNotCopied(
      `it was not migrated from schema version ${version} to ${steps.length}, because its copy '${copy}' cannot be written: ${messageOf(error)}`,
    );
  }
}

interface MigratedFile extends StateFileOptions {
  readonly path: string;
  readonly copy: string | undefined;
}

function migrateFile(database: Database, { steps, program = '', reached, path, copy }: MigratedFile): void {
  if (schemaVersionOf(database) === steps.length) return;
  migrate(database, steps, { program, at: Date.now() });
  reached?.('migrated');
  if (copy !== undefined) removeOlderCopies(path, copy);
  reached?.('older copies removed');
}

/** Removes the copies of earlier migrations. */
function removeOlderCopies(path: string, latest: string): void {
  for (const { file } of migrationCopies(path)) if (file !== latest) rmSync(file, { force: true });
}

/** Returns the copies next to a database, the newest version first. */
function migrationCopies(path: string): readonly { readonly file: string; readonly version: number }[] {
  return readdirSync(dirname(path))
    .flatMap((name) => {
      const file = join(dirname(path), name);
      const version = Number(/\.version-(\d{1,6})\.backup$/.exec(name)?.[1]);
      return file === migrationCopyPath(path, version) ? [{ file, version }] : [];
    })
    .toSorted((one, other) => other.version - one.version);
}

/** Checks the file without changing it, so that an unusable or newer file stays as it is. */
function verifyContents(database: Database): void {
  const [found] = database.texts('PRAGMA quick_check(1)');
  if (found !== 'ok' || schemaVersionOf(database) < 0) throw new DatabaseDamaged(found);
}

function configure(database: Database): void {
  // The first pragma only takes effect in a database without tables; the second is stored in the file.
  database.run('PRAGMA auto_vacuum = INCREMENTAL', 'PRAGMA journal_mode = WAL', 'PRAGMA synchronous = FULL');
  database.run(`PRAGMA journal_size_limit = ${16 * 1024 * 1024}`);
  // Writes at each opening, because only a write shows whether the file is writable.
  database.run(`PRAGMA application_id = ${applicationId}`);
}

/** Returns why the database is refused: a newer release wrote it, or a development version before the first release. */
function unsupportedVersion(database: Database, path: string, steps: MigrationSteps): StoreOpenError | undefined {
  const file = `'${path}' has schema version ${schemaVersionOf(database)}`;
  if (schemaVersionOf(database) > steps.length) {
    const { program = '' } = latestMigration(database) ?? {};
    const release = `a newer release${program === '' ? '' : ` (${program})`}`;
    const message = `${file} and was written by ${release}; this one supports version ${steps.length}. ${downgradeAdvice(path, steps.length)}`;
    return { kind: 'newer', message };
  }
  const mismatch = schemaMismatch(database, steps);
  if (mismatch === undefined) return undefined;
  const message = `${file} but the tables of a development version, which cannot be migrated (${mismatch}); move it away to start with an empty state`;
  return { kind: 'older', message };
}

/** Returns the advice for a database that is too new for this program. */
function downgradeAdvice(path: string, supported: number): string {
  const copy = migrationCopies(path).find(({ version }) => version <= supported);
  if (copy === undefined) return 'Start the newer release, or move the file away to start with an empty state';
  // Absolute paths, because the operator runs the command in another directory than the daemon.
  const [file, folder] = [resolve(copy.file), resolve(dirname(path))].map(shellWord);
  const command = `graphwarden state restore ${file} --state-dir ${folder}`;
  return `Start the newer release, or return to the copy of version ${copy.version} from before its migration: ${command}`;
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function moveAside(path: string): string {
  const aside = stampedPath(path, 'corrupt');
  renameSync(path, aside);
  // SQLite would apply the write-ahead log of the old database to the new one.
  for (const ending of ['-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
  return aside;
}

/** Returns the path under which a database is kept: its own path, a reason and the current time. */
export function stampedPath(path: string, reason: 'corrupt' | 'replaced'): string {
  return `${path}.${reason}-${formatTimestamp(Date.now()).replaceAll(/[:.]/g, '-')}`;
}

function fileIdentity(path: string): () => void {
  const inode = (): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
  const first = inode();
  return () => {
    if (inode() !== first) throw new DatabaseMissing('the database was deleted or replaced');
  };
}
