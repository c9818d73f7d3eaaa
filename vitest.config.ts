import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Only for what hangs: on a machine with other work everything else may take many times its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The long tests mostly wait for real beats: on two cores, two workers would take twice the time.
    maxWorkers: 4,
    coverage: { provider: 'v8', include: ['src/**'] },
  },
});
