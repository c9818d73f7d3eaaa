import type { ConfigProblem, KeyPath } from '../model/config-problem.ts';
import type { Environment } from './environment.ts';
import { resolveAgainst } from './resolve-files.ts';
import { readYaml } from './yaml-source.ts';

/** File that a key of the configuration names. */
export interface ConfiguredFile {
  readonly path: string;
  /** Returns a problem of the key, with its path in the configuration. */
  readonly problem: (message: string, hint: string) => ConfigProblem;
}

/** Returns the files that the keys `…_file` of a valid configuration name, such as secrets and certificates. */
export function configuredFiles(text: string, file: string, environment: Environment): readonly ConfiguredFile[] {
  const source = readYaml(text, file, environment);
  return fileKeys(source.value, []).map(({ at, path }) => ({
    path: resolveAgainst(file, path),
    problem: (message, hint) => source.locate({ path: at, message, hint }),
  }));
}

interface FileKey {
  readonly at: KeyPath;
  readonly path: string;
}

/** Finds the keys of files in a value, whose depth the YAML reader limits. */
function fileKeys(value: unknown, at: KeyPath): readonly FileKey[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, one]: [string, unknown]) => {
    const here = [...at, isList ? Number(key) : key];
    return typeof one === 'string' ? (key.endsWith('_file') ? [{ at: here, path: one }] : []) : fileKeys(one, here);
  });
}
