import type { Mutant } from './mutants.ts';
import type { Sandbox } from './sandbox.ts';
import type { TestRound } from './targets.ts';

/** Outcome of a mutant. A mutant that makes a test exceed its time limit is detected as well. */
export type MutantOutcome = 'killed' | 'late' | 'survived';

/** Time limits of rounds of tests, in ms. */
export type TimeLimits = Readonly<Record<TestRound['pace'], number>>;

/** Allowed duration relative to a run without a mutation. */
const timeoutFactor = { factor: 3, more: 10_000 } as const;
const maxTimeout = 600_000;

/** Runs the tests of a mutant in rounds until one fails. */
export async function runMutant(
  mutant: Mutant,
  rounds: readonly TestRound[],
  { sandbox, limits }: { readonly sandbox: Sandbox; readonly limits: TimeLimits },
): Promise<MutantOutcome> {
  return await sandbox.writeFile([mutant], async () => {
    for (const { tests, pace } of rounds) {
      const { isSuccess, isTimedOut } = await sandbox.run(vitestArguments(tests), limits[pace]);
      if (!isSuccess) return isTimedOut ? 'late' : 'killed';
    }
    return 'survived';
  });
}

/**
 * Measures the duration of the tests without a mutation. Throws if a test fails, because no mutant could be detected.
 */
export async function limitsOf(
  rounds: readonly TestRound[],
  sandbox: Sandbox,
  elapsed: () => number,
): Promise<TimeLimits> {
  const limitOf = async (pace: TestRound['pace']): Promise<number> => {
    const tests = new Set(rounds.filter((round) => round.pace === pace).flatMap((round) => round.tests));
    if (tests.size === 0) return maxTimeout;
    const began = elapsed();
    const { isSuccess, text } = await sandbox.run(vitestArguments([...tests]), maxTimeout);
    if (!isSuccess) throw new Error(`the tests fail without a mutation\n${text}`);
    return Math.round((elapsed() - began) * timeoutFactor.factor + timeoutFactor.more);
  };
  return { short: await limitOf('short'), long: await limitOf('long') };
}

function vitestArguments(tests: readonly string[]): readonly string[] {
  return ['vitest/vitest.mjs', 'run', ...tests];
}
