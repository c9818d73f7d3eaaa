/** SQLite's own result codes; the extended ones have these in their lowest byte. */
const codes = { perm: 3, busy: 5, locked: 6, noMemory: 7, readOnly: 8, ioError: 10, corrupt: 11, full: 13 } as const;
const cannotOpen = 14;
const protocol = 15;
const noDatabase = 26;

const diskErrorCodes: ReadonlySet<number> = new Set([...Object.values(codes), cannotOpen, protocol, noDatabase]);

const messages: Readonly<Record<number, string>> = {
  [codes.perm]: 'permission denied',
  [codes.busy]: 'another program has locked the database',
  [codes.readOnly]: 'the database is read-only',
  [codes.ioError]: 'the disk could not be read or written',
  [codes.corrupt]: 'the database is damaged',
  [codes.full]: 'the disk is full',
  [cannotOpen]: 'the database cannot be opened',
  [noDatabase]: 'not a database',
};

const systemErrorMessages: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'a part of the path is missing',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'not a directory',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Error of a database that failed the check, with the error code that SQLite uses. */
export class DatabaseDamaged extends Error {
  override readonly name = 'DatabaseDamaged';
  readonly errcode = codes.corrupt;
}

/** Error of a database whose file was moved or deleted. */
export class DatabaseMissing extends Error {
  override readonly name = 'DatabaseMissing';
  readonly errcode = cannotOpen;
}

/** Error of a copy that could not be made. The database itself is unchanged. */
export class DatabaseNotCopied extends Error {
  override readonly name = 'DatabaseNotCopied';
}

/** Returns whether an error concerns the file or the disk, and not one batch or query. */
export function isDiskError(error: unknown): boolean {
  return diskErrorCodes.has(codeOf(error)) || systemCodeOf(error) in systemErrorMessages;
}

/** Returns whether an error means that the file is damaged or not a database. */
export function isUnreadableDatabase(error: unknown): boolean {
  const code = codeOf(error);
  return code === codes.corrupt || code === noDatabase;
}

/** Returns whether another connection has locked the database. */
export function isDatabaseLocked(error: unknown): boolean {
  const code = codeOf(error);
  return code === codes.busy || code === codes.locked;
}

/** Returns the message of an error. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return messages[codeOf(error)] ?? systemErrorMessages[systemCodeOf(error)] ?? message;
}

function codeOf(error: unknown): number {
  const code: unknown = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  // The extended codes of SQLite are 32 bits, of which the lowest eight are the plain one.
  return typeof code === 'number' ? code % 256 : -1;
}

function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
