import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Modules that open sockets, or start processes or threads. */
const outside =
  /^(?:node:(?:child_process|cluster|dgram|dns|http|http2|https|net|tls|worker_threads)(?:\/.*)?|undici|nodemailer|smtp-server)$/;
const imported =
  /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'(?<fixed>[^']+)'|\bimport\(\s*'(?<late>[^']+)'\s*\)/gms;

/** How the text of a file is found, undefined where there is none. */
export type ReadFile = (path: string) => string | undefined;

/** Returns the tests that use sockets, processes or threads, directly or through imports; all others only compute. */
export function reachingTests(): readonly string[] {
  return reaching(globSync('test/**/*.test.ts'), (path) =>
    existsSync(path) ? readFileSync(path, 'utf8') : undefined,
  ).toSorted();
}

/** Those of `paths` that get at the world outside. */
export function reaching(paths: readonly string[], read: ReadFile): readonly string[] {
  const importers = new Map<string, string[]>();
  const found: string[] = [];
  const seen = new Set(paths);
  // A set goes on to what is added to it under way.
  for (const path of seen) {
    for (const specifier of specifiersIn(read(path) ?? '')) {
      if (outside.test(specifier)) found.push(path);
      if (!/^\..*\.(?:ts|mjs)$/.test(specifier)) continue;
      const target = posix.join(posix.dirname(path), specifier);
      importers.set(target, [...(importers.get(target) ?? []), path]);
      seen.add(target);
    }
  }
  const reached = new Set(found);
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
  return paths.filter((path) => reached.has(path));
}

function specifiersIn(text: string): readonly string[] {
  return [...text.matchAll(imported)].map(({ groups }) => groups?.fixed ?? groups?.late ?? '');
}
