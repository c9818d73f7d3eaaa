import { expect, it } from 'vitest';
import { runScenario } from '../../campaigns/failover/scenario.ts';
import { program as entry } from '../support/build-program.ts';
import { hasPostgres } from '../support/postgres.ts';

/** `npm run failover` injects many more faults. */
it.skipIf(!hasPostgres())('replicas keep all guarantees through faults of processes and of PostgreSQL', async () => {
  const size = { rounds: 8, latestRound: Number.POSITIVE_INFINITY, replicas: 3, clusters: 6, usesPostgres: true };
  const { findings, evidence } = await runScenario({ entry, seed: 1, ...size });
  expect(findings).toEqual([]);
  expect(evidence.faults.length).toBeGreaterThanOrEqual(8);
});
