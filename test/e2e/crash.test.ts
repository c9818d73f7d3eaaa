import { expect, it } from 'vitest';
import { hasNoFindings, summarize, summaryLines } from '../../campaigns/crash/report.ts';
import { runScenario } from '../../campaigns/crash/scenario.ts';
import { program as entry } from '../support/build-program.ts';

/** `npm run crash` does this a thousand times. */
const kills = Number(process.env.CRASHES ?? 6);

// Kills depend on the scheduling of the machine, and a wait of the campaign can end late: one more scenario decides.
const options = { timeout: 600_000, retry: 2 };

it(
  'keeps pending notifications when the daemon is killed at the worst moments and receivers fail',
  options,
  async () => {
    const results = [await runScenario({ entry, seed: 3, kills })];
    expect(results.flatMap(({ findings }) => findings)).toEqual([]);
    const tally = summarize(results);
    expect(hasNoFindings(tally), summaryLines(tally).join('\n')).toBe(true);
    expect(tally.runsWithDelivery).toBeGreaterThan(0);
  },
);
