import type { Mutant } from './mutants.ts';
import type { Round } from './targets.ts';
import type { Workshop } from './workshop.ts';

/** What became of a slip. One that makes a test run without end is found as well. */
export type Fate = 'killed' | 'late' | 'survived';

/** How long a round of tests may take, in ms. */
export type Limits = Readonly<Record<Round['pace'], number>>;

/** How much longer than without a slip. */
const patience = { factor: 3, more: 10_000 } as const;
const longest = 600_000;

/** Runs the tests in rounds until one fails. */
export async function tryMutant(
  mutant: Mutant,
  rounds: readonly Round[],
  { workshop, limits }: { readonly workshop: Workshop; readonly limits: Limits },
): Promise<Fate> {
  return await workshop.hold([mutant], async () => {
    for (const { tests, pace } of rounds) {
      const { isWell, isLate } = await workshop.run(runOf(tests), limits[pace]);
      if (!isWell) return isLate ? 'late' : 'killed';
    }
    return 'survived';
  });
}

/** By what all tests of a pace take as the sources are; throws where one fails then: no slip could be told from none. */
export async function limitsOf(rounds: readonly Round[], workshop: Workshop, elapsed: () => number): Promise<Limits> {
  const limitOf = async (pace: Round['pace']): Promise<number> => {
    const tests = new Set(rounds.filter((round) => round.pace === pace).flatMap((round) => round.tests));
    if (tests.size === 0) return longest;
    const began = elapsed();
    const { isWell, text } = await workshop.run(runOf([...tests]), longest);
    if (!isWell) throw new Error(`the tests fail without a slip\n${text}`);
    return Math.round((elapsed() - began) * patience.factor + patience.more);
  };
  return { short: await limitOf('short'), long: await limitOf('long') };
}

function runOf(tests: readonly string[]): readonly string[] {
  return ['vitest/vitest.mjs', 'run', ...tests];
}
