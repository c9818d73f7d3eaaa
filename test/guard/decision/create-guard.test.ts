import { describe, expect, it } from 'vitest';
import { hasAbortsInFlight } from '../../../src/guard/decision/create-guard.ts';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import { bound, globs, policyOf } from '../match-inputs.ts';
import { GuardSimulation, type SimulationBehavior, settingsOf } from './guard-simulation.ts';

const minute = 60_000;

/** One runaway that reaches its minute, at which a policy with 30 s of grace matches. */
function runaway(
  settings: GuardSettings = settingsOf([policyOf()]),
  ways: Partial<SimulationBehavior> = {},
): GuardSimulation {
  const simulation = new GuardSimulation(settings, ways).begin();
  simulation.start();
  return simulation;
}

describe('decision', () => {
  it('has all phases from the first list to the outcome', () => {
    const simulation = runaway().run(3 * minute);
    expect(simulation.of('began')).toHaveLength(1);
    expect(simulation.of('intent')).toHaveLength(1);
    expect(simulation.aborts).toMatchObject([
      { order: { node: 'n1', graph: 'fraud' }, hit: { url: '/query/fraud/ring_scan' } },
    ]);
    expect(simulation.of('outcome')).toMatchObject([{ outcome: 'confirmed', pages: false }]);
    expect(simulation.state.decisions.size).toBe(0);
  });

  it('is aborted at the earliest abort time, the match time plus the grace period', () => {
    const simulation = runaway().run(3 * minute);
    const [abort] = simulation.aborts;
    expect(abort?.time).toBeGreaterThanOrEqual(90_000);
    expect(abort?.time).toBeLessThanOrEqual(90_250);
    expect(simulation.of('sent')[0]?.reaction).toBeLessThanOrEqual(250);
  });

  it.each([0, 100, 300, 500, 700, 900, 1000, 1100])(
    'is not committed if its list of %i ms ago would be too old when the intent is stored',
    (age) => {
      const settings = settingsOf([policyOf(undefined, { cooldown: 0, victims: { pick: 'oldest', max: 5 } })]);
      const simulation = runaway(settings, { commit: () => ({ after: 400, isOnDisk: true }) }).run(age);
      simulation.start({ url: '/query/fraud/other' });
      simulation.run(3 * minute);
      expect(simulation.of('outcome').map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed']);
    },
  );

  it('is dropped if the query ends in its grace period', () => {
    const simulation = new GuardSimulation(settingsOf([policyOf()])).begin();
    simulation.start({ lasts: 80_000 });
    simulation.run(3 * minute);
    expect(simulation.aborts).toEqual([]);
    expect(simulation.of('cancelled')).toMatchObject([{ skipReason: 'not_listed' }]);
    expect(simulation.of('intent')).toEqual([]);
  });

  it('has its grace period from the confirmation if the query is old', () => {
    const simulation = new GuardSimulation(settingsOf([policyOf()])).begin();
    simulation.start({ age: 10 * minute });
    // The clock offset needs an anchor: the list has to show the arrival of a query.
    simulation.run(1000);
    simulation.start({ lasts: 3000 });
    simulation.run(2 * minute);
    const [began] = simulation.of('began');
    expect(began?.decision.due).toBe((began?.decision.matchedAt ?? 0) + 30_000);
    expect(simulation.aborts[0]?.time).toBeGreaterThanOrEqual((began?.time ?? 0) + 30_000);
  });

  it('excludes the entry permanently after an intent', () => {
    const unstoppable: Partial<SimulationBehavior> = {
      abort: () => ({ answer: { kind: 'accepted', aborted: [] }, ends: false }),
    };
    const simulation = runaway(settingsOf([policyOf()]), unstoppable).run(30 * minute);
    expect(simulation.aborts).toHaveLength(1);
    expect(simulation.of('outcome')).toMatchObject([{ outcome: 'not_aborted' }]);
  });
});

describe('effective mode', () => {
  it.each([
    ['observe', 'observe', 0, 1],
    ['observe', 'enforce', 0, 1],
    ['enforce', 'observe', 0, 1],
    ['enforce', 'enforce', 1, 0],
  ] as const)('guard %s and policy %s: %d aborts, %d reported', (guard, policy, aborts, reported) => {
    const simulation = runaway(settingsOf([policyOf(undefined, { mode: policy })], { mode: guard })).run(10 * minute);
    expect(simulation.aborts).toHaveLength(aborts);
    expect(simulation.of('intent')).toHaveLength(aborts);
    expect(simulation.of('would_abort')).toHaveLength(reported);
    expect(simulation.state.excludedKeys.size).toBe(aborts);
  });
});

describe('guard does not abort', () => {
  const protect = [{ graph: globs('fraud') }];
  it.each([
    ['protected', settingsOf([policyOf()], { protect }), {}],
    ['the graph is unknown', settingsOf([policyOf()]), { graphs: [] }],
    ['the guard is paused from the start', settingsOf([policyOf()]), { isPaused: true }],
  ] as const)('if %s', (_, settings, given: { readonly graphs?: readonly string[]; readonly isPaused?: boolean }) => {
    const simulation = new GuardSimulation(settings).begin({ isPaused: given.isPaused ?? false });
    if (given.graphs !== undefined) simulation.send({ kind: 'graphs', names: given.graphs });
    simulation.start();
    simulation.run(5 * minute);
    expect(simulation.of('intent')).toEqual([]);
  });

  it('if the graph is unknown: the grace period begins when it becomes known', () => {
    const simulation = new GuardSimulation(settingsOf([policyOf()])).begin();
    simulation.send({ kind: 'graphs', names: ['sandbox'] });
    simulation.start();
    simulation.run(5 * minute);
    simulation.send({ kind: 'graphs', names: ['sandbox', 'fraud'] });
    expect(simulation.run(30_000).of('intent')).toEqual([]);
    simulation.send({ kind: 'graphs', names: ['fraud'] });
    expect(simulation.run(15_000).aborts).toHaveLength(1);
  });

  it('before the stored state is loaded', () => {
    const simulation = new GuardSimulation(settingsOf([policyOf()]));
    simulation.send({ kind: 'graphs', names: ['fraud'] });
    simulation.start();
    expect(simulation.run(5 * minute).of('began')).toEqual([]);
  });

  it.each(['interpreted', 'builtins/fraud', 'query/fraud/a/b'])('a query that is not installed: %s', (path) => {
    const simulation = new GuardSimulation(settingsOf([policyOf()])).begin();
    simulation.start({ url: `/${path}` });
    expect(simulation.run(5 * minute).of('began')).toEqual([]);
  });

  it.each([
    ['paused', { kind: 'paused', isPaused: true }, 'paused'],
    ['unable to write the audit', { kind: 'audit', isWritable: false }, 'audit'],
    ['stopping', { kind: 'stop' }, 'stopping'],
    ['without the graph of the query', { kind: 'graphs', names: [] }, 'unknown_graph'],
  ] as const)('during the grace period, if the guard is %s', (_, input, skipReason) => {
    const simulation = runaway().run(70_000);
    simulation.send(input);
    expect(simulation.of('cancelled')).toMatchObject([{ skipReason }]);
    simulation.run(5 * minute);
    expect(simulation.aborts).toEqual([]);
  });

  it.each([
    ['paused', { kind: 'paused', isPaused: true }, 'paused'],
    ['unable to write the audit', { kind: 'audit', isWritable: false }, 'audit'],
    ['stopping', { kind: 'stop' }, 'stopping'],
    ['without the graph of the query', { kind: 'graphs', names: [] }, 'unknown_graph'],
  ] as const)('while the intent is being stored, if the guard is %s', (_, input, skipReason) => {
    const simulation = runaway(undefined, { commit: () => ({ after: 500, isOnDisk: true }) }).run(90_300);
    expect(simulation.of('intent')).toHaveLength(1);
    simulation.send(input);
    simulation.run(5 * minute);
    expect(simulation.aborts).toEqual([]);
    expect(simulation.of('outcome')).toMatchObject([{ outcome: 'withdrawn', skipReason }]);
    expect(simulation.state.excludedKeys.size).toBe(1);
  });

  it('if the disk is so slow that the list becomes too old', () => {
    const simulation = runaway(undefined, { commit: () => ({ after: 1500, isOnDisk: true }) }).run(5 * minute);
    expect(simulation.aborts).toEqual([]);
    const outcomes = simulation.of('outcome').map(({ outcome, skipReason }) => `${outcome} ${skipReason}`);
    expect(new Set(outcomes)).toEqual(new Set(['withdrawn too_old']));
    expect([outcomes.length, simulation.state.attempts.length, simulation.state.excludedKeys.size]).toEqual([3, 3, 0]);
  });

  it('if an intent cannot be stored, until the store recovers', () => {
    const simulation = runaway(undefined, { commit: () => ({ after: 5, isOnDisk: false }) });
    simulation.start();
    simulation.run(10 * minute);
    expect(simulation.of('intent')).toHaveLength(1);
    expect(simulation.of('outcome')).toMatchObject([{ outcome: 'not_sent', skipReason: 'audit' }]);
  });

  it('if the clock is set in the grace period: all queries are confirmed again', () => {
    const simulation = runaway().run(70_000);
    simulation.stepClock(3_600_000);
    simulation.send({ kind: 'tick' });
    expect(simulation.of('skipped')).toMatchObject([{ scope: 'all', reason: 'clock_stepped' }]);
    expect(simulation.of('cancelled')).toHaveLength(1);
    simulation.run(minute);
    expect(simulation.aborts[0]?.time).toBeGreaterThan(100_000);
  });

  it('on a node whose lists come from another node', () => {
    const foreign = {
      body: (results: readonly unknown[]) =>
        JSON.parse(JSON.stringify({ results }).replaceAll('RESTPP_1_1', 'RESTPP_1_2')),
    };
    const simulation = runaway(undefined, foreign).run(5 * minute);
    expect(simulation.of('began')).toEqual([]);
    expect(simulation.of('skipped').every((one) => one.reason === 'foreign_instance')).toBe(true);
    expect(simulation.of('blind')).toMatchObject([{ isBlind: true }]);
  });
});

describe('limits', () => {
  const quick = policyOf(undefined, { cooldown: 0, victims: { pick: 'oldest', max: 50 } });

  it('include a cooldown between two attempts of a policy on a node', () => {
    const simulation = runaway(settingsOf([policyOf()]));
    simulation.start();
    simulation.run(10 * minute);
    const [first, second] = simulation.aborts.map(({ time }) => time);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(60_000);
    expect(simulation.of('late')).toMatchObject([{ reason: 'cooldown' }]);
  });

  it('include a budget on the node', () => {
    const simulation = new GuardSimulation(settingsOf([quick])).begin();
    for (let index = 0; index < 8; index += 1) simulation.start({ url: `/query/fraud/scan_${index}` });
    simulation.run(8 * minute);
    expect(simulation.aborts).toHaveLength(3);
    expect(new Set(simulation.of('late').map(({ reason }) => reason))).toEqual(new Set(['node_budget', 'queue']));
    expect(simulation.of('exhausted')).toHaveLength(5);
    simulation.run(4 * minute);
    expect(simulation.aborts).toHaveLength(6);
  });

  it('include a budget in the cluster', () => {
    const nodes = ['n1', 'n2', 'n3'];
    const instances = { n1: 'RESTPP_1_1', n2: 'RESTPP_1_2', n3: 'RESTPP_1_3' };
    const simulation = new GuardSimulation(settingsOf([quick]), {}, { nodes, instances }).begin();
    for (const node of nodes)
      for (const name of ['a', 'b', 'c']) simulation.start({ node, url: `/query/fraud/${node}_${name}` });
    simulation.run(8 * minute);
    expect(simulation.aborts).toHaveLength(6);
    expect(simulation.of('late').some(({ reason }) => reason === 'cluster_budget')).toBe(true);
  });

  it('include a separate budget for observing policies', () => {
    const simulation = new GuardSimulation(settingsOf([{ ...quick, mode: 'observe' }])).begin();
    for (let index = 0; index < 8; index += 1) simulation.start({ url: `/query/fraud/scan_${index}` });
    simulation.run(8 * minute);
    expect(simulation.of('would_abort')).toHaveLength(3);
    expect(simulation.state.attempts).toEqual([]);
  });

  it('include a circuit breaker for a recurring query, until an operator resets it', () => {
    const budgets = { perNode: { max: 9, within: 1000 }, perCluster: { max: 9, within: 1000 } };
    const simulation = new GuardSimulation(settingsOf([quick], { budgets })).begin();
    for (let index = 0; index < 5; index += 1) simulation.start();
    simulation.run(60 * minute);
    expect(simulation.aborts).toHaveLength(3);
    expect(simulation.of('breaker')).toMatchObject([{ breaker: 'same_query fraud ring_scan', isOpen: true }]);
    simulation.send({ kind: 'reset', breaker: 'same_query fraud ring_scan' });
    simulation.run(5 * minute);
    expect(simulation.aborts).toHaveLength(5);
  });

  it('include a circuit breaker for a policy whose aborts bring no relief', () => {
    const gate = { needs: 'any', clauses: [{ source: 'queue_depth', bound: bound('> 20'), for: 0 }] } as const;
    const budgets = { perNode: { max: 9, within: 1000 }, perCluster: { max: 9, within: 1000 } };
    const simulation = new GuardSimulation(settingsOf([{ ...quick, gate }], { budgets })).begin();
    for (let index = 0; index < 5; index += 1) simulation.start({ url: `/query/fraud/scan_${index}` });
    for (let second = 0; second < 600; second += 10) {
      const pressure = {
        node: 'n1',
        source: 'queue_depth',
        value: 30,
        at: simulation.now().mono,
        collectedAt: simulation.now().mono,
        interval: 10_000,
      } as const;
      simulation.send({ kind: 'gate_value', pressure });
      simulation.run(10_000);
    }
    expect(simulation.aborts).toHaveLength(2);
    expect(simulation.of('breaker')).toMatchObject([{ breaker: 'no_relief runaway', isOpen: true }]);
  });
});

describe('guard on stop and restart', () => {
  it('waits for aborts in progress, and cancels the other decisions', () => {
    const simulation = runaway(undefined, { abort: () => ({ answer: undefined, ends: true }) }).run(90_200);
    expect(hasAbortsInFlight(simulation.state)).toBe(true);
    const [[key = '', decision] = []] = simulation.state.decisions;
    simulation.send({ kind: 'stop' });
    simulation.send({ kind: 'answered', key, answer: { kind: 'accepted', aborted: [decision?.target.id ?? ''] } });
    expect(hasAbortsInFlight(simulation.state)).toBe(false);
    simulation.run(10_000);
    expect(simulation.of('outcome')).toMatchObject([{ outcome: 'confirmed' }]);
  });

  it('does not send an abort again after a restart, and verifies open aborts', () => {
    const before = runaway().run(90_200);
    const [intent] = before.of('intent').map((one) => one.intent);
    if (intent === undefined) throw new Error('no intent');
    const after = new GuardSimulation(settingsOf([policyOf()]));
    after.queries.push({ node: 'n1', id: intent.id, url: '/query/fraud/ring_scan', from: 0, until: Infinity });
    after.run(95_000).begin({ intents: [{ ...intent, outcome: undefined }] });
    after.run(10 * minute);
    expect(after.aborts).toEqual([]);
    expect(after.of('outcome')).toMatchObject([{ outcome: 'still_running', pages: true }]);
    expect(after.state.attempts).toHaveLength(1);
  });
});
