import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'dist', 'test');

/** Bundle of the program, which tests start: it starts faster than the sources. */
export const program = join(folder, 'graphwarden.mjs');

/**
 * Builds {@link program} before the first test. Each file is moved into place, so that a daemon of another run in the
 * same checkout never loads half a file.
 */
export async function setup(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const built = await mkdtemp(join(folder, 'build-'));
  try {
    execFileSync(process.execPath, ['tools/build/bundle.ts', join(built, 'graphwarden.mjs')], { stdio: 'pipe' });
    for (const file of await readdir(built)) await rename(join(built, file), join(folder, file));
  } finally {
    await rm(built, { recursive: true });
  }
}
