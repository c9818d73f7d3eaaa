import { type Mutant, mutantsOf } from '../../mutate/mutants.ts';

/** Every slip in a text, as `what stood there → what stands there now`. */
export function slipsIn(text: string, operator?: Mutant['operator']): readonly string[] {
  return mutantsOf('src/guard/age.ts', text)
    .filter((mutant) => operator === undefined || mutant.operator === operator)
    .map(({ was, by }) => `${was} → ${by}`);
}

/** A slip as good as any other. */
export function mutantOf(changed: Partial<Mutant> = {}): Mutant {
  return {
    file: 'src/guard/age.ts',
    line: 7,
    operator: 'comparison',
    start: 11,
    end: 16,
    was: 'a < b',
    by: 'a <= b',
    within: 'return a < b;',
    ...changed,
  };
}
