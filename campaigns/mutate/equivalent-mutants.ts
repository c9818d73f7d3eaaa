import type { Mutant } from './mutants.ts';

/** A mutant that behaves like the original, so that no test can detect it. */
export interface EquivalentMutant extends Pick<Mutant, 'file' | 'within' | 'original' | 'by'> {
  readonly reason: string;
}

/** Reviewed equivalent mutants. They do not count in the score. */
export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    file: 'src/guard/decision/guard-conditions.ts',
    within: 'const match = state.matches.find((one) => one.candidate === candidate && one.owns);',
    original: 'find',
    by: 'findLast',
    reason: 'a candidate has one owner',
  },
  {
    file: 'src/guard/decision/guard-conditions.ts',
    within: 'const policy = settings.policies.find(({ name }) => name === decision.policy);',
    original: 'find',
    by: 'findLast',
    reason: 'policy names are unique: the configuration rejects duplicates',
  },
  {
    file: 'src/guard/decision/lifecycle.ts',
    within: 'return policies.find(({ name }) => name === policy);',
    original: 'find',
    by: 'findLast',
    reason: 'policy names are unique: the configuration rejects duplicates',
  },
];

/** Returns the entry of a mutant. */
export function findEquivalent(
  mutant: Mutant,
  all: readonly EquivalentMutant[] = equivalentMutants,
): EquivalentMutant | undefined {
  return all.find(
    ({ file, within, original, by }) =>
      file === mutant.file && within === mutant.within && original === mutant.original && by === mutant.by,
  );
}

/** Returns entries that match no mutant anymore, because the sources changed. */
export function staleEquivalents(
  mutants: readonly Mutant[],
  all: readonly EquivalentMutant[] = equivalentMutants,
): readonly EquivalentMutant[] {
  return all.filter((one) => !mutants.some((mutant) => findEquivalent(mutant, [one]) !== undefined));
}
