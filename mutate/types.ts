import type { Mutant } from './mutants.ts';
import type { Workshop } from './workshop.ts';

const limit = 120_000;

/**
 * The slips that the compiler finds, and that no test has to. One slip of each file at a time is looked at, since an
 * error is told with its file; an error elsewhere is nobody's, so that slip is left to the tests.
 */
export async function uncompiled(mutants: readonly Mutant[], workshop: Workshop): Promise<ReadonlySet<Mutant>> {
  const found = new Set<Mutant>();
  for (const together of layers(mutants)) {
    const { text } = await workshop.hold(together, () =>
      workshop.run(['typescript/bin/tsc', '-p', 'tsconfig.guard.json', '--pretty', 'false'], limit),
    );
    const files = filesWithErrors(text);
    for (const mutant of together) if (files.has(mutant.file)) found.add(mutant);
  }
  return found;
}

/** The first of each file, then the second of each, and so on. */
export function layers(mutants: readonly Mutant[]): readonly (readonly Mutant[])[] {
  const byFile = Object.values(Object.groupBy(mutants, ({ file }) => file)).map((own) => own ?? []);
  const most = Math.max(0, ...byFile.map(({ length }) => length));
  return Array.from({ length: most }, (_, index) =>
    byFile.map((own) => own[index]).filter((mutant) => mutant !== undefined),
  );
}

/** `src/guard/age.ts(7,3): error TS2322: …` */
export function filesWithErrors(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^(\S+)\(\d+,\d+\): error /gm)].map(([, file = '']) => file));
}
