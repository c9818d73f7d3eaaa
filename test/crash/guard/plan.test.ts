import { describe, expect, it } from 'vitest';
import { fateOf, kinds, moments } from '../../../crash/guard/plan.ts';

function decisions(seed: number): unknown {
  const fate = fateOf(seed);
  return [fate.limits, fate.blind, fate.nextKill(), fate.nextOrder(), fate.pause(), fate.answer()];
}

describe('fate', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(decisions(7)).toEqual(decisions(7));
    expect(decisions(7)).not.toEqual(decisions(8));
  });

  it('kills at every moment, also at the very one', () => {
    const fate = fateOf(1);
    const kills = Array.from({ length: 400 }, () => fate.nextKill());
    for (const moment of moments) {
      const own = kills.filter((kill) => kill.moment === moment);
      expect(own.length, moment).toBeGreaterThan(15);
      if (moment !== 'time') expect(own.some(({ after }) => after === 0)).toBe(true);
    }
  });

  it('starts queries of every kind on both nodes, the young ones too young', () => {
    const fate = fateOf(1);
    const orders = Array.from({ length: 400 }, () => fate.nextOrder());
    expect(new Set(orders.map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)));
    expect(new Set(orders.map(({ node }) => node))).toEqual(new Set([0, 1]));
    expect(Math.max(...orders.map(({ kind, runsFor }) => (kind === 'young' ? runsFor : 0)))).toBeLessThan(2000);
  });

  it('answers as it should more often than not, and blinds few', () => {
    const fate = fateOf(1);
    const answers = Array.from({ length: 200 }, () => fate.answer());
    expect(answers.filter((one) => one === undefined).length).toBeGreaterThan(80);
    expect(new Set(answers).size).toBe(6);
    const blinds = Array.from({ length: 100 }, (_, seed) => fateOf(seed).blind);
    expect(blinds.filter((one) => one !== undefined).length).toBeLessThan(60);
  });
});
