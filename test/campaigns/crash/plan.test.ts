import { expect, it } from 'vitest';
import { createPlan, moments } from '../../../campaigns/crash/plan.ts';

function decisions(seed: number): unknown {
  const plan = createPlan(seed, true);
  return [plan.nextKill(), plan.nextChange(), plan.pause(), plan.receiverBehavior(), plan.nextKill()];
}

it('crash plan › is equal for the same seed and differs for another seed', () => {
  expect(decisions(7)).toEqual(decisions(7));
  expect(decisions(7)).not.toEqual(decisions(8));
});

it('crash plan › kills at each kind of moment, with and without a delay, within the maximum duration of a run', () => {
  const plan = createPlan(1, true);
  const kills = Array.from({ length: 400 }, () => plan.nextKill());
  for (const moment of moments) {
    const own = kills.filter((kill) => kill.moment === moment);
    expect(own.length).toBeGreaterThan(20);
    if (moment !== 'time') expect(own.some(({ after }) => after === 0)).toBe(true);
  }
  expect(Math.max(...kills.map(({ after }) => after))).toBeLessThan(2000);
});

it('crash plan › makes receivers fail in each way, but not always', () => {
  const plan = createPlan(1, true);
  const manners = Array.from({ length: 40 }, () => plan.receiverBehavior());
  expect(manners.every((manner) => manner.kind === 'random' && manner.chance <= 0.6 && manner.of.length > 8)).toBe(
    true,
  );
});
