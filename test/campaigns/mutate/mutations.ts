import { type Mutant, mutantsOf } from '../../../campaigns/mutate/mutants.ts';

/** Returns all mutations of a text, as `original → replacement`. */
export function mutationsIn(text: string, operator?: Mutant['operator']): readonly string[] {
  return mutantsOf('src/guard/candidate.ts', text)
    .filter((mutant) => operator === undefined || mutant.operator === operator)
    .map(({ original, by }) => `${original} → ${by}`);
}

/** Returns an example mutant. */
export function mutantOf(changed: Partial<Mutant> = {}): Mutant {
  return {
    file: 'src/guard/candidate.ts',
    line: 7,
    operator: 'comparison',
    start: 11,
    end: 16,
    original: 'a < b',
    by: 'a <= b',
    within: 'return a < b;',
    ...changed,
  };
}
