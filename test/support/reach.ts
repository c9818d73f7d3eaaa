import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Modules that open sockets, or start processes or threads. */
const outside =
  /^(?:node:(?:child_process|cluster|dgram|dns|http|http2|https|net|tls|worker_threads)(?:\/.*)?|undici|nodemailer|smtp-server)$/;
const imported =
  /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'(?<fixed>[^']+)'|\bimport\(\s*'(?<late>[^']+)'\s*\)/gms;

/** Returns the text of a file; undefined if it does not exist. */
export type ReadFile = (path: string) => string | undefined;

/** Returns the test files that use sockets, processes or threads, directly or through imports. */
export function reachingTests(): readonly string[] {
  return reaching(globSync('test/**/*.test.ts'), (path) =>
    existsSync(path) ? readFileSync(path, 'utf8') : undefined,
  ).toSorted();
}

/** Returns those of `paths` that import such modules, directly or through other files. */
export function reaching(paths: readonly string[], read: ReadFile): readonly string[] {
  const importers = new Map<string, string[]>();
  const found: string[] = [];
  const seen = new Set(paths);
  // Iterating over a growing set also visits the elements that are added.
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
