import {
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { StateBackup, StateReport, StateRestore, StateTools } from '../../kernel/state-tools.ts';
import { Database } from './database.ts';
import { copyDatabase } from './database-copy.ts';
import { type MigrationSteps, migrations, schemaVersionOf } from './migrations.ts';
import { UnreadableFile, withPlainFile } from './plain-file.ts';
import { readOnlyUri } from './read-only-database.ts';
import { isDatabaseLocked, messageOf } from './sqlite-errors.ts';
import { checkDatabaseFile, unusableReason } from './state-check.ts';
import { type FolderLock, lockFolder, lockPath, makeDaemonFile, makeFolder, syncPath } from './state-directory.ts';
import { stampedPath, stateFilePath } from './state-file.ts';

/** Options of the tools. */
export interface StateToolOptions {
  readonly steps: MigrationSteps;
  /** Ms since the epoch. */
  readonly now: () => number;
  /** Called after each step of a restore, after which a crash is tested. */
  readonly reached?: (point: 'copied' | 'checked' | 'kept' | 'replaced') => void;
  /** Standard output. */
  readonly stdout: NodeJS.WritableStream;
}

const systemOptions: StateToolOptions = { steps: migrations, now: Date.now, stdout: process.stdout };
const chunkBytes = 1024 * 1024;

/** Tools for the files of state directories. */
export function stateTools(options: StateToolOptions = systemOptions): StateTools {
  return {
    backup: (folder, file) =>
      attempt(() => (file === '-' ? streamBackup(folder, options) : Promise.resolve(backUp(folder, file)))),
    restore: (folder, file) => attempt(async () => restore(folder, file, options)),
    checkFolder: (folder) => attempt(async () => checkFolder(folder, options)),
    checkFile: (file) => attempt(async () => checkDatabaseFile(file, { ...options, now: options.now() })),
  };
}

async function attempt<T>(work: () => Promise<T>): Promise<Result<T, string>> {
  try {
    return ok(await work());
  } catch (error) {
    return err(messageOf(error));
  }
}

function backUp(folder: string, file: string): StateBackup {
  if (exists(file)) throw new Error(`cannot write '${file}': the file already exists; it was not changed`);
  const schemaVersion = copyState(folder, file);
  return { file, bytes: statSync(file).size, schemaVersion };
}

/** Writes a copy to the standard output, because a container without a shell has no other way to export a file. */
async function streamBackup(folder: string, { stdout }: StateToolOptions): Promise<StateBackup> {
  const file = join(folder, 'state.db.streamed');
  try {
    const schemaVersion = copyState(folder, file);
    const { size } = statSync(file);
    await pipeline(createReadStream(file), stdout, { end: false });
    // The process must not exit before the reader has all bytes.
    await new Promise<void>((resolve, reject) => {
      stdout.write('', (error) => (error ? reject(error) : resolve()));
    });
    return { file: '-', bytes: size, schemaVersion };
  } finally {
    rmSync(file, { force: true });
  }
}

/** Copies the database of a folder and returns its schema version. No daemon starts meanwhile; one that runs continues. */
function copyState(folder: string, file: string): number {
  const path = stateFilePath(folder);
  return withLock(folder, (isInUse) =>
    withPlainFile(path, () => {
      const database = new Database(
        new DatabaseSync(readOnlyUri(path, { isInUse }), { readOnly: true, timeout: 10_000 }),
      );
      try {
        const version = schemaVersionOf(database);
        if (version === 0) throw new Error('the database is empty');
        copyDatabase(database, file);
        return version;
      } catch (error) {
        throw new Error(`cannot copy '${path}' to '${file}': ${messageOf(error)}`, { cause: error });
      } finally {
        database.close();
      }
    }),
  );
}

function checkFolder(folder: string, { steps, now }: StateToolOptions): StateReport {
  return withLock(folder, (isInUse) => checkDatabaseFile(stateFilePath(folder), { steps, now: now(), isInUse }));
}

/**
 * Runs work with the lock of the folder, or without it while a daemon uses the folder or if the folder is read-only. Creates no
 * lock file in a folder without one, in which no daemon has run.
 */
function withLock<T>(folder: string, work: (isInUse: boolean) => T): T {
  if (!exists(stateFilePath(folder))) throw new UnreadableFile(`there is no database in '${folder}'`);
  let lock: FolderLock | undefined;
  let isInUse = false;
  try {
    lock = exists(lockPath(folder)) ? lockFolder(folder) : undefined;
  } catch (error) {
    isInUse = isDatabaseLocked(error);
  }
  try {
    return work(isInUse);
  } finally {
    lock?.release();
  }
}

function restore(folder: string, file: string, options: StateToolOptions): StateRestore {
  return withPlainFile(file, (source, stats) => {
    const path = stateFilePath(folder);
    verifySource(file, stats, path);
    const lock = lockUnusedFolder(folder);
    try {
      return replaceDatabase(path, source, { ...options, file });
    } finally {
      lock.release();
    }
  });
}

function verifySource(file: string, { dev, ino }: Stats, path: string): void {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new Error(
      `'${file}' is incomplete without '${file}-wal'; copy the database with \`graphwarden state backup\` instead`,
    );
  }
  const own = statSync(path, { throwIfNoEntry: false });
  if (own?.dev === dev && own.ino === ino)
    throw new Error(`'${file}' is the database of this state directory itself; name a copy`);
}

/** Locks a state directory for a command that changes it; throws an error for the operator if a daemon uses it. */
export function lockUnusedFolder(folder: string): FolderLock {
  try {
    makeFolder(folder);
    return lockFolder(folder);
  } catch (error) {
    const reason = isDatabaseLocked(error)
      ? `a daemon uses the state directory '${folder}'; stop it first`
      : `cannot use the state directory '${folder}': ${messageOf(error)}`;
    throw new Error(reason, { cause: error });
  }
}

interface RestoreOptions extends StateToolOptions {
  readonly file: string;
}

function replaceDatabase(path: string, source: number, { file, steps, now, reached }: RestoreOptions): StateRestore {
  const copy = `${path}.restored.unfinished`;
  try {
    writeCopy(source, copy);
    reached?.('copied');
    const report = checkDatabaseFile(copy, { steps, now: now() });
    const reason = unusableReason(report);
    if (reason !== undefined) throw new UnreadableFile(`'${file}' cannot be restored: ${reason}`);
    reached?.('checked');
    const replaced = exists(path) ? keepReplaced(path, stampedPath(path, 'replaced')) : undefined;
    reached?.('kept');
    renameSync(copy, path);
    syncPath(dirname(path));
    reached?.('replaced');
    return { file: path, schemaVersion: report.schemaVersion ?? 0, replaced };
  } catch (error) {
    rmSync(copy, { force: true });
    if (error instanceof UnreadableFile) throw error;
    throw new Error(`cannot restore '${file}' to '${path}': ${messageOf(error)}`, { cause: error });
  }
}

function writeCopy(source: number, path: string): void {
  rmSync(path, { force: true });
  makeDaemonFile(path);
  const target = openSync(path, 'w', 0o600);
  try {
    copyBytes(source, target);
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
}

function copyBytes(source: number, target: number): void {
  const chunk = Buffer.alloc(chunkBytes);
  for (let position = 0; ; ) {
    const length = readSync(source, chunk, 0, chunkBytes, position);
    if (length === 0) return;
    for (let written = 0; written < length; ) written += writeSync(target, chunk, written, length - written);
    position += length;
  }
}

/**
 * Creates a second link to the database and removes its write-ahead log, which SQLite would apply to the next database. Until
 * the next database replaces it, the path still leads to this one.
 */
function keepReplaced(path: string, kept: string): string {
  applyWriteAheadLog(path);
  try {
    linkSync(path, kept);
  } catch {
    // Some network file systems do not support hard links.
    copyFileSync(path, kept, constants.COPYFILE_EXCL);
  }
  for (const ending of ['-wal', '-shm']) {
    if (existsSync(`${path}${ending}`)) renameSync(`${path}${ending}`, `${kept}${ending}`);
  }
  syncPath(dirname(path));
  return kept;
}

/** Applies the write-ahead log of a killed daemon to the database. A damaged database keeps its log. */
function applyWriteAheadLog(path: string): void {
  let database: Database | undefined;
  try {
    database = new Database(new DatabaseSync(path, { timeout: 0 }));
    database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // The write-ahead log stays next to the database.
  } finally {
    database?.close();
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
