import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Project } from '../test/architecture/project.ts';

const matcher = [
  'age',
  'comparison',
  'conditions',
  'confirmation',
  'gates',
  'groups',
  'instances',
  'listing',
  'matcher',
  'offset',
  'sighting',
  'victims',
].map((name) => `src/guard/${name}.ts`);

/** The matcher with all that it decides by, and the machine of decisions. */
export function targets(): readonly string[] {
  const machine = readdirSync(join('src', 'guard', 'decision')).filter((name) => name.endsWith('.ts'));
  return [...matcher, ...machine.toSorted().map((name) => `src/guard/decision/${name}`)];
}

/** Seconds each, so they come last: they judge by tens of thousands of random cases. */
const long = ['differential', 'hostile-lists', 'decision/properties', 'decision/abort-path', 'reach'].map(
  (name) => `test/guard/${name}.test.ts`,
);

/** Tests that are run together. */
export interface Round {
  readonly tests: readonly string[];
  readonly pace: 'short' | 'long';
}

/** Which tests are to find a slip in a file: each round is for what those before did not find. */
export function roundsFor(file: string, project: Project): readonly Round[] {
  const own = file.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
  const reaching = testsThatReach(file, project).filter((test) => test !== own);
  const rounds: readonly Round[] = [
    { pace: 'short', tests: project.some(({ path }) => path === own) ? [own] : [] },
    { pace: 'short', tests: reaching.filter((test) => !long.includes(test)) },
    { pace: 'long', tests: reaching.filter((test) => long.includes(test)) },
  ];
  return rounds.filter(({ tests }) => tests.length > 0);
}

/** The tests of the guard that import a file, directly or by way of others. */
function testsThatReach(file: string, project: Project): readonly string[] {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of project)
    for (const { target } of imports)
      if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), path]);
  const reached = new Set([file]);
  // A set that grows goes on to give what is added.
  for (const one of reached) for (const importer of importers.get(one) ?? []) reached.add(importer);
  return [...reached]
    .filter((path) => posix.normalize(path).startsWith('test/guard/') && path.endsWith('.test.ts'))
    .toSorted();
}
