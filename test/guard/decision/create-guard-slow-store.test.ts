import { expect, it } from 'vitest';
import { bound, policyOf } from '../match-inputs.ts';
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

/** A guard that stores its first intent within `after`, and whose clock or lists fail until then. */
function simulateLostList(after: number, fail: (simulation: GuardSimulation) => void) {
  let isFailing = false;
  const simulation: GuardSimulation = new GuardSimulation(
    settingsOf([policyOf({ age: bound('> 10000') }, { grace: 5000 })]),
    {
      commit: () => ({ after: simulation.of('outcome').length === 0 ? after : 5, isOnDisk: true }),
      body: (results) => (isFailing ? undefined : { results }),
    },
  ).begin();
  simulation.start();
  while (simulation.of('intent').length === 0) simulation.run(10);
  isFailing = true;
  fail(simulation);
  simulation.run(after);
  isFailing = false;
  simulation.run(120_000);
  return simulation;
}

it.each<[string, number, (simulation: GuardSimulation) => void]>([
  ['no list arrives for 20 s', 20_000, () => undefined],
  ['the local clock is set', 500, (simulation) => simulation.stepClock(2000)],
])('guard › aborts a query from fresh lists if %s while an intent is stored', (_, after, fail) => {
  const simulation = simulateLostList(after, fail);
  expect(simulation.of('outcome')).toMatchObject([
    { outcome: 'withdrawn', skipReason: 'too_old' },
    { outcome: 'confirmed' },
  ]);
  expect(simulation.aborts).toHaveLength(1);
});
