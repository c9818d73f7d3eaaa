import { describe, expect, it } from 'vitest';
import { limitsOf, runMutant } from '../../../campaigns/mutate/run-mutant.ts';
import type { ProcessResult, Sandbox } from '../../../campaigns/mutate/sandbox.ts';
import type { TestRound } from '../../../campaigns/mutate/targets.ts';
import { mutantOf } from './mutations.ts';

const [own, rest, long]: readonly [TestRound, TestRound, TestRound] = [
  { pace: 'short', tests: ['a.test.ts'] },
  { pace: 'short', tests: ['b.test.ts', 'c.test.ts'] },
  { pace: 'long', tests: ['d.test.ts'] },
];
const well: ProcessResult = { isSuccess: true, isTimedOut: false, text: '' };
const red: ProcessResult = { isSuccess: false, isTimedOut: false, text: 'expected 7' };
const late: ProcessResult = { isSuccess: false, isTimedOut: true, text: '' };

/** Returns one result per run, and records the tests, the time limit and the number of mutations of each run. */
function sandboxOf(answers: readonly ProcessResult[]) {
  const runs: string[] = [];
  let slips = 0;
  const sandbox: Sandbox = {
    run: (program, limit) => {
      runs.push(`${program.slice(2).join(' ')} ${limit} ${slips}`);
      const answer = answers[runs.length - 1];
      return answer === undefined ? Promise.reject(new Error('not expected')) : Promise.resolve(answer);
    },
    writeFile: async (mutants, work) => {
      slips = mutants.length;
      return await work();
    },
    close: () => Promise.resolve(),
  };
  return { sandbox, runs };
}

describe('a mutant', () => {
  it.each([
    ['killed', 'by its own tests', [red]],
    ['killed', 'by the second round', [well, red]],
    ['killed', 'by the last round', [well, well, red]],
    ['late', 'if a round times out', [well, late]],
    ['survived', 'if all rounds pass', [well, well, well]],
  ] as const)('is %s %s', async (outcome, _, answers) => {
    const { sandbox, runs } = sandboxOf(answers);
    const limits = { short: 5, long: 50 };
    expect(await runMutant(mutantOf(), [own, rest, long], { sandbox, limits })).toBe(outcome);
    const all = ['a.test.ts 5 1', 'b.test.ts c.test.ts 5 1', 'd.test.ts 50 1'];
    expect(runs).toEqual(all.slice(0, answers.length));
  });
});

describe('the time limits', () => {
  it('are three times the duration of a round without a mutation, plus ten seconds', async () => {
    const { sandbox, runs } = sandboxOf([well, well]);
    const times = [0, 1000.4, 2000, 42_000];
    const limits = await limitsOf([own, rest, long, own], sandbox, () => times.shift() ?? 0);
    expect(limits).toEqual({ short: 13_001, long: 130_000 });
    expect(runs).toEqual(['a.test.ts b.test.ts c.test.ts 600000 0', 'd.test.ts 600000 0']);
  });

  it('do not run a round without tests', async () => {
    const { sandbox, runs } = sandboxOf([well]);
    await limitsOf([own], sandbox, () => 0);
    expect(runs).toHaveLength(1);
  });

  it('throw if tests fail without a mutation', async () => {
    const { sandbox } = sandboxOf([red]);
    await expect(limitsOf([own], sandbox, () => 0)).rejects.toThrow('expected 7');
  });
});
