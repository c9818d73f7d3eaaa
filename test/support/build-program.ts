import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { programFiles } from '../../tools/build/program-files.ts';

const pageFile = 'graphwarden-page.json';

const folder = join(import.meta.dirname, '..', '..', 'dist', 'test');

/** Bundle of the program, which tests start: it starts faster than the sources. */
export const program = join(folder, 'graphwarden.mjs');

/**
 * Builds {@link program} before the first test. Each file is moved into place, so that a daemon of another run in the
 * same checkout never loads half a file.
 */
export async function setup(): Promise<void> {
  await mkdir(join(folder, 'chunks'), { recursive: true });
  const built = await mkdtemp(join(folder, 'build-'));
  try {
    const entry = join(built, 'graphwarden.mjs');
    execFileSync(process.execPath, ['tools/build/bundle.ts', entry], { stdio: 'pipe' });
    // A daemon in the process of a test runs from `src` and finds the page where `npm run page` writes it.
    await copyFile(join(built, pageFile), join(folder, '..', pageFile));
    for (const file of [...programFiles(entry), join(built, pageFile)])
      await rename(file, join(folder, relative(built, file)));
  } finally {
    await rm(built, { recursive: true });
  }
}
