import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a folder where there is none, for its owner and group alone, and sees to it that a power cut leaves it there. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o750 });
  if (first !== undefined) syncPath(dirname(first));
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
