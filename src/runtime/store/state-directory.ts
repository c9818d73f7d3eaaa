import { chmodSync, chownSync, closeSync, fchownSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Lock of one daemon on its folder. */
export interface FolderLock {
  readonly release: () => void;
}

/**
 * Locks a folder for this process, or throws if another process has the lock. Node cannot lock files but SQLite can: an open
 * transaction on a file next to the database lasts as long as the process, and ends with it even after a crash.
 */
export function lockFolder(folder: string): FolderLock {
  const path = lockPath(folder);
  makeDaemonFile(path);
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    throw error;
  }
  return { release: () => connection.close() };
}

/** Returns the path of the file that a daemon locks. The file is missing if no daemon has run in the folder. */
export function lockPath(folder: string): string {
  return join(folder, 'lock');
}

/** Creates a missing folder for its owner only, durably, so that it outlasts a power failure. */
export function makeFolder(path: string): void {
  const first = createMissing(resolve(path));
  if (first !== undefined) syncPath(dirname(first));
}

/**
 * Creates missing folders and returns the topmost of them. The recursion of Node does not end if an existing folder
 * rejects new entries with ENOENT, as below /proc, an automount, or a removed working directory.
 */
function createMissing(path: string): string | undefined {
  try {
    mkdirSync(path, { mode: 0o700 });
    asOwnerOf(dirname(path), ({ uid, gid }) => chownSync(path, uid, gid));
    return path;
  } catch (error) {
    if (isFolder(path)) return undefined;
    const isMissingAbove = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissingAbove || isFolder(dirname(path))) throw error;
  }
  const above = createMissing(dirname(path));
  const here = createMissing(path);
  return above ?? here;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Creates a missing file, empty and with the mode 0600. SQLite gives its other files the mode and the owner
 * of the database. Errors are ignored: SQLite reports a file that cannot be created, and the file of another owner keeps its mode.
 */
export function makePrivateFile(path: string, give: (file: number) => void = () => undefined): void {
  // An existing file is not opened: closing it would release the locks that this process has on it.
  attempt(() => {
    const file = openSync(path, 'ax', 0o600);
    give(file);
    closeSync(file);
  });
  attempt(() => chmodSync(path, 0o600));
}

/** Creates a missing private file that belongs to the owner of the folder, so that the daemon can use it. */
export function makeDaemonFile(path: string): void {
  makePrivateFile(path, (file) => asOwnerOf(dirname(path), ({ uid, gid }) => fchownSync(file, uid, gid)));
}

/** Calls `give` with the owner of the folder if this process runs as root, so that the user of the daemon can use new files. */
function asOwnerOf(folder: string, give: (owner: { readonly uid: number; readonly gid: number }) => void): void {
  if (process.getuid?.() === 0) attempt(() => give(statSync(folder)));
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // SQLite fails as well, or works with the mode that the file has.
  }
}

/** Flushes a file, or the entries of a folder, to the disk. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
