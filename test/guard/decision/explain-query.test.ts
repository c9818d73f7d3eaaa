import { describe, expect, it } from 'vitest';
import { explainQuery } from '../../../src/guard/decision/explain-query.ts';
import type { GuardSettings, Policy } from '../../../src/guard/policy.ts';
import { bound, globs, policyOf } from '../match-inputs.ts';
import { stepContextOf } from './contexts.ts';
import { GuardSimulation, type SimulationBehavior, settingsOf } from './guard-simulation.ts';

/** One query that has run for 20 s when the guard begins, and what the guard says of it. */
function simulate(
  policies: readonly Policy[],
  changes: Partial<GuardSettings> = {},
  ways: Partial<SimulationBehavior> = {},
) {
  const settings = settingsOf(policies, changes);
  const simulation = new GuardSimulation(settings, ways).begin();
  const query = simulation.start({ age: 20_000 });
  const explain = (id = query.id) =>
    explainQuery('n1', id, simulation.state, { ...stepContextOf(settings, simulation.now()), isPolled: true });
  return { simulation, query, explain };
}

describe('explanation of a query', () => {
  it('has each condition with its value, and the decision in its grace period', () => {
    const when = { graph: globs('fraud'), method: globs('GET'), age: bound('> 10000') };
    const gate = { needs: 'any', clauses: [{ source: 'node_memory', bound: bound('> 0.85'), for: 120_000 }] } as const;
    const other = policyOf(when, { name: 'other', gate });
    const { simulation, explain } = simulate([policyOf({ age: bound('> 10000') }, { grace: 60_000 }), other]);
    simulation.run(12_000);
    const { listing, policies } = explain();
    expect(listing).toBe('listed');
    expect(policies.map(({ policy, match, decision }) => [policy.name, match?.owns, decision?.phase])).toEqual([
      ['runaway', true, 'grace'],
      ['other', undefined, undefined],
    ]);
    expect(policies[0]?.conditions).toEqual([
      { section: 'when', name: 'age', wanted: '> 10s', seen: expect.stringMatching(/^3\ds/), holds: true },
    ]);
    expect(policies[0]?.observations).toBe(2);
    expect(policies[1]?.conditions).toMatchObject([
      { section: 'when', name: 'graph', wanted: 'fraud', seen: 'fraud', holds: true },
      { section: 'when', name: 'method', wanted: 'GET', seen: undefined, holds: undefined },
      { section: 'when', name: 'age', holds: true },
      { section: 'gate', name: 'node_memory', wanted: '> 0.85 for 2m', seen: undefined, holds: undefined },
    ]);
  });

  it('has the value of a gate, and whether it is open', () => {
    const gate = { needs: 'any', clauses: [{ source: 'node_memory', bound: bound('> 0.85'), for: 0 }] } as const;
    const { simulation, explain } = simulate([policyOf(undefined, { gate })]);
    simulation.run(6000);
    const press = (value: number) => {
      const at = simulation.now().mono;
      const pressure = { node: 'n1', source: 'node_memory', value, at, collectedAt: at, interval: 60_000 } as const;
      simulation.send({ kind: 'gate_value', pressure });
      return explain().policies[0]?.conditions[1];
    };
    expect(press(0.912)).toMatchObject({ seen: '0.912', holds: true });
    expect(press(0.5)).toMatchObject({ seen: '0.5', holds: false });
  });

  it('has the queries that count in a group, and the local time of a window', () => {
    const group = { by: ['graph'], count: bound('>= 2') } as const;
    const active = { days: [0, 1, 2, 3, 4, 5, 6], from: 0, to: 1440, zone: 'UTC' };
    const { simulation, explain } = simulate([policyOf({ age: bound('> 10000') }, { group, active })]);
    simulation.run(6000);
    expect(explain().policies[0]?.conditions.slice(1)).toMatchObject([
      { section: 'active', seen: expect.stringMatching(/^\w{3} \d\d:\d\d$/), holds: true },
      { section: 'group', name: 'graph', seen: expect.stringMatching(/^1 query, oldest 2\ds/), holds: false },
    ]);
    // A query that no earlier list had is as old as the lists show.
    simulation.start();
    simulation.run(16_000);
    expect(explain().policies[0]?.conditions[2]).toMatchObject({
      seen: expect.stringMatching(/^2 queries/),
      holds: true,
    });
  });

  it('has the policies that enforce first, and who owns the query', () => {
    const { simulation, explain } = simulate([
      policyOf(undefined, { name: 'watcher', mode: 'observe', when: { age: bound('> 10000') } }),
      policyOf({ age: bound('> 10000') }),
    ]);
    simulation.run(12_000);
    expect(explain().policies.map(({ policy, mode, match }) => [policy.name, mode, match?.owns])).toEqual([
      ['runaway', 'enforce', true],
      ['watcher', 'observe', false],
    ]);
  });

  it('has the entries that protect a query', () => {
    const protect = [{ graph: globs('fraud'), query: globs('ring_*') }, { graph: globs('ledger') }];
    const { simulation, explain } = simulate([policyOf()], { protect });
    simulation.run(6000);
    const { protections, policies } = explain();
    expect(protections).toMatchObject([
      [
        { name: 'graph', wanted: 'fraud', seen: 'fraud', holds: true },
        { name: 'query', wanted: 'ring_*', seen: 'ring_scan', holds: true },
      ],
    ]);
    expect(policies[0]?.match).toBeUndefined();
  });

  it('has the reason for a delay, and the reason why the policy is not ready', () => {
    const { simulation, explain } = simulate([policyOf({ age: bound('> 10000') }, { grace: 60_000 })]);
    simulation.run(12_000);
    expect(explain().policies[0]).toMatchObject({ hold: undefined, notReady: [] });
    simulation.send({ kind: 'paused', isPaused: true });
    expect(explain().policies[0]).toMatchObject({ hold: { reason: 'paused' }, notReady: ['paused'] });
  });

  it('does not state whether a query is listed without a recent list', () => {
    let isDown = true;
    const ways = { body: (results: readonly unknown[]) => (isDown ? undefined : { results }) };
    const { simulation, explain } = simulate([policyOf({ age: bound('> 10000') }, { grace: 60_000 })], {}, ways);
    simulation.run(6000);
    expect(explain()).toMatchObject({ listing: 'no_list', listedAt: undefined, policies: [] });
    isDown = false;
    simulation.run(12_000);
    const { listing, listedAt } = explain();
    expect(listing).toBe('listed');
    isDown = true;
    simulation.run(30_000);
    expect(explain()).toMatchObject({ listing: 'no_list', candidate: undefined, policies: [] });
    expect(explain().listedAt).toBeGreaterThanOrEqual(listedAt ?? 0);
  });

  it('has the time of the last list with an ended query, and no time for an unknown one', () => {
    const { simulation, query, explain } = simulate([policyOf({ age: bound('> 10000') }, { grace: 0 })]);
    simulation.run(40_000);
    expect(simulation.aborts).toHaveLength(1);
    const { listing, listedAt, policies } = explain();
    expect([listing, policies]).toEqual(['not_listed', []]);
    expect(listedAt).toBeLessThan(simulation.now().mono);
    expect(explain(query.id.replace(/^\d+/, '99999'))).toMatchObject({ listing: 'not_listed', listedAt: undefined });
  });
});
