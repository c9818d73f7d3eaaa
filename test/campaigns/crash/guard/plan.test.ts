import { describe, expect, it } from 'vitest';
import { createRandomPlan, killTriggers, queryKinds } from '../../../../campaigns/crash/guard/plan.ts';

function decisions(seed: number): unknown {
  const plan = createRandomPlan(seed);
  return [plan.limits, plan.nodeWithoutLists, plan.nextKill(), plan.nextQuery(), plan.pause(), plan.abortFault()];
}

describe('the random plan', () => {
  it('is equal for the same seed and differs for another seed', () => {
    expect(decisions(7)).toEqual(decisions(7));
    expect(decisions(7)).not.toEqual(decisions(8));
  });

  it('kills at each kind of moment, with and without a delay', () => {
    const plan = createRandomPlan(1);
    const kills = Array.from({ length: 400 }, () => plan.nextKill());
    for (const moment of killTriggers) {
      const own = kills.filter((kill) => kill.moment === moment);
      expect(own.length, moment).toBeGreaterThan(15);
      if (moment !== 'time') expect(own.some(({ after }) => after === 0)).toBe(true);
    }
  });

  it('starts queries of each kind on both nodes, and ends young ones before the minimum age', () => {
    const plan = createRandomPlan(1);
    const orders = Array.from({ length: 400 }, () => plan.nextQuery());
    expect(new Set(orders.map(({ kind }) => kind))).toEqual(new Set(Object.keys(queryKinds)));
    expect(new Set(orders.map(({ node }) => node))).toEqual(new Set([0, 1]));
    expect(Math.max(...orders.map(({ kind, runsFor }) => (kind === 'short' ? runsFor : 0)))).toBeLessThan(2000);
  });

  it('has no abort fault in most runs, and fails the lists of a node in a few', () => {
    const plan = createRandomPlan(1);
    const answers = Array.from({ length: 200 }, () => plan.abortFault());
    expect(answers.filter((one) => one === undefined).length).toBeGreaterThan(80);
    expect(new Set(answers).size).toBe(6);
    const blinds = Array.from({ length: 100 }, (_, seed) => createRandomPlan(seed).nodeWithoutLists);
    expect(blinds.filter((one) => one !== undefined).length).toBeLessThan(60);
  });
});
