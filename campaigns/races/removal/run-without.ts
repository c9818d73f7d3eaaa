import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { applyEdit, type RemovedCondition } from './removed-condition.ts';

/** Result of the short suite for a guard without a condition. */
export interface RemovalResult {
  readonly name: string;
  /** Number of runs until enough findings. */
  readonly runs: number;
  /** Number of findings by kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Seeds with findings. The unchanged guard has none for them. */
  readonly seeds: readonly number[];
}

const run = promisify(execFile);
const suiteOutput = z.object({
  runs: z.number(),
  kinds: z.record(z.string(), z.number()),
  seeds: z.array(z.number()),
});

/** Removes a condition from a copy of the sources, and runs the short suite against it in a child process. */
export async function runWithoutCondition(
  removal: RemovedCondition,
  { runs, seed }: { readonly runs: number; readonly seed: number },
): Promise<RemovalResult> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-races-'));
  try {
    for (const part of ['src', join('campaigns', 'races'), 'package.json'])
      cpSync(part, join(folder, part), { recursive: true });
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    for (const edit of removal.edits) {
      const file = join(folder, 'src', edit.file);
      await writeFile(file, applyEdit(await readFile(file, 'utf8'), edit));
    }
    const suite = join(folder, 'campaigns', 'races', 'removal', 'suite.ts');
    const kinds = removal.kinds?.flatMap((kind) => ['--kind', kind]) ?? [];
    const { stdout } = await run(process.execPath, [suite, '--runs', `${runs}`, '--seed', `${seed}`, ...kinds]);
    return { name: removal.name, ...suiteOutput.parse(JSON.parse(stdout)) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns true if the oracles detect the missing condition. An exception of the guard does not count. */
export function isDetected({ kinds }: Pick<RemovalResult, 'kinds'>): boolean {
  return (
    Object.keys(kinds).some((kind) => kind !== 'bug' && kind !== 'few victims') && !Object.keys(kinds).includes('bug')
  );
}

/** Returns the result as a line of text. */
export function resultLine(result: RemovalResult): string {
  const { name, runs, kinds } = result;
  const by = Object.entries(kinds).map(([kind, count]) => `${kind} (${count})`);
  return isDetected(result)
    ? `${name}: detected in ${runs} runs by ${by.join(', ')}`
    : `${name}: NOT detected in ${runs} runs ${by.join(', ')}`;
}
