import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Makes a folder where there is none, for its owner and group alone, and sees to it that a power cut leaves it there. */
export function makeFolder(path: string): void {
  const first = firstMade(resolve(path));
  if (first !== undefined) syncPath(dirname(first));
}

/**
 * Makes what is missing and gives the topmost of it. Node's own recursion never ends where a folder is there and
 * takes no new entries with ENOENT, as below /proc, an automount, or a working directory that was removed.
 */
function firstMade(path: string): string | undefined {
  try {
    mkdirSync(path, { mode: 0o750 });
    return path;
  } catch (error) {
    if (isFolder(path)) return undefined;
    const isMissingAbove = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissingAbove || isFolder(dirname(path))) throw error;
  }
  const above = firstMade(dirname(path));
  const here = firstMade(path);
  return above ?? here;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
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
