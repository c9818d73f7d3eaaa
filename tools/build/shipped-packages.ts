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

/** Package with code in the bundle, with its data in the lock file. */
export interface ShippedPackage extends z.infer<typeof entry> {
  readonly name: string;
  /** Its key in the lock file, such as `node_modules/a/node_modules/b`. */
  readonly path: string;
}

/**
 * Returns the packages in a bundle. They are taken from the paths of modules in the bundle and not from the lock file, which
 * lists run-time dependencies without code in the bundle.
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
  // The page is minified: its modules are listed as comments in the format of the bundle.
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
