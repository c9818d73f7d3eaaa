import type { Mutant } from './mutants.ts';

/** A slip that changes nothing anybody could see, so that no test can find it. */
export interface Equivalent extends Pick<Mutant, 'file' | 'within' | 'was' | 'by'> {
  readonly why: string;
}

/** Looked at one by one. They count neither for nor against the tests. */
export const equivalents: readonly Equivalent[] = [
  {
    file: 'src/guard/decision/choosing.ts',
    within: 'const own = state.matches.filter(({ owns }) => owns);',
    was: 'state.matches.filter(({ owns }) => owns)',
    by: 'state.matches',
    why: 'victims are owned alone: what is not is left out here so that less is looked at',
  },
  {
    file: 'src/guard/decision/doubts.ts',
    within: 'const match = state.matches.find((one) => one.candidate === candidate && one.owns);',
    was: 'find',
    by: 'findLast',
    why: 'a candidate has one owner',
  },
  {
    file: 'src/guard/decision/holds.ts',
    within: 'const policy = settings.policies.find(({ name }) => name === decision.policy);',
    was: 'find',
    by: 'findLast',
    why: 'no two policies have one name: the configuration is refused',
  },
  {
    file: 'src/guard/decision/intents.ts',
    within: 'return policies.find(({ name }) => name === policy);',
    was: 'find',
    by: 'findLast',
    why: 'no two policies have one name: the configuration is refused',
  },
];

/** The entry that names a slip. */
export function equivalentOf(mutant: Mutant, all: readonly Equivalent[] = equivalents): Equivalent | undefined {
  return all.find(
    ({ file, within, was, by }) =>
      file === mutant.file && within === mutant.within && was === mutant.was && by === mutant.by,
  );
}

/** Those that name nothing any more, as the sources went on. */
export function staleIn(mutants: readonly Mutant[], all: readonly Equivalent[] = equivalents): readonly Equivalent[] {
  return all.filter((one) => !mutants.some((mutant) => equivalentOf(mutant, [one]) !== undefined));
}
