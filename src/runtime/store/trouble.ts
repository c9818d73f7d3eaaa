/** SQLite's own result codes; the extended ones have these in their lowest byte. */
const codes = { perm: 3, busy: 5, locked: 6, noMemory: 7, readOnly: 8, ioError: 10, corrupt: 11, full: 13 } as const;
const cannotOpen = 14;
const protocol = 15;
const noDatabase = 26;

const ofTheDisk: ReadonlySet<number> = new Set([...Object.values(codes), cannotOpen, protocol, noDatabase]);

const sentences: Readonly<Record<number, string>> = {
  [codes.perm]: 'permission denied',
  [codes.busy]: 'another program holds the database',
  [codes.readOnly]: 'it cannot be written',
  [codes.ioError]: 'the disk could not be read or written',
  [codes.corrupt]: 'the database is damaged',
  [codes.full]: 'the disk is full',
  [cannotOpen]: 'it cannot be opened',
  [noDatabase]: 'it is no database',
};

const system: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'a part of the path is missing',
  ENOTDIR: 'a part of the path is no folder',
  EEXIST: 'it is no folder',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** The trouble of a database that was looked at and found to be damaged, in the way in which SQLite tells it. */
export class Damaged extends Error {
  override readonly name = 'Damaged';
  readonly errcode = codes.corrupt;
}

/** The trouble of a database that is no longer where it was opened. */
export class Gone extends Error {
  override readonly name = 'Gone';
  readonly errcode = cannotOpen;
}

/** Whether it is the file's or the disk's trouble, and not that of one batch or question. */
export function isOfTheDisk(error: unknown): boolean {
  return ofTheDisk.has(codeOf(error)) || systemCodeOf(error) in system;
}

/** Whether the file itself is of no use any more. */
export function isUnreadable(error: unknown): boolean {
  const code = codeOf(error);
  return code === codes.corrupt || code === noDatabase;
}

/** Whether another connection holds what was asked for. */
export function isHeld(error: unknown): boolean {
  const code = codeOf(error);
  return code === codes.busy || code === codes.locked;
}

/** What is wrong, in words. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return sentences[codeOf(error)] ?? system[systemCodeOf(error)] ?? message;
}

function codeOf(error: unknown): number {
  const code: unknown = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  // The extended codes of SQLite are 32 bits, of which the lowest eight are the plain one.
  return typeof code === 'number' ? code % 256 : -1;
}

function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
