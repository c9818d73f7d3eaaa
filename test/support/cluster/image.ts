import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { program } from '../build-program.ts';
import { clusterFolder } from './places.ts';

/** The file system of every container: that of the image, made from the program and the Node that runs this. */
export const imageRoot = join(clusterFolder, 'image');

/** Fills {@link imageRoot} as the Dockerfile does. */
export function makeImage(): void {
  const at = (path: string): string => join(imageRoot, path);
  for (const folder of ['proc', 'dev', 'tmp', 'etc/graphwarden', 'usr/local/bin', 'var/lib/graphwarden', 'nodejs/bin'])
    mkdirSync(at(folder), { recursive: true });
  for (const library of librariesOf(process.execPath)) {
    mkdirSync(dirname(at(library)), { recursive: true });
    cpSync(library, at(library), { dereference: true });
  }
  cpSync(process.execPath, at('nodejs/bin/node'), { dereference: true });
  cpSync(dirname(program), at('app'), { recursive: true });
  writeFileSync(at('usr/local/bin/graphwarden'), '#!/nodejs/bin/node\nimport("/app/graphwarden.mjs");\n', { mode: 0o755 });
  symlinkSync('../../../nodejs/bin/node', at('usr/local/bin/node'));
  for (const file of ['etc/resolv.conf', 'etc/passwd']) writeFileSync(at(file), '');
}

function librariesOf(path: string): readonly string[] {
  const text = execFileSync('ldd', [path], { encoding: 'utf8' });
  return [...text.matchAll(/(\/\S+) \(0x/g)].flatMap(([, library]) => library ?? []);
}
