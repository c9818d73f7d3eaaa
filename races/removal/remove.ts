import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { edited, type Removal } from './removals.ts';

/** What the short suite said of a guard without a condition. */
export interface Caught {
  readonly name: string;
  /** Until enough was found. */
  readonly runs: number;
  /** How often, by kind of finding. */
  readonly kinds: Readonly<Record<string, number>>;
}

const run = promisify(execFile);
const told = z.object({ runs: z.number(), kinds: z.record(z.string(), z.number()) });

/** Takes a condition out of a copy of the sources, and runs the short suite against it in a process of its own. */
export async function tryWithout(
  removal: Removal,
  { runs, seed }: { readonly runs: number; readonly seed: number },
): Promise<Caught> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-races-'));
  try {
    for (const part of ['src', 'races', 'package.json']) await cp(part, join(folder, part), { recursive: true });
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    for (const edit of removal.edits) {
      const file = join(folder, 'src', edit.file);
      await writeFile(file, edited(await readFile(file, 'utf8'), edit));
    }
    const suite = join(folder, 'races', 'removal', 'suite.ts');
    const { stdout } = await run(process.execPath, [suite, '--runs', `${runs}`, '--seed', `${seed}`]);
    return { name: removal.name, ...told.parse(JSON.parse(stdout)) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Whether a condition was missed: by what the guard did, not by a guard that fell over. */
export function isCaught({ kinds }: Pick<Caught, 'kinds'>): boolean {
  return (
    Object.keys(kinds).some((kind) => kind !== 'bug' && kind !== 'too tame') && !Object.keys(kinds).includes('bug')
  );
}

/** One line for people. */
export function lineOf(caught: Caught): string {
  const { name, runs, kinds } = caught;
  const by = Object.entries(kinds).map(([kind, count]) => `${kind} (${count})`);
  return isCaught(caught)
    ? `${name}: caught in ${runs} runs by ${by.join(', ')}`
    : `${name}: NOT caught in ${runs} runs ${by.join(', ')}`;
}
