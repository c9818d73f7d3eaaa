import { defineConfig } from 'vitest/config';
import { campaigns } from './vitest.config.ts';

/** Runs of simulated hours, which `npm test` plays in minutes: see `npm run test:campaign`. */
export default defineConfig({
  test: { name: 'campaign', include: [...campaigns], testTimeout: 120_000, hookTimeout: 120_000 },
});
