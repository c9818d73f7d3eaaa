import { describe, expect, it } from 'vitest';
import { forecastKey, policyForecasts } from '../../../src/app/guard/policy-forecast.ts';
import type { Policy } from '../../../src/guard/policy.ts';
import { GuardSimulation, settingsOf } from '../../guard/decision/guard-simulation.ts';
import { at } from '../../guard/observations.ts';
import { policyOf } from '../../guard/parsed-policy.ts';

const slow = policyOf({ name: 'slow', when: { age: '> 12s' } });
const named = policyOf({ name: 'named', when: { query: 'ring_*' } });

/** Returns a function for the forecast of a guard with these policies for its one query. */
function watching(policies: readonly Policy[]) {
  const world = new GuardSimulation(settingsOf(policies)).begin();
  const { id, node } = world.start();
  const verdict = () => policyForecasts(world.state, world.now()).get(forecastKey(node, id));
  return { world, id, verdict };
}

describe('the policy forecast of a query', () => {
  it('is empty before the query is listed, and if no policy matches', () => {
    expect(policyForecasts(new GuardSimulation(settingsOf([slow])).begin().state, at(0)).size).toBe(0);
    const { world, verdict } = watching([policyOf({ when: { graph: 'sandbox', age: '> 12s' } })]);
    world.run(30_000);
    expect(verdict()).toBeUndefined();
  });

  it('has the time of the match if only time is missing', () => {
    const { world, verdict } = watching([slow]);
    world.run(6000);
    expect(verdict()).toMatchObject({ isMatched: false, match: { policy: slow } });
    const matchesAt = (verdict()?.matchesAt ?? 0) - at(12_000).mono;
    expect(matchesAt).toBeGreaterThanOrEqual(0);
    expect(matchesAt).toBeLessThan(100);
  });

  it('names the policy of the decision from the same instant on', () => {
    const { world, verdict } = watching([slow]);
    world.run(20_000);
    const [began] = world.of('began');
    expect(verdict()).toMatchObject({ isMatched: true, matchesAt: began?.decision.matchedAt, match: { owns: true } });
  });

  it('is not a match before the confirmation, and has its earliest time', () => {
    const { world, verdict } = watching([named]);
    world.run(100);
    expect(verdict()).toMatchObject({ isMatched: false, matchesAt: at(4500).mono });
    world.run(2900);
    expect(verdict()).toMatchObject({ isMatched: false, matchesAt: at(4500).mono });
    world.run(5000);
    const { isMatched, matchesAt = 0 } = verdict() ?? {};
    expect(isMatched).toBe(true);
    expect(matchesAt).toBeGreaterThanOrEqual(at(4500).mono);
    expect(matchesAt).toBeLessThanOrEqual(world.now().mono);
  });

  it('does not have a match time in the past if the match is not certain', () => {
    const { world, verdict } = watching([{ ...named, confirm: { observations: 2, apart: 60_000 } }]);
    world.run(10_000);
    expect(verdict()).toMatchObject({ isMatched: false, matchesAt: at(54_000).mono });
    const later = at(70_000);
    const [late] = policyForecasts(world.state, later).values();
    expect(late).toMatchObject({ isMatched: false, matchesAt: later.mono });
  });

  it('names the policy that owns the query, not an earlier policy that will match', () => {
    const { world, verdict } = watching([slow, named]);
    world.run(8000);
    expect(verdict()?.match.policy.name).toBe('named');
  });

  it('names the policy that will match first', () => {
    const slower = { ...slow, name: 'slower', when: policyOf({ when: { age: '> 20s' } }).when };
    for (const policies of [
      [slower, slow],
      [slow, slower],
    ]) {
      const { world, verdict } = watching(policies);
      world.run(6000);
      expect(verdict()?.match.policy.name).toBe('slow');
    }
  });

  it('is separate for each node', () => {
    const world = new GuardSimulation(settingsOf([named]), {}, { nodes: ['n1', 'n2'], instances: {} }).begin();
    const ids = ['n1', 'n2'].map((node) => forecastKey(node, world.start({ node }).id));
    world.run(100);
    expect([...policyForecasts(world.state, world.now()).keys()].toSorted()).toEqual(ids);
  });

  it('is empty if the node is not covered any more', () => {
    const { world } = watching([named]);
    world.run(8000);
    expect(policyForecasts({ ...world.state, views: new Map() }, world.now()).size).toBe(0);
  });
});
