import { chmodSync, chownSync, closeSync, fchownSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The hold of one daemon on its folder. */
export interface FolderLock {
  readonly release: () => void;
}

/**
 * Takes a folder for this process, or throws where another has it. Node cannot lock files but SQLite can: an open
 * transaction on a file beside the database lasts as long as the process, and ends with it however it dies.
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

/** File that a daemon locks; absent where none ever ran. */
export function lockPath(folder: string): string {
  return join(folder, 'lock');
}

/** Makes a folder where there is none, for its owner alone, and sees to it that a power cut leaves it there. */
export function makeFolder(path: string): void {
  const first = createMissing(resolve(path));
  if (first !== undefined) syncPath(dirname(first));
}

/**
 * Makes what is missing and gives the topmost of it. Node's own recursion never ends where a folder is there and
 * takes no new entries with ENOENT, as below /proc, an automount, or a working directory that was removed.
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
 * Makes an empty file where there is none, and gives it the mode 0600. SQLite gives its other files the mode and the owner
 * of the database. SQLite reports a file that cannot be created, and the file of another owner keeps its mode.
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

/** Makes such a file that the daemon of the folder uses. */
export function makeDaemonFile(path: string): void {
  makePrivateFile(path, (file) => asOwnerOf(dirname(path), ({ uid, gid }) => fchownSync(file, uid, gid)));
}

/** What root creates for a daemon belongs to the owner of the folder: otherwise the user of the daemon could not use it. */
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

/** Makes sure that a file, or the entries of a folder, are on the disk and not on their way to it. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
