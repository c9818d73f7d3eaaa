import { expect, it } from 'vitest';
import { fateOf, moments } from '../../crash/plan.ts';

function decisions(seed: number): unknown {
  const fate = fateOf(seed);
  return [fate.nextKill(), fate.nextChange(), fate.pause(), fate.manner(), fate.nextKill()];
}

it('is the same for the same seed, and another for another', () => {
  expect(decisions(7)).toEqual(decisions(7));
  expect(decisions(7)).not.toEqual(decisions(8));
});

it('kills at every moment, also at the very one, and never later than a life may last', () => {
  const fate = fateOf(1);
  const kills = Array.from({ length: 400 }, () => fate.nextKill());
  for (const moment of moments) {
    const own = kills.filter((kill) => kill.moment === moment);
    expect(own.length).toBeGreaterThan(20);
    if (moment !== 'time') expect(own.some(({ after }) => after === 0)).toBe(true);
  }
  expect(Math.max(...kills.map(({ after }) => after))).toBeLessThan(2000);
});

it('lets receivers fail in every way, but not always', () => {
  const fate = fateOf(1);
  const manners = Array.from({ length: 40 }, () => fate.manner());
  expect(manners.every((manner) => manner.kind === 'random' && manner.chance <= 0.6 && manner.of.length > 8)).toBe(
    true,
  );
});
