import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { applyMutant, type Mutant } from './mutants.ts';

/** Result of a program. `isTimedOut` is set if it exceeded its time limit. */
export interface ProcessResult {
  readonly isSuccess: boolean;
  readonly isTimedOut: boolean;
  readonly text: string;
}

/** A copy of the sources and tests in its own folder, in which mutations are made. */
export interface Sandbox {
  /** Runs a program of `node_modules` in the copy. */
  run(program: readonly string[], limit: number): Promise<ProcessResult>;
  /** Applies mutations, at most one per file, while `work` runs. */
  writeFile<Result>(mutants: readonly Mutant[], work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const copiedPaths = ['src', 'test', 'package.json', 'tsconfig.json'];

/** Compiler settings of the copy. Unused names after a mutation are not errors. */
const guardTsconfig = {
  extends: './tsconfig.json',
  compilerOptions: { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true },
  include: ['src/guard'],
};

/** Runs tests in one thread until the first failure. Sandboxes share `node_modules`, but no cache. */
const serialVitestFlags = {
  cacheDir: '.cache',
  test: {
    include: ['test/guard/**/*.test.ts'],
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    bail: 1,
    // A slow test on a busy machine must not count as a detection.
    testTimeout: 600_000,
    reporters: ['dot'],
  },
};

/** Creates a sandbox. The project itself is not changed. */
export async function openSandbox(): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-mutate-'));
  // Much less work than `cp` of the promises, which copies thousands of files one after the other.
  for (const part of copiedPaths) cpSync(part, join(folder, part), { recursive: true });
  await writeFile(join(folder, 'vitest.config.ts'), `export default ${JSON.stringify(serialVitestFlags)};\n`);
  await writeFile(join(folder, 'tsconfig.guard.json'), JSON.stringify(guardTsconfig));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  return {
    run: ([program = '', ...rest], limit) => runProgram([join('node_modules', program), ...rest], { folder, limit }),
    async writeFile(mutants, work) {
      const before = new Map<string, string>();
      try {
        for (const mutant of mutants) {
          const path = join(folder, mutant.file);
          const text = await readFile(path, 'utf8');
          before.set(path, text);
          await writeFile(path, applyMutant(text, mutant));
        }
        return await work();
      } finally {
        for (const [path, text] of before) await writeFile(path, text);
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function runProgram(
  args: readonly string[],
  { folder, limit }: { readonly folder: string; readonly limit: number },
): Promise<ProcessResult> {
  return new Promise((done) => {
    const options = { cwd: folder, timeout: limit, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 } as const;
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      done({ isSuccess: error === null, isTimedOut: error?.killed === true, text: `${stdout}${stderr}` });
    });
  });
}
