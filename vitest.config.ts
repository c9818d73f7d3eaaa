import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // The long tests mostly wait for real beats: on two cores, two workers would take twice the time.
    maxWorkers: 4,
    coverage: { provider: 'v8', include: ['src/**'] },
  },
});
