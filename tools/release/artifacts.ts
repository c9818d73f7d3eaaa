import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { buildExecutable } from '../build/executable.ts';
import { buildPackages, nodeLicense } from '../build/packages.ts';
import { run, tool } from './run.ts';

const bundle = 'dist/graphwarden.mjs';
const documents = 'dist';
/** Name of the file with the digests of all others. */
export const checksumFile = 'SHA256SUMS';

/** Name and version of what is released. */
export const product = z
  .object({ name: z.string(), version: z.string() })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

/** Files of the npm package and of the chart. */
export const npmFile = `${product.name}-npm-${product.version}.tgz`;
export const chartFile = `${product.name}-chart-${product.version}.tgz`;

/** Name of the archive of the executable for the architecture of this machine, without its extension. */
export const archive = `${product.name}-${product.version}-linux-${process.arch}`;

/** Builds, into `folder`, the files for the architecture of this machine: the executable in an archive, and packages. */
export async function buildForThisMachine(folder: string): Promise<void> {
  const { name, version } = product;
  const content = join(folder, archive);
  mkdirSync(content, { recursive: true });
  const executable = join(content, name);
  buildExecutable(bundle, executable);
  for (const file of ['LICENSE', join(documents, 'THIRD-PARTY-NOTICES.txt')]) copyInto(content, file);
  copyFileSync(nodeLicense(), join(content, 'LICENSE-NODE'));
  run('tar', [
    '--create',
    '--gzip',
    '--owner=0',
    '--group=0',
    '--file',
    `${content}.tar.gz`,
    '--directory',
    folder,
    archive,
  ]);
  await buildPackages({ executable, documents, version }, tool('nfpm'), folder);
  rmSync(content, { recursive: true });
}

/** Builds, into `folder`, the files that are the same for all architectures: the npm package, the chart and the bill of materials. */
export function buildForAllMachines(folder: string): void {
  mkdirSync(folder, { recursive: true });
  // npm and helm give their files the same name.
  const built = join(folder, `${product.name}-${product.version}.tgz`);
  run('npm', ['pack', '--loglevel', 'warn', '--pack-destination', folder]);
  renameSync(built, join(folder, npmFile));
  run(tool('helm'), ['package', 'helm/graphwarden', '--destination', folder]);
  renameSync(built, join(folder, chartFile));
  copyInto(folder, join(documents, 'graphwarden.cdx.json'));
}

function copyInto(folder: string, file: string): void {
  copyFileSync(file, join(folder, basename(file)));
}

/** Writes the digests of all files in `folder`, in the format of `sha256sum`. */
export function writeChecksums(folder: string): void {
  const files = readdirSync(folder).filter((file) => !file.startsWith(checksumFile));
  const lines = files.toSorted().map((file) => `${digestOf(join(folder, file))}  ${file}\n`);
  writeFileSync(join(folder, checksumFile), lines.join(''));
}

/** Returns the files in `folder` whose digests are not those of {@link writeChecksums}. */
export function wrongChecksums(folder: string): readonly string[] {
  const lines = readFileSync(join(folder, checksumFile), 'utf8').trim().split('\n');
  return lines.flatMap((line) => {
    const [digest, file = ''] = line.split('  ');
    return digestOf(join(folder, file)) === digest ? [] : [file];
  });
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
