import { renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { StoreOpenError } from '../../kernel/store.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { Database } from './database.ts';
import { type MigrationSteps, migrate, schemaMismatch, schemaVersionOf } from './migrations.ts';
import { DatabaseDamaged, DatabaseMissing, isUnreadableDatabase, messageOf } from './sqlite-errors.ts';
import { makePrivateFile, syncPath } from './state-folder.ts';

/** The database of a folder, open for reading and writing. */
export interface StateFile {
  readonly database: Database;
  /** Set if the existing file was unusable: its new path, and the reason as a sentence. */
  readonly movedAside: string | undefined;
  /** Throws if the file no longer exists: a write to a deleted file succeeds and is lost. */
  readonly verifyLocation: () => void;
}

/** Timeout for the lock of another process, such as a manual query. */
const busyTimeout = 5000;

/** Marks the file as ours, `GWRD`. */
const applicationId = 0x47_57_52_44;

/** The file of a folder's database. */
export function stateFilePath(folder: string): string {
  return join(folder, 'state.db');
}

/** Opens the database of an existing folder; creates or migrates it if necessary. Throws errors of the disk. */
export function openStateFile(folder: string, steps: MigrationSteps): Result<StateFile, StoreOpenError> {
  const path = stateFilePath(folder);
  try {
    return openVerified(path, steps, undefined);
  } catch (error) {
    if (!isUnreadableDatabase(error)) throw error;
    const sentence = `'${path}' could not be read: ${messageOf(error)}`;
    return openVerified(path, steps, `${sentence}; it was moved to '${moveAside(path)}' and an empty one was created`);
  }
}

function openVerified(
  path: string,
  steps: MigrationSteps,
  movedAside: string | undefined,
): Result<StateFile, StoreOpenError> {
  // First, so that its identity is known before SQLite opens it: a folder that is mounted over this one meanwhile has
  // another file at this path.
  makePrivateFile(path);
  const verifyLocation = fileIdentity(path);
  const database = new Database(new DatabaseSync(path, { timeout: busyTimeout }));
  try {
    const version = verifiedVersion(database);
    const refusal = unsupportedVersion(database, path, steps);
    if (refusal !== undefined) {
      database.close();
      return err(refusal);
    }
    // SQLite opens the write-ahead log by its path: that of another folder must not be used with this file.
    verifyLocation();
    configure(database);
    verifyLocation();
    if (version > 0 && version < steps.length) backUp(database, `${path}.version-${version}.backup`);
    migrate(database, steps);
    return ok({ database, movedAside, verifyLocation });
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Checks the file without changing it, so that an unusable or newer file stays as it is. */
function verifiedVersion(database: Database): number {
  const [found] = database.texts('PRAGMA quick_check(1)');
  const version = schemaVersionOf(database);
  if (found !== 'ok' || version < 0) throw new DatabaseDamaged(found);
  return version;
}

function configure(database: Database): void {
  // The first takes effect in a database without tables alone, the second is kept in the file.
  database.run('PRAGMA auto_vacuum = INCREMENTAL', 'PRAGMA journal_mode = WAL', 'PRAGMA synchronous = FULL');
  database.run(`PRAGMA journal_size_limit = ${16 * 1024 * 1024}`);
  // Writes at each opening, because only a write shows whether the file is writable.
  database.run(`PRAGMA application_id = ${applicationId}`);
}

/** Returns why the database is refused: a newer program wrote it, or one that is older than the first schema version. */
function unsupportedVersion(database: Database, path: string, steps: MigrationSteps): StoreOpenError | undefined {
  const file = `'${path}' has schema version ${schemaVersionOf(database)}`;
  if (schemaVersionOf(database) > steps.length) {
    const message = `${file} and was written by a newer release; this one supports version ${steps.length}`;
    return { kind: 'newer', message };
  }
  const mismatch = schemaMismatch(database, steps);
  if (mismatch === undefined) return undefined;
  const message = `${file} but the tables of a development version, which cannot be migrated (${mismatch}); move it away to start with an empty state`;
  return { kind: 'older', message };
}

/** Makes a complete copy; after a crash, either all of it exists or none. */
function backUp(database: Database, path: string): void {
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { force: true });
  makePrivateFile(unfinished);
  database.run(`VACUUM INTO '${unfinished.replaceAll("'", "''")}'`);
  syncPath(unfinished);
  renameSync(unfinished, path);
  syncPath(dirname(path));
}

function moveAside(path: string): string {
  const stamp = formatTimestamp(Date.now()).replaceAll(/[:.]/g, '-');
  const aside = `${path}.corrupt-${stamp}`;
  renameSync(path, aside);
  // Its log belongs to it: beside a fresh database it would be taken for that one's.
  for (const ending of ['-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
  return aside;
}

function fileIdentity(path: string): () => void {
  const inode = (): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
  const first = inode();
  return () => {
    if (inode() !== first) throw new DatabaseMissing('the database was deleted or replaced');
  };
}
