import { getAsset, isSea } from 'node:sea';

/** Whether the process is the single executable application that `tools/build/executable.ts` builds. */
export const isExecutable = isSea;

/** Returns the text of a file of the program that is in the executable. */
export function embeddedFile(name: string): string {
  return getAsset(name, 'utf8');
}

/**
 * Script that the threads of the executable run, which is that of the process: a thread cannot load the files in an executable
 * by their addresses. Undefined if the program is not an executable.
 */
export function threadScript(): string | undefined {
  return isExecutable() ? embeddedFile('executable-loader.cjs') : undefined;
}
