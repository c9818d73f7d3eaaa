import { expect, it } from 'vitest';
import { hasNoFindings, summarize, summaryLines } from '../../campaigns/crash/report.ts';
import { runScenario } from '../../campaigns/crash/scenario.ts';
import { program as entry } from '../support/build-program.ts';
import { numberOfRuns } from '../support/campaign.ts';

/** `npm run crash` does this a thousand times. */
const kills = numberOfRuns({ short: 2, campaign: 10 });

it.each([
  ['and receivers fail', false],
  ['receivers fail, the state directory disappears and reloads change receivers', true],
])(
  'alerting › keeps pending notifications when the daemon is killed at the worst moments, %s',
  async (_, hasFaults) => {
    const results = [await runScenario({ entry, seed: 3, kills, hasFaults })];
    expect(results.flatMap(({ findings }) => findings)).toEqual([]);
    const tally = summarize(results);
    expect(hasNoFindings(tally), summaryLines(tally).join('\n')).toBe(true);
    expect(tally.runsWithDelivery).toBeGreaterThan(0);
  },
  600_000,
);
