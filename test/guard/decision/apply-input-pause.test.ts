import { describe, expect, it } from 'vitest';
import { policyOf } from '../match-inputs.ts';
import { GuardSimulation, settingsOf } from './guard-simulation.ts';

describe('a resume of the guard', () => {
  it('gives a query that matched before a new confirmation and a complete grace period', () => {
    const simulation = new GuardSimulation(settingsOf([policyOf(undefined, { grace: 30_000 })])).begin();
    simulation.start({ age: 120_000 });
    simulation.run(20_000);
    simulation.send({ kind: 'paused', isPaused: true });
    simulation.run(60_000);
    expect(simulation.of('cancelled')).toMatchObject([{ skipReason: 'paused' }]);
    simulation.send({ kind: 'paused', isPaused: false });
    const resumedAt = simulation.now().mono;
    simulation.run(60_000);
    const [, second] = simulation.of('began');
    expect(second?.decision.matchedAt).toBeGreaterThan(resumedAt);
    expect(second?.decision.due).toBe((second?.decision.matchedAt ?? 0) + 30_000);
    expect(simulation.aborts).toHaveLength(1);
  });

  it('has no effect if the guard was not paused', () => {
    const simulation = new GuardSimulation(settingsOf([policyOf()])).begin();
    simulation.start({ age: 120_000 });
    simulation.run(20_000);
    const { views } = simulation.state;
    simulation.send({ kind: 'paused', isPaused: false });
    expect(simulation.state.views.get('n1')?.histories).toEqual(views.get('n1')?.histories);
  });
});
