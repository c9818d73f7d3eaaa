import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { program } from './build-program.ts';
import { temporaryFolder } from './live-ports.ts';

/** Working directory, and environment whose path has the program `graphwarden`, until the test ends. */
export async function installedProgram(): Promise<{ readonly cwd: string; readonly env: NodeJS.ProcessEnv }> {
  const cwd = await temporaryFolder();
  const bin = join(cwd, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'graphwarden'), `#!/bin/sh\nexec node '${program}' "$@"\n`, { mode: 0o755 });
  return { cwd, env: { PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter) } };
}
