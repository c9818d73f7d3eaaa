import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from '../kernel/result.ts';
import type { FileLine, FolderFile, LineFiles, LineWriter } from '../kernel/system.ts';
import { fileErrorCode, fileErrorMessage } from './files.ts';

/** Maximum length of a line in characters, so that another file does not fill the memory. */
export const maxLineLength = 64 * 1024 * 1024;

/** Files of this machine, line by line. */
export const lineFiles: LineFiles = { create, read, createFolder, list, remove };

async function create(path: string, { replace }: { readonly replace: boolean }): Promise<Result<LineWriter, string>> {
  try {
    // Removed and created, because others may be able to read the existing file.
    if (replace) await rm(path, { force: true });
    return ok(writerOf(path, await open(path, 'wx', 0o600)));
  } catch (error) {
    return err(`cannot create '${path}': ${fileErrorMessage(error)}`);
  }
}

function writerOf(path: string, file: FileHandle): LineWriter {
  const tried = async (work: () => Promise<unknown>): Promise<Result<void, string>> => {
    try {
      await work();
      return ok(undefined);
    } catch (error) {
      return err(`cannot write '${path}': ${fileErrorMessage(error)}`);
    }
  };
  return { write: (line) => tried(() => file.appendFile(`${line}\n`)), close: () => tried(() => file.close()) };
}

async function createFolder(path: string): Promise<Result<void, string>> {
  try {
    await mkdir(path, { mode: 0o700 });
    return ok(undefined);
  } catch (error) {
    return fileErrorCode(error) === 'EEXIST'
      ? ok(undefined)
      : err(`cannot create '${path}': ${fileErrorMessage(error)}`);
  }
}

async function list(folder: string): Promise<Result<readonly FolderFile[], string>> {
  try {
    const names = (await readdir(folder)).toSorted();
    return ok((await Promise.all(names.map((name) => folderFile(folder, name)))).flat());
  } catch (error) {
    return fileErrorCode(error) === 'ENOENT' ? ok([]) : err(`cannot read '${folder}': ${fileErrorMessage(error)}`);
  }
}

/** Returns nothing for a folder, and for a file that was removed in between. */
async function folderFile(folder: string, name: string): Promise<readonly FolderFile[]> {
  try {
    const found = await stat(join(folder, name));
    return found.isFile() ? [{ name, size: found.size, modifiedAt: found.mtimeMs }] : [];
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function remove(path: string): Promise<Result<void, string>> {
  try {
    await rm(path, { force: true });
    return ok(undefined);
  } catch (error) {
    return err(`cannot remove '${path}': ${fileErrorMessage(error)}`);
  }
}

async function* read(path: string): AsyncGenerator<Result<FileLine, string>> {
  try {
    await using file = await open(path, 'r');
    yield* linesOf(path, file);
  } catch (error) {
    const why = error instanceof TypeError ? 'it is not UTF-8 text' : fileErrorMessage(error);
    yield err(`cannot read '${path}': ${why}`);
  }
}

async function* linesOf(path: string, file: FileHandle): AsyncGenerator<Result<FileLine, string>> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of file.createReadStream({ autoClose: false })) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    begun.push(first);
    length += first.length;
    if (length > maxLineLength) {
      yield err(`cannot read '${path}': a line is longer than ${maxLineLength} characters`);
      return;
    }
    const last = others.pop();
    if (last === undefined) continue;
    yield ok({ text: begun.join(''), isWhole: true });
    for (const text of others) yield ok({ text, isWhole: true });
    begun = [last];
    length = last.length;
  }
  const text = begun.join('') + decoder.decode();
  if (text !== '') yield ok({ text, isWhole: false });
}
