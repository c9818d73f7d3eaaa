import { describe, expect, it } from 'vitest';
import { forecastKey, policyForecasts } from '../../../src/app/guard/policy-forecast.ts';
import type { Policy } from '../../../src/guard/policy.ts';
import { GuardSimulation, settingsOf } from '../../guard/decision/guard-simulation.ts';
import { at } from '../../guard/observations.ts';
import { policyOf } from '../../guard/parsed-policy.ts';

const slow = policyOf({ name: 'slow', when: { age: '> 12s' } });
const named = policyOf({ name: 'named', when: { query: 'ring_*' } });

/** Returns a function for the forecast of a guard with these policies for its one query. */
function startSupervisor(policies: readonly Policy[]) {
  const simulation = new GuardSimulation(settingsOf(policies)).begin();
  const { id, node } = simulation.start();
  const verdict = () => policyForecasts(simulation.state, simulation.now()).get(forecastKey(node, id));
  return { simulation, id, verdict };
}

describe('the policy forecast of a query', () => {
  it('is empty before the query is listed, and if no policy matches', () => {
    expect(policyForecasts(new GuardSimulation(settingsOf([slow])).begin().state, at(0)).size).toBe(0);
    const { simulation, verdict } = startSupervisor([policyOf({ when: { graph: 'sandbox', age: '> 12s' } })]);
    simulation.run(30_000);
    expect(verdict()).toBeUndefined();
  });

  it('has the time of the match if only time is missing', () => {
    const { simulation, verdict } = startSupervisor([slow]);
    simulation.run(6000);
    expect(verdict()).toMatchObject({ isMatched: false, match: { policy: slow } });
    const matchesAt = (verdict()?.matchesAt ?? 0) - at(12_000).mono;
    expect(matchesAt).toBeGreaterThanOrEqual(0);
    expect(matchesAt).toBeLessThan(100);
  });

  it('names the policy of the decision from the same instant on', () => {
    const { simulation, verdict } = startSupervisor([slow]);
    simulation.run(20_000);
    const [began] = simulation.of('began');
    expect(verdict()).toMatchObject({ isMatched: true, matchesAt: began?.decision.matchedAt, match: { owns: true } });
  });

  it('is not a match before the confirmation, and has its earliest time', () => {
    const { simulation, verdict } = startSupervisor([named]);
    simulation.run(100);
    expect(verdict()).toMatchObject({ isMatched: false, matchesAt: at(4500).mono });
    simulation.run(2900);
    expect(verdict()).toMatchObject({ isMatched: false, matchesAt: at(4500).mono });
    simulation.run(5000);
    const { isMatched, matchesAt = 0 } = verdict() ?? {};
    expect(isMatched).toBe(true);
    expect(matchesAt).toBeGreaterThanOrEqual(at(4500).mono);
    expect(matchesAt).toBeLessThanOrEqual(simulation.now().mono);
  });

  it('does not have a match time in the past if the match is not certain', () => {
    const { simulation, verdict } = startSupervisor([{ ...named, confirm: { observations: 2, apart: 60_000 } }]);
    simulation.run(10_000);
    expect(verdict()).toMatchObject({ isMatched: false, matchesAt: at(54_000).mono });
    const later = at(70_000);
    const [late] = policyForecasts(simulation.state, later).values();
    expect(late).toMatchObject({ isMatched: false, matchesAt: later.mono });
  });

  it('names the policy that owns the query, not an earlier policy that will match', () => {
    const { simulation, verdict } = startSupervisor([slow, named]);
    simulation.run(8000);
    expect(verdict()?.match.policy.name).toBe('named');
  });

  it('names the enforcing policy that will match, not an observing one that already does', () => {
    const { simulation, verdict } = startSupervisor([
      { ...named, mode: 'observe' },
      { ...slow, mode: 'enforce' },
    ]);
    simulation.run(8000);
    expect(simulation.state.matches).toMatchObject([{ policy: { name: 'named' }, owns: true }]);
    expect(verdict()?.match.policy.name).toBe('slow');
  });

  it('names the policy that will match first', () => {
    const slower = { ...slow, name: 'slower', when: policyOf({ when: { age: '> 20s' } }).when };
    for (const policies of [
      [slower, slow],
      [slow, slower],
    ]) {
      const { simulation, verdict } = startSupervisor(policies);
      simulation.run(6000);
      expect(verdict()?.match.policy.name).toBe('slow');
    }
  });

  it('is separate for each node', () => {
    const simulation = new GuardSimulation(settingsOf([named]), {}, { nodes: ['n1', 'n2'], instances: {} }).begin();
    const ids = ['n1', 'n2'].map((node) => forecastKey(node, simulation.start({ node }).id));
    simulation.run(100);
    expect([...policyForecasts(simulation.state, simulation.now()).keys()].toSorted()).toEqual(ids);
  });

  it('is empty if the node is not covered any more', () => {
    const { simulation } = startSupervisor([named]);
    simulation.run(8000);
    expect(policyForecasts({ ...simulation.state, views: new Map() }, simulation.now()).size).toBe(0);
  });
});
