import { renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { StoreRefusal } from '../../kernel/store.ts';
import { Database } from './database.ts';
import { syncPath } from './durable-files.ts';
import { migrate, versionOf } from './migrate.ts';
import { Damaged, Gone, isUnreadable, sentenceOf } from './trouble.ts';

/** The steps of the schema, as the migrations have them. */
export type Steps = readonly (readonly string[])[];

/** The database of a folder, open for reading and writing. */
export interface StateFile {
  readonly database: Database;
  /** What stood there was of no use: where it was moved to and why, in words. */
  readonly movedAside: string | undefined;
  /** Throws when the file is no longer there: writing to a deleted one would go well and be lost. */
  readonly verifyPlace: () => void;
}

/** How long to wait for others who look at the database by hand. */
const patience = 5000;

/** Marks the file as ours, `GWRD`. */
const applicationId = 0x47_57_52_44;

/** The file of a folder's database. */
export function stateFileOf(folder: string): string {
  return join(folder, 'state.db');
}

/** Opens the database of a folder that is there, made or led to the newest version where that is due. Throws the disk's trouble. */
export function openStateFile(folder: string, steps: Steps): Result<StateFile, StoreRefusal> {
  const path = stateFileOf(folder);
  try {
    return opened(path, steps, undefined);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const sentence = `'${path}' could not be read: ${sentenceOf(error)}`;
    return opened(path, steps, `${sentence}; it was moved to '${moveAside(path)}' and a fresh one was begun`);
  }
}

function opened(path: string, steps: Steps, movedAside: string | undefined): Result<StateFile, StoreRefusal> {
  const database = new Database(new DatabaseSync(path, { timeout: patience }));
  try {
    const version = verifiedVersion(database);
    if (version > steps.length) {
      database.close();
      return err({ kind: 'newer', message: newerSentence(path, version, steps.length) });
    }
    prepare(database);
    if (version > 0 && version < steps.length) backUp(database, `${path}.version-${version}.backup`);
    migrate(database, steps);
    return ok({ database, movedAside, verifyPlace: placeOf(path) });
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Changes nothing: what is of no use or of a newer program stays as it was found. */
function verifiedVersion(database: Database): number {
  const [found] = database.texts('PRAGMA quick_check(1)');
  const version = versionOf(database);
  if (found !== 'ok' || version < 0) throw new Damaged(found);
  return version;
}

function prepare(database: Database): void {
  // The first takes effect in a database without tables alone, the second is kept in the file.
  database.run('PRAGMA auto_vacuum = INCREMENTAL', 'PRAGMA journal_mode = WAL', 'PRAGMA synchronous = FULL');
  database.run(`PRAGMA journal_size_limit = ${16 * 1024 * 1024}`);
  // Written at each opening, since only writing shows whether it can be written.
  database.run(`PRAGMA application_id = ${applicationId}`);
}

function newerSentence(path: string, version: number, known: number): string {
  return `'${path}' has version ${version} and was written by a newer program; this one knows version ${known}`;
}

/** A copy in full, that is there as a whole or not at all. */
function backUp(database: Database, path: string): void {
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { force: true });
  database.run(`VACUUM INTO '${unfinished.replaceAll("'", "''")}'`);
  syncPath(unfinished);
  renameSync(unfinished, path);
  syncPath(dirname(path));
}

function moveAside(path: string): string {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const aside = `${path}.corrupt-${stamp}`;
  renameSync(path, aside);
  // Its log belongs to it: beside a fresh database it would be taken for that one's.
  for (const ending of ['-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
  return aside;
}

function placeOf(path: string): () => void {
  const inode = (): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
  const first = inode();
  return () => {
    if (inode() !== first) throw new Gone('the database was deleted or replaced');
  };
}
