import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { fileErrorMessage } from '../files.ts';

/** Error of a path that does not name a regular file, as a sentence. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

const kinds: readonly (readonly [is: (stats: Stats) => boolean, name: string])[] = [
  [(stats) => stats.isSymbolicLink(), 'a symbolic link; name the file that it points to'],
  [(stats) => stats.isDirectory(), 'a directory'],
  [(stats) => stats.isFIFO(), 'a named pipe'],
  [(stats) => stats.isSocket(), 'a socket'],
  [(stats) => stats.isCharacterDevice() || stats.isBlockDevice(), 'a device'],
];

/** Runs work on a regular file, open for reading. Follows no link, and never waits for a writer. */
export function withPlainFile<T>(path: string, work: (file: number, stats: Stats) => T): T {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: number | undefined;
  try {
    verifyPlain(path, lstatSync(path));
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile(`cannot read '${path}': ${fileErrorMessage(error)}`);
  }
  try {
    const stats = fstatSync(file);
    verifyPlain(path, stats);
    return work(file, stats);
  } finally {
    closeSync(file);
  }
}

function verifyPlain(path: string, stats: Stats): void {
  const [, name] = kinds.find(([is]) => is(stats)) ?? [];
  if (name !== undefined) throw new UnreadableFile(`cannot read '${path}': it is ${name}`);
}
