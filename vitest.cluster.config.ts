import { defineConfig } from 'vitest/config';
import { execArgv, experimental, goSettings } from './vitest.config.ts';

/** Tests on a real Kubernetes control plane, which `npm run test:cluster` runs in namespaces of their own. */
export default defineConfig({
  test: {
    name: 'cluster',
    include: ['test/cluster/**/*.test.ts'],
    globalSetup: ['test/support/build-program.ts', 'test/support/cluster/setup.ts'],
    env: goSettings,
    // Each file has namespaces of Kubernetes of its own, and waits longer than it computes.
    maxWorkers: 3,
    execArgv,
    experimental,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
