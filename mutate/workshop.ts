import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Mutant, mutated } from './mutants.ts';

/** How a program ended; `isLate` where it was killed because it took too long. */
export interface Ended {
  readonly isWell: boolean;
  readonly isLate: boolean;
  readonly text: string;
}

/** A copy of the sources and the tests in a folder of its own, in which slips are made. */
export interface Workshop {
  /** Runs a program of `node_modules` here. */
  run(program: readonly string[], limit: number): Promise<Ended>;
  /** Makes slips, at most one in a file, for as long as `work` takes. */
  hold<Result>(mutants: readonly Mutant[], work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const parts = ['src', 'test', 'package.json', 'tsconfig.json'];

/** What the compiler looks at here. That a slip leaves something unused is no error that anybody would wait for. */
const typesOfTheGuard = {
  extends: './tsconfig.json',
  compilerOptions: { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true },
  include: ['src/guard'],
};

/** In one thread, in one go, until the first failure. Several workshops share one `node_modules`, but no cache. */
const oneAtATime = {
  cacheDir: '.cache',
  test: {
    include: ['test/guard/**/*.test.ts'],
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    bail: 1,
    // On a busy machine a test that only takes long would pass for one that found something.
    testTimeout: 600_000,
    reporters: ['dot'],
  },
};

/** The whole project is as it is; each workshop costs one copy. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-mutate-'));
  for (const part of parts) await cp(part, join(folder, part), { recursive: true });
  await writeFile(join(folder, 'vitest.config.ts'), `export default ${JSON.stringify(oneAtATime)};\n`);
  await writeFile(join(folder, 'tsconfig.guard.json'), JSON.stringify(typesOfTheGuard));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  return {
    run: ([program = '', ...rest], limit) => ran([join('node_modules', program), ...rest], { folder, limit }),
    async hold(mutants, work) {
      const before = new Map<string, string>();
      try {
        for (const mutant of mutants) {
          const path = join(folder, mutant.file);
          const text = await readFile(path, 'utf8');
          before.set(path, text);
          await writeFile(path, mutated(text, mutant));
        }
        return await work();
      } finally {
        for (const [path, text] of before) await writeFile(path, text);
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function ran(
  args: readonly string[],
  { folder, limit }: { readonly folder: string; readonly limit: number },
): Promise<Ended> {
  return new Promise((done) => {
    const options = { cwd: folder, timeout: limit, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 } as const;
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      done({ isWell: error === null, isLate: error?.killed === true, text: `${stdout}${stderr}` });
    });
  });
}
