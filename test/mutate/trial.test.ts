import { describe, expect, it } from 'vitest';
import type { Round } from '../../mutate/targets.ts';
import { limitsOf, tryMutant } from '../../mutate/trial.ts';
import type { Ended, Workshop } from '../../mutate/workshop.ts';
import { mutantOf } from './texts.ts';

const [own, rest, long]: readonly [Round, Round, Round] = [
  { pace: 'short', tests: ['a.test.ts'] },
  { pace: 'short', tests: ['b.test.ts', 'c.test.ts'] },
  { pace: 'long', tests: ['d.test.ts'] },
];
const well: Ended = { isWell: true, isLate: false, text: '' };
const red: Ended = { isWell: false, isLate: false, text: 'expected 7' };
const late: Ended = { isWell: false, isLate: true, text: '' };

/** Answers one run after another, and notes what was run, for how long at most, and with how many slips in place. */
function workshopOf(answers: readonly Ended[]) {
  const runs: string[] = [];
  let slips = 0;
  const workshop: Workshop = {
    run: (program, limit) => {
      runs.push(`${program.slice(2).join(' ')} ${limit} ${slips}`);
      const answer = answers[runs.length - 1];
      return answer === undefined ? Promise.reject(new Error('not expected')) : Promise.resolve(answer);
    },
    hold: async (mutants, work) => {
      slips = mutants.length;
      return await work();
    },
    close: () => Promise.resolve(),
  };
  return { workshop, runs };
}

describe('a slip', () => {
  it.each([
    ['killed', [red]],
    ['killed', [well, red]],
    ['killed', [well, well, red]],
    ['late', [well, late]],
    ['survived', [well, well, well]],
  ] as const)('is %s by %j', async (fate, answers) => {
    const { workshop, runs } = workshopOf(answers);
    const limits = { short: 5, long: 50 };
    expect(await tryMutant(mutantOf(), [own, rest, long], { workshop, limits })).toBe(fate);
    const all = ['a.test.ts 5 1', 'b.test.ts c.test.ts 5 1', 'd.test.ts 50 1'];
    expect(runs).toEqual(all.slice(0, answers.length));
  });
});

describe('the limits', () => {
  it('are three times what all tests of a pace take without a slip, and ten seconds', async () => {
    const { workshop, runs } = workshopOf([well, well]);
    const times = [0, 1000.4, 2000, 42_000];
    const limits = await limitsOf([own, rest, long, own], workshop, () => times.shift() ?? 0);
    expect(limits).toEqual({ short: 13_001, long: 130_000 });
    expect(runs).toEqual(['a.test.ts b.test.ts c.test.ts 600000 0', 'd.test.ts 600000 0']);
  });

  it('need no run where there is no test', async () => {
    const { workshop, runs } = workshopOf([well]);
    await limitsOf([own], workshop, () => 0);
    expect(runs).toHaveLength(1);
  });

  it('are none where tests fail anyway', async () => {
    const { workshop } = workshopOf([red]);
    await expect(limitsOf([own], workshop, () => 0)).rejects.toThrow('expected 7');
  });
});
