import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of a corpus. */
export interface CorpusFile {
  readonly name: string;
  readonly text: string;
  /** The problems that a bad one must have, one line each; `''` for a good one. */
  readonly expected: string;
}

/** The YAML files of a folder below `test/config`, each with the text file beside it. */
export function corpus(folder: string): readonly CorpusFile[] {
  const path = join(import.meta.dirname, folder);
  return readdirSync(path)
    .filter((file) => file.endsWith('.yml'))
    .map((name) => ({
      name,
      text: readFileSync(join(path, name), 'utf8'),
      expected: expectedProblems(join(path, name)),
    }));
}

function expectedProblems(file: string): string {
  try {
    return readFileSync(file.replace(/yml$/, 'txt'), 'utf8').trimEnd();
  } catch {
    return '';
  }
}

/** The environment in which the corpus is read. */
export const environment = { CLUSTER: 'prod', GRAPH_HOST: 'graph.example.org', GRAPH_TOKEN: 'hunter-canary' };
