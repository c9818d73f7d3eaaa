import { type FileHandle, lstat, open, stat, writeFile } from 'node:fs/promises';
import type { CreateFile } from '../kernel/process.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Files, Presence } from '../kernel/system.ts';

/** The most bytes that a configuration or secret file may have; a device or a wrong path must not fill the memory. */
export const largestFile = 16 * 1024 * 1024;

const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is no directory',
  EEXIST: 'it exists already and is left as it is',
  ELOOP: 'too many symbolic links',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Files of this machine. */
export const systemFiles: Files = { readText, stamp, presence };

/** Writes a file that must not exist yet, readable by its owner and group alone: it may come to hold secrets. */
export const createFile: CreateFile = async (path, text) => {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o640 });
    return ok(undefined);
  } catch (error) {
    return err(`cannot create '${path}': ${reason(error)}`);
  }
};

async function readText(path: string): Promise<Result<string, string>> {
  try {
    await using file = await open(path, 'r');
    return decoded(path, await start(file));
  } catch (error) {
    return err(`cannot read '${path}': ${reason(error)}`);
  }
}

/** Reads one byte more than is allowed, so that too much can be told from just enough. */
async function start(file: FileHandle): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.createReadStream({ end: largestFile, autoClose: false })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function decoded(path: string, bytes: Uint8Array): Result<string, string> {
  if (bytes.length > largestFile) return err(`cannot read '${path}': it is larger than ${largestFile} bytes`);
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return err(`cannot read '${path}': it is not UTF-8 text`);
  }
}

async function stamp(path: string): Promise<string | undefined> {
  try {
    // A swapped symbolic link (a mounted secret) shows in the inode, a rewrite in size or times.
    const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
    return [size, mtimeNs, ctimeNs, ino].join('-');
  } catch {
    return undefined;
  }
}

/** A symbolic link is there, even where it leads nowhere. */
async function presence(path: string): Promise<Presence> {
  try {
    await lstat(path);
    return 'there';
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'absent' : 'unreadable';
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** What a failed call of the file system means, in words for whoever named the file. */
export function reason(error: unknown): string {
  const code = codeOf(error);
  return sentences[code] ?? (code === '' ? 'unexpected trouble' : code);
}
