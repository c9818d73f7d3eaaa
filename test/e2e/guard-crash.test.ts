import { expect, it } from 'vitest';
import { runCrashes } from '../../campaigns/crash/guard/crash-run.ts';
import { hasNoFindings, isSignificant, summarize, summaryLines } from '../../campaigns/crash/guard/report.ts';
import { program as entry } from '../support/build-program.ts';

/** `npm run crash:guard` does this a thousand times, and lets every outcome come. */
const kills = Number(process.env.CRASHES ?? 3);
/** The first three kills of the two seeds wait for each kind of moment at least once. */
const seeds = [6, 11];

it('guard aborts each runaway query once and within its budgets, through kills at the worst moments', async () => {
  const results = await Promise.all(seeds.map((seed) => runCrashes({ entry, seed, kills, settleTime: 7000 })));
  expect(results.flatMap(({ findings }) => findings)).toEqual([]);
  const tally = summarize(results);
  expect(hasNoFindings(tally) && isSignificant(tally), summaryLines(tally).join('\n')).toBe(true);
}, 600_000);
