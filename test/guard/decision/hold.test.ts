import { describe, expect, it } from 'vitest';
import { holdOf } from '../../../src/guard/decision/hold.ts';
import type { GuardSettings, Policy } from '../../../src/guard/policy.ts';
import { bound, policyOf } from '../match-inputs.ts';
import { stepContextOf } from './contexts.ts';
import { GuardSimulation, type SimulationBehavior, settingsOf } from './guard-simulation.ts';

const runaway = policyOf({ age: bound('> 10000') }, { grace: 5000 });

/** Two old queries on one node, after some time. */
function simulate(
  policy: Policy = runaway,
  changes: Partial<GuardSettings> = {},
  behavior: Partial<SimulationBehavior> = {},
) {
  const settings = settingsOf([policy], changes);
  const simulation = new GuardSimulation(settings, behavior).begin();
  const first = simulation.start({ age: 20_000 });
  const second = simulation.start({ age: 19_000 });
  const hold = ({ id }: { readonly id: string }, isPolled = true) => {
    const match = [...simulation.state.matches, ...simulation.state.upcoming].find(
      ({ candidate }) => candidate.observation.id === id,
    );
    if (match === undefined) throw new Error('no policy matches the query');
    return holdOf(match, simulation.state, { ...stepContextOf(settings, simulation.now()), isPolled });
  };
  return { simulation, first, second, hold };
}

/** A server on which the query outlives its abort. */
function outlives() {
  return { answer: { kind: 'accepted', aborted: [] } as const, ends: false };
}

describe('reason for the delay of an abort', () => {
  it('is absent during its grace period', () => {
    const { simulation, first, hold } = simulate({ ...runaway, grace: 60_000 });
    simulation.run(20_000);
    expect(hold(first)).toBeUndefined();
  });

  it('is the limit of victims while another query is selected', () => {
    const { simulation, second, hold } = simulate({ ...runaway, grace: 60_000 });
    simulation.run(20_000);
    expect(hold(second)).toEqual({ reason: 'other_victims' });
  });

  it('is the cooldown, with its end', () => {
    const { simulation, second, hold } = simulate();
    simulation.run(25_000);
    const [aborted] = simulation.aborts;
    expect(hold(second)).toMatchObject({ reason: 'cooldown', until: expect.any(Number) });
    expect((hold(second)?.until ?? 0) - simulation.now().mono).toBeLessThanOrEqual(60_000);
    expect(aborted).toBeDefined();
  });

  it('is the spent budget', () => {
    const one = { max: 1, within: 600_000 };
    const { simulation, second, hold } = simulate(
      { ...runaway, cooldown: 0 },
      { budgets: { perNode: one, perCluster: one } },
    );
    simulation.run(30_000);
    expect(hold(second)).toMatchObject({ reason: 'node_budget' });
  });

  it('is the pause, and the collector that is off', () => {
    const { simulation, first, hold } = simulate({ ...runaway, grace: 60_000 });
    simulation.run(20_000);
    expect(hold(first, false)).toEqual({ reason: 'collector_off' });
    simulation.send({ kind: 'paused', isPaused: true });
    expect(hold(first)).toEqual({ reason: 'paused' });
  });

  it('is absent while a policy waits for the age of a confirmed query', () => {
    const { simulation, first, hold } = simulate(policyOf({ age: bound('> 120000') }));
    simulation.run(20_000);
    expect(simulation.state.upcoming).toHaveLength(2);
    expect(hold(first)).toBeUndefined();
  });

  it('is the earlier attempt at a query that still runs', () => {
    const { simulation, first, hold } = simulate(
      runaway,
      {},
      { abort: () => ({ answer: { kind: 'refused' }, ends: false }) },
    );
    simulation.run(60_000);
    expect(simulation.of('outcome')).toMatchObject([{ outcome: 'refused' }]);
    expect(hold(first)).toEqual({ reason: 'tried_before' });
  });

  it('is the earlier report of a policy in observe mode', () => {
    const { simulation, first, hold } = simulate(runaway, { mode: 'observe' });
    simulation.run(60_000);
    expect(simulation.of('would_abort').length).toBeGreaterThan(0);
    expect(hold(first)).toEqual({ reason: 'already_reported' });
  });

  it('is absent while an abort whose request was not sent waits for its retry', () => {
    const { simulation, first, hold } = simulate(runaway, {}, { leaves: () => false });
    simulation.run(60_000);
    expect(simulation.of('outcome').map(({ outcome }) => outcome)).toContain('not_sent');
    expect([...simulation.state.decisions.values()]).toMatchObject([{ phase: 'grace', target: { id: first.id } }]);
    expect(hold(first)).toBeUndefined();
  });

  it('is absent once the abort request is sent, even if the guard is paused then', () => {
    const { simulation, first, hold } = simulate(runaway, {}, { abort: outlives });
    simulation.run(20_000);
    simulation.send({ kind: 'paused', isPaused: true });
    expect([...simulation.state.decisions.values()]).toMatchObject([{ phase: 'verifying' }]);
    expect(hold(first)).toBeUndefined();
  });
});
