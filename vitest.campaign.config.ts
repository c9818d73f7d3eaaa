import { defineConfig } from 'vitest/config';
import { campaigns } from './vitest.config.ts';

/** Long forms of tests: runs of simulated hours, and randomized tests with more runs than in `npm test`. */
export default defineConfig({
  test: {
    name: 'campaign',
    include: [...campaigns],
    globalSetup: ['test/support/build-program.ts'],
    env: { TEST_CAMPAIGN: 'true' },
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
