import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Project } from '../../test/architecture/project.ts';

const matcherFiles = [
  'candidate',
  'clock-offset',
  'comparison',
  'conditions',
  'confirmation',
  'gates',
  'groups',
  'instances',
  'matcher',
  'process-list',
].map((name) => `src/guard/${name}.ts`);

/** Returns the files that are mutated: the matcher with everything that it depends on, and the decision state machine. */
export function targets(): readonly string[] {
  return [...matcherFiles, ...filesOf('conditions'), ...filesOf('decision')];
}

function filesOf(folder: string): readonly string[] {
  const names = readdirSync(join('src', 'guard', folder)).filter((name) => name.endsWith('.ts'));
  return names.toSorted().map((name) => `src/guard/${folder}/${name}`);
}

/** Tests that try tens of thousands of random cases. They take seconds each and run last. */
const slowTests = ['differential', 'hostile-lists', 'decision/properties', 'policy-reach-reach'].map(
  (name) => `test/guard/${name}.test.ts`,
);

/** Tests that run together. */
export interface TestRound {
  readonly tests: readonly string[];
  readonly pace: 'short' | 'long';
}

/**
 * Returns the tests that can detect a mutation of a file. Each round runs only for what the rounds before it missed.
 */
export function testRoundsFor(file: string, project: Project): readonly TestRound[] {
  const mirror = file.replace(/^src\//, 'test/').replace(/\.ts$/, '');
  const isOwn = (path: string): boolean =>
    path === `${mirror}.test.ts` || (path.startsWith(`${mirror}-`) && path.endsWith('.test.ts'));
  const reaching = testsThatReach(file, project).filter((test) => !isOwn(test));
  const rounds: readonly TestRound[] = [
    { pace: 'short', tests: project.map(({ path }) => path).filter(isOwn) },
    { pace: 'short', tests: reaching.filter((test) => !slowTests.includes(test)) },
    { pace: 'long', tests: reaching.filter((test) => slowTests.includes(test)) },
  ];
  return rounds.filter(({ tests }) => tests.length > 0);
}

/** Returns the tests of the guard that import a file, directly or through other files. */
function testsThatReach(file: string, project: Project): readonly string[] {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of project)
    for (const { target } of imports)
      if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), path]);
  const reached = new Set([file]);
  // Iterating over a growing set also visits the elements that are added.
  for (const one of reached) for (const importer of importers.get(one) ?? []) reached.add(importer);
  return [...reached]
    .filter((path) => posix.normalize(path).startsWith('test/guard/') && path.endsWith('.test.ts'))
    .toSorted();
}
