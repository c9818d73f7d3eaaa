import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Millis } from '../../src/kernel/time.ts';

/** Change of a source that the campaign builds the program with. */
export interface SourceEdit {
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
}

/** Length of a lease in the program. */
export const usualLease: Millis = 10_000;

const run = promisify(execFile);
const copiedPaths = ['src', 'page', 'tools', 'docs', 'package.json', 'tsconfig.json'];

/** Returns the change that makes leases shorter, so that more faults fit in a time. */
export function leaseEdit(lease: Millis): SourceEdit {
  const text = 'export const leaseLength: Millis = 10_000;';
  return {
    file: 'src/runtime/postgres/held-leases.ts',
    text,
    replacement: `export const leaseLength: Millis = ${lease};`,
  };
}

/** Returns a changed source. Throws unless the source has the text exactly once. */
export function edited(source: string, { file, text, replacement }: SourceEdit): string {
  const [before, after, ...others] = source.split(text);
  if (before === undefined || after === undefined || others.length > 0)
    throw new Error(`${file}: has the text '${text}' ${source.split(text).length - 1} times`);
  return before + replacement + after;
}

/** Builds the program with these changes; returns its path. The project itself is not changed. */
export async function buildProgram(folder: string, edits: readonly SourceEdit[]): Promise<string> {
  const entry = join(folder, 'graphwarden.mjs');
  let project = '.';
  if (edits.length > 0) {
    project = join(folder, 'project');
    for (const part of copiedPaths) await cp(part, join(project, part), { recursive: true });
    await symlink(resolve('node_modules'), join(project, 'node_modules'));
    for (const edit of edits) {
      const path = join(project, edit.file);
      await writeFile(path, edited(await readFile(path, 'utf8'), edit));
    }
  }
  await run(process.execPath, ['tools/build/bundle.ts', entry], { cwd: project });
  return entry;
}
