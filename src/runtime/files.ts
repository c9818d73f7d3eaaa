import { type FileHandle, lstat, open, stat, writeFile } from 'node:fs/promises';
import { err, ok, type Result } from '../kernel/result.ts';
import type { CreateFile, FilePresence, Files } from '../kernel/system.ts';

/** The most bytes that a configuration or secret file may have; a device or a wrong path must not fill the memory. */
export const maxFileBytes = 16 * 1024 * 1024;

const errorMessages: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'the file already exists; it was not changed',
  ELOOP: 'too many symbolic links',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Files of this machine. */
export const systemFiles: Files = { readText, stamp: fileStamp, presence: filePresence };

/** Writes a file that must not exist yet, readable by its owner and group alone: it may come to hold secrets. */
export const createFile: CreateFile = async (path, text) => {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o640 });
    return ok(undefined);
  } catch (error) {
    return err(`cannot create '${path}': ${fileErrorMessage(error)}`);
  }
};

async function readText(path: string): Promise<Result<string, string>> {
  try {
    await using file = await open(path, 'r');
    return decodeText(path, await readStart(file));
  } catch (error) {
    return err(`cannot read '${path}': ${fileErrorMessage(error)}`);
  }
}

/** Reads one byte more than is allowed, to distinguish a file of the maximum size from a larger one. */
async function readStart(file: FileHandle): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.createReadStream({ end: maxFileBytes, autoClose: false })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function decodeText(path: string, bytes: Uint8Array): Result<string, string> {
  if (bytes.length > maxFileBytes) return err(`cannot read '${path}': it is larger than ${maxFileBytes} bytes`);
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return err(`cannot read '${path}': it is not UTF-8 text`);
  }
}

async function fileStamp(path: string): Promise<string | undefined> {
  try {
    // A swapped symbolic link (a mounted secret) shows in the inode, a rewrite in size or times.
    const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
    return [size, mtimeNs, ctimeNs, ino].join('-');
  } catch {
    return undefined;
  }
}

/** A symbolic link is there, even where it leads nowhere. */
async function filePresence(path: string): Promise<FilePresence> {
  try {
    await lstat(path);
    return 'there';
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'absent' : 'unreadable';
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Returns the message for a failed call of the file system. */
export function fileErrorMessage(error: unknown): string {
  const code = errorCode(error);
  return errorMessages[code] ?? (code === '' ? 'unexpected error' : code);
}
