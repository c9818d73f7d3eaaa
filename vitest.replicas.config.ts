import { defineConfig } from 'vitest/config';
import { execArgv, experimental } from './vitest.config.ts';

/** Failovers of daemons that share a PostgreSQL, which wait for leases in real time: on a busy machine they take too long. */
export default defineConfig({
  test: {
    name: 'replicas',
    include: ['test/replicas/**/*.test.ts'],
    globalSetup: ['test/support/build-program.ts'],
    maxWorkers: 1,
    execArgv,
    experimental,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
