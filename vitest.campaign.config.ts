import { defineConfig } from 'vitest/config';
import { campaigns, execArgv, experimental, goSettings, longestFirst } from './vitest.config.ts';

/** Files that take more than a minute, longest first. */
const longest: readonly string[] = [
  'test/e2e/rules/differential-hours.test.ts',
  'test/e2e/faults.test.ts',
  'test/e2e/rules/differential.test.ts',
  'test/e2e/scenario-agreement.test.ts',
  'test/e2e/evil-node.test.ts',
  'test/app/poll/garbled-answers.test.ts',
  'test/guard/decision/readiness-faults.test.ts',
  'test/notify/outbox/delivery-log-sequences.test.ts',
  'test/campaigns/fuzz.test.ts',
  'test/guard/differential.test.ts',
  'test/e2e/strict-pages.test.ts',
];

/** Long forms of tests: runs of simulated hours, randomized tests with more runs than in `npm test`, and further cases. */
export default defineConfig({
  test: {
    name: 'campaign',
    include: [...campaigns],
    globalSetup: ['test/support/build-program.ts'],
    env: { TEST_CAMPAIGN: 'true', ...goSettings },
    sequence: { sequencer: longestFirst(longest) },
    // By default, two cores have one worker. Each file has a heap of its own: the garbage of another one would be part of
    // the processor time that the fuzz targets measure.
    maxWorkers: 3,
    execArgv,
    experimental,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
