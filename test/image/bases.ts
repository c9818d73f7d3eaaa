import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, requireTool } from '../support/tools.ts';
import { type Builder, openBuilder } from './builder.ts';

const run = promisify(execFile);
const authorities = '/etc/ssl/certs/ca-certificates.crt';
const release = 'bookworm';
const libraries = ['libc6', 'libgcc-s1', 'libstdc++6'];

/** The names of images that stand in for those of the Dockerfile, which come from registries. */
export interface Bases {
  readonly base: string;
  readonly builder: string;
}

export const bases: Bases = { base: 'localhost/base', builder: 'localhost/builder' };

/** Opens a store in `folder` with both, made from Debian's packages and the Node that runs this. */
export async function openBuilderWithBases(folder: string): Promise<Builder> {
  await run('cp', ['--archive', '--reflink=auto', await storeOfBases(), join(folder, 'store')]);
  return openBuilder(folder);
}

/** Returns a store with both. It stays in the cache, because making it takes longer than most tests of the image. */
async function storeOfBases(): Promise<string> {
  const store = join(cacheFolder(), 'image', `bases-${await digestOfBases()}`);
  if (existsSync(store)) return store;
  await mkdir(dirname(store), { recursive: true });
  const folder = await mkdtemp(join(dirname(store), '.making-'));
  try {
    await makeBases(openBuilder(folder), folder);
    await rename(join(folder, 'store'), store);
  } finally {
    await rm(folder, { recursive: true });
  }
  return store;
}

/** Digest of everything that goes into the bases. */
async function digestOfBases(): Promise<string> {
  const files = [import.meta.filename, join(await npmFolder(), 'package.json'), authorities].filter(existsSync);
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return createHash('sha256')
    .update([process.version, process.arch, ...texts].join('\n'))
    .digest('hex')
    .slice(0, 12);
}

async function makeBases(builder: Builder, folder: string): Promise<void> {
  const [lean, roomy] = await Promise.all([debian(libraries), debian([...libraries, 'coreutils', 'dash', 'sed'])]);
  const node = join(folder, 'node');
  await copyFile(process.execPath, node);
  await chmod(node, 0o755);
  await bakeLean(builder, lean, { node, folder });
  await bakeRoomy(builder, { roomy, node, npm: await npmScript(folder) });
}

/**
 * Returns an archive of a file system with these packages, unpacked and not set up: their scripts do not matter here. It
 * stays in the cache, because making it takes longer than all tests of the image.
 */
async function debian(packages: readonly string[]): Promise<string> {
  const folder = join(cacheFolder(), 'image');
  const archive = join(folder, `${release}-${packages.join('-')}.tar`);
  if (existsSync(archive)) return archive;
  await mkdir(folder, { recursive: true });
  const unfinished = join(await mkdtemp(join(folder, '.making-')), 'archive.tar');
  await run(requireTool('mmdebstrap'), ['--variant=extract', `--include=${packages.join()}`, release, unfinished]);
  await rename(unfinished, archive);
  await rmdir(dirname(unfinished));
  return archive;
}

/**
 * What a base without a shell has: libraries with a file for each that names its version, and Node where the Dockerfile
 * looks for it.
 */
async function bakeLean(
  { buildah }: Builder,
  archive: string,
  { node, folder }: { readonly node: string; readonly folder: string },
): Promise<void> {
  const container = buildah('from', 'scratch');
  buildah('add', '--quiet', container, archive, '/');
  buildah('copy', '--quiet', container, node, '/nodejs/bin/node');
  const texts = {
    '/etc/os-release': 'ID=debian\nVERSION_ID="12"\n',
    ...Object.fromEntries(
      libraries.map((name) => [
        `/var/lib/dpkg/status.d/${name}`,
        `Package: ${name}\nVersion: 1:2.36-9+b1\nArchitecture: amd64\n`,
      ]),
    ),
  };
  for (const [path, text] of Object.entries(texts)) {
    await writeFile(join(folder, 'text'), text);
    buildah('copy', '--quiet', container, join(folder, 'text'), path);
  }
  buildah('commit', '--quiet', '--rm', container, bases.base);
}

interface Parts {
  readonly roomy: string;
  readonly node: string;
  readonly npm: string;
}

async function bakeRoomy({ buildah }: Builder, { roomy, node, npm }: Parts): Promise<void> {
  const home = await npmFolder();
  const container = buildah('from', 'scratch');
  const copy = (from: string, to: string): string => buildah('copy', '--quiet', container, from, to);
  buildah('add', '--quiet', container, roomy, '/');
  copy(node, '/usr/local/bin/node');
  copy(home, '/usr/local/lib/npm');
  copy(npm, '/usr/local/bin/npm');
  const env = ['PATH=/usr/local/bin:/usr/bin:/bin', 'npm_config_cache=/npm', 'npm_config_prefer_offline=true'];
  if (existsSync(authorities)) {
    copy(authorities, authorities);
    env.push(`NODE_EXTRA_CA_CERTS=${authorities}`);
  }
  buildah('config', ...env.flatMap((one) => ['--env', one]), container);
  buildah('commit', '--quiet', '--rm', container, bases.builder);
}

async function npmFolder(): Promise<string> {
  return dirname(dirname(await realpath(requireTool('npm'))));
}

async function npmScript(folder: string): Promise<string> {
  const script = join(folder, 'npm');
  await writeFile(script, '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n', { mode: 0o755 });
  return script;
}
