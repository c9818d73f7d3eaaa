import { watch } from 'node:fs';
import { chmod, chown, type FileHandle, lstat, open, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { err, ok, type Result } from '../kernel/result.ts';
import { hiddenNameNote, printablePath } from '../kernel/secret-path.ts';
import type { CreateFile, FilePresence, Files, ReplaceFile } from '../kernel/system.ts';
import { type FileOwner, findOwner } from './file-owner.ts';

/** Maximum size of a configuration or secret file in bytes, so that a device or a wrong path does not fill the memory. */
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
export const systemFiles: Files = { readText, stamp: fileStamp, presence: filePresence, watch: watchFolder };

/** Creates a file that must not exist yet, readable by its owner and group only, because it may contain secrets. */
export const createFile: CreateFile = async (path, text, owner) => {
  const ids = owner === undefined ? undefined : await findOwner(owner);
  if (ids?.ok === false) return err(`cannot create '${path}': ${ids.error}`);
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o640 });
  } catch (error) {
    const reason = fileErrorCode(error) === 'ENOENT' ? 'its directory does not exist' : fileErrorMessage(error);
    return err(`cannot create '${path}': ${reason}`);
  }
  return ids === undefined ? ok(undefined) : await giveFile(path, ids.value);
};

/** Gives a new file to its owner, or removes it. */
async function giveFile(path: string, { user, group }: FileOwner): Promise<Result<void, string>> {
  try {
    await chown(path, user, group);
    // The file may have been created under a mask that denies the group to read it.
    await chmod(path, 0o640);
    return ok(undefined);
  } catch (error) {
    await unlink(path);
    return err(`cannot change the owner of '${path}': ${fileErrorMessage(error)}`);
  }
}

/** Replaces a file by a rename, so that a crash leaves the former or the new text. */
export const replaceFile: ReplaceFile = async (path, text) => {
  try {
    await using file = await open(`${path}.new`, 'w', 0o600);
    await file.writeFile(text);
    await file.sync();
    await rename(`${path}.new`, path);
    await using folder = await open(dirname(path), 'r');
    await folder.sync();
    return ok(undefined);
  } catch (error) {
    return err(`cannot write '${path}': ${fileErrorMessage(error)}`);
  }
};

async function readText(path: string): Promise<Result<string, string>> {
  try {
    if (await isNamedPipe(path)) return err(`cannot read '${path}': it is a named pipe`);
    await using file = await open(path, 'r');
    return decodeText(path, await readStart(file));
  } catch (error) {
    return err(`cannot read ${await quotedPath(path)}: ${fileErrorMessage(error)}`);
  }
}

/** A pipe without a writer would block a thread permanently. A shell writes to those of `/dev` and `/proc`, as in `<(…)`. */
async function isNamedPipe(path: string): Promise<boolean> {
  return !/^\/(?:dev|proc)\//.test(path) && (await stat(path)).isFIFO();
}

/** Returns a path in quotes, without a secret in the place of its file. */
async function quotedPath(path: string): Promise<string> {
  const shown = await printablePath(path, { presence: filePresence });
  return shown === path ? `'${path}'` : `'${shown}' ${hiddenNameNote}`;
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

/** Returns the permission bits of a file or directory, such as 0o640; undefined if it does not exist or cannot be read. */
export async function fileMode(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch {
    return undefined;
  }
}

/** A symbolic link exists, even if its target does not. */
async function filePresence(path: string): Promise<FilePresence> {
  try {
    await lstat(path);
    return 'present';
  } catch (error) {
    return fileErrorCode(error) === 'ENOENT' ? 'absent' : 'unreadable';
  }
}

/** A change of the folder itself has the name of the folder. */
function watchFolder(path: string, changed: (name: string | undefined) => void): (() => void) | undefined {
  const folder = resolve(dirname(path));
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      changed(name === null || name === basename(folder) ? undefined : name);
    });
    watcher.on('error', () => changed(undefined));
    return () => watcher.close();
  } catch {
    return undefined;
  }
}

/** Returns the code of a failed call of the file system, such as `ENOENT`; '' if it has none. */
export function fileErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Returns the message for a failed call of the file system. */
export function fileErrorMessage(error: unknown): string {
  const code = fileErrorCode(error);
  return errorMessages[code] ?? (code === '' ? 'unexpected error' : code);
}
