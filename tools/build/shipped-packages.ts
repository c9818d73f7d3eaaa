import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { builtPageSchema } from '../../src/api/status-page.ts';
import { programFiles } from './program-files.ts';

const names = z.record(z.string(), z.string()).default({});
const entry = z.object({
  version: z.string(),
  license: z.string(),
  integrity: z.string().regex(/^sha512-/),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
});
const lockFile = z.object({ packages: z.record(z.string(), z.unknown()) });

/** A package of which something is in the bundle, as the lock file knows it. */
export interface ShippedPackage extends z.infer<typeof entry> {
  readonly name: string;
  /** Its key in the lock file, such as `node_modules/a/node_modules/b`. */
  readonly path: string;
}

/**
 * What a bundle is made of. Taken from the bundle itself, where each module stands under its path, and not from the
 * lock file: there much is «for run time» of which not a line is shipped.
 */
export function shippedPackages(code: string, lock: unknown): readonly ShippedPackage[] {
  const { packages } = lockFile.parse(lock);
  return shippedPaths(code).map((path) => {
    const known = packages[path];
    if (known === undefined) throw new Error(`the lock file does not know ${path}, which is in the bundle`);
    return { path, name: path.replace(/^.*node_modules\//, ''), ...entry.parse(known) };
  });
}

/** Returns the code of a built program in `folder`, with the paths of its modules. */
export function shippedCode(folder: string): string {
  const { modules } = builtPageSchema.parse(JSON.parse(readFileSync(join(folder, 'graphwarden-page.json'), 'utf8')));
  // The page is minified: its modules are listed in the way in which the bundles name theirs.
  const ofPage = modules.map((path) => `//#region ${path}`);
  const code = programFiles(join(folder, 'graphwarden.mjs')).map((file) => readFileSync(file, 'utf8'));
  return [...code, ...ofPage].join('\n');
}

const modulePath = /^\s*\/\/(?:#region)? (?:\S*?\/)??(node_modules\/\S+)$/gm;
const packagePath = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

function shippedPaths(code: string): readonly string[] {
  const paths = [...code.matchAll(modulePath)].flatMap(([, module = '']) => packagePath.exec(module)?.[0] ?? []);
  if (paths.length === 0) throw new Error('no module of a package is named in the bundle: is it one?');
  return [...new Set(paths)].toSorted();
}
