import { expect, it } from 'vitest';
import { policyOf } from '../match-inputs.ts';
import { GuardSimulation, settingsOf } from './guard-simulation.ts';

it.each([
  [2900, 1],
  [3100, 0],
])('a store that takes %i ms for an intent, while fresh lists arrive: %i aborts', (after, aborts) => {
  const ways = { commit: () => ({ after, isOnDisk: true }) };
  const simulation = new GuardSimulation(settingsOf([policyOf()]), ways, { interval: 500 }).begin();
  simulation.start();
  // The collector requests lists as well.
  for (let second = 0; second < 300; second += 0.5) {
    simulation.run(500);
    simulation.poll('n1');
  }
  expect(simulation.of('intent').length).toBeGreaterThan(0);
  expect(simulation.aborts).toHaveLength(aborts);
  if (aborts > 0) return;
  expect(simulation.of('outcome')).toMatchObject(
    Array.from({ length: 3 }, () => ({ outcome: 'withdrawn', skipReason: 'too_old' })),
  );
});
