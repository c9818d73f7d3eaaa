import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { receivers } from '../../src/notify/receivers/all.ts';

/** A file of a corpus. */
export interface CorpusFile {
  readonly name: string;
  readonly text: string;
  /** The problems that a bad one must have, one line each; `''` for a good one. */
  readonly expected: string;
}

/** Receivers as messages list them: `a, b or c`. */
const kindsOfReceivers = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  receivers.map(({ kind }) => kind),
);

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
    const text = readFileSync(file.replace(/yml$/, 'txt'), 'utf8').trimEnd();
    return text.replaceAll('KINDS_OF_RECEIVERS', kindsOfReceivers);
  } catch {
    return '';
  }
}

/** The environment in which the corpus is read. */
export const environment = { CLUSTER: 'prod', GRAPH_HOST: 'graph.example.org', GRAPH_TOKEN: 'hunter-canary' };
