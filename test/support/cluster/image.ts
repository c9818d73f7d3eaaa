import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { program } from '../build-program.ts';
import { clusterFolder } from './places.ts';

/** Root file system of every container: the image, with the built program and the Node that runs the tests. */
export const imageRoot = join(clusterFolder, 'image');

/** Fills {@link imageRoot} as the Dockerfile does. */
export function makeImage(): void {
  const at = (path: string): string => join(imageRoot, path);
  for (const folder of ['proc', 'dev', 'tmp', 'etc/graphwarden', 'usr/local/bin', 'var/lib/graphwarden', 'nodejs/bin'])
    mkdirSync(at(folder), { recursive: true });
  for (const library of librariesOf(process.execPath)) {
    mkdirSync(dirname(at(library)), { recursive: true });
    copyFileSync(library, at(library));
  }
  copyFileSync(process.execPath, at('nodejs/bin/node'));
  cpSync(dirname(program), at('app'), { recursive: true });
  const text = readFileSync(program, 'utf8').replace(/^#!.*/, '#!/nodejs/bin/node');
  writeFileSync(at('app/graphwarden.mjs'), text, { mode: 0o755 });
  symlinkSync('/app/graphwarden.mjs', at('usr/local/bin/graphwarden'));
  for (const file of ['etc/resolv.conf', 'etc/passwd']) writeFileSync(at(file), '');
}

function librariesOf(path: string): readonly string[] {
  const text = execFileSync('ldd', [path], { encoding: 'utf8' });
  return [...text.matchAll(/(\/\S+) \(0x/g)].flatMap(([, library]) => library ?? []);
}
