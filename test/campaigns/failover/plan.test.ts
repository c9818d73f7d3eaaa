import { expect, it } from 'vitest';
import { allFaults, createPlan, databaseFaults, outage, replicaFaults } from '../../../campaigns/failover/plan.ts';

const faults = [...replicaFaults, ...databaseFaults];
const options = { seed: 7, replicas: 3, lease: 4000, faults };

function rounds(given: Partial<typeof options> = {}, count = 300) {
  const plan = createPlan({ ...options, ...given });
  return Array.from({ length: count }, () => plan.nextRound());
}

it('failover plan › has all faults, each longer than a lease, and is the same for the same seed', () => {
  const planned = rounds();
  expect(new Set(planned.map(({ first }) => first.name))).toEqual(new Set(faults));
  for (const { first } of planned) expect(first.length).toBeGreaterThan(options.lease);
  expect(rounds()).toEqual(planned);
  expect(rounds({ seed: 8 })).not.toEqual(planned);
  expect(new Set(planned.map(({ first }) => first.skew))).toEqual(new Set([0, 3_600_000, -3_600_000]));
});

it('a second fault of a replica can begin before the first one ends, if two others remain', () => {
  const seconds = rounds().flatMap(({ second }) => second ?? []);
  expect(seconds.length).toBeGreaterThan(100);
  for (const { name, moment } of seconds) {
    expect(replicaFaults).toContain(name);
    expect(moment.after).toBeLessThan(options.lease);
  }
  expect(rounds({ replicas: 2 }).flatMap(({ second }) => second ?? [])).toEqual([]);
});

it('failover plan › waits for the given moments and lengths only', () => {
  const moment = { kind: 'abort', after: 0 } as const;
  const plan = createPlan({ ...options, faults: [outage], moments: [moment], length: 60 });
  expect(plan.nextRound()).toMatchObject({ first: { name: outage, moment, length: 240_000 } });
  expect(allFaults).toContain(outage);
});
