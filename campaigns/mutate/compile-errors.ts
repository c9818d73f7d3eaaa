import type { Mutant } from './mutants.ts';
import type { Sandbox } from './sandbox.ts';

const limit = 120_000;

/**
 * Returns the mutants that do not compile, which tests do not have to detect. One mutant per file is compiled at a time,
 * because the compiler reports the file of an error. Tests decide about mutants that cause an error in another file.
 */
export async function mutantsWithTypeErrors(
  mutants: readonly Mutant[],
  sandbox: Sandbox,
): Promise<ReadonlySet<Mutant>> {
  const found = new Set<Mutant>();
  for (const together of oneMutantPerFile(mutants)) {
    const { text } = await sandbox.writeFile(together, () =>
      sandbox.run(['typescript/bin/tsc', '-p', 'tsconfig.guard.json', '--pretty', 'false'], limit),
    );
    const files = filesWithErrors(text);
    for (const mutant of together) if (files.has(mutant.file)) found.add(mutant);
  }
  return found;
}

/** Returns groups of mutants: the first of each file, then the second of each file, and so on. */
export function oneMutantPerFile(mutants: readonly Mutant[]): readonly (readonly Mutant[])[] {
  const byFile = Object.values(Object.groupBy(mutants, ({ file }) => file)).map((own) => own ?? []);
  const most = Math.max(0, ...byFile.map(({ length }) => length));
  return Array.from({ length: most }, (_, index) =>
    byFile.map((own) => own[index]).filter((mutant) => mutant !== undefined),
  );
}

/** `src/guard/candidate.ts(7,3): error TS2322: …` */
export function filesWithErrors(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^(\S+)\(\d+,\d+\): error /gm)].map(([, file = '']) => file));
}
