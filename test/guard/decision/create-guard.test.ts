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
  const world = new GuardSimulation(settings, ways).begin();
  world.start();
  return world;
}

describe('decision', () => {
  it('has all phases from the first list to the outcome', () => {
    const world = runaway().run(3 * minute);
    expect(world.of('began')).toHaveLength(1);
    expect(world.of('intent')).toHaveLength(1);
    expect(world.aborts).toMatchObject([
      { order: { node: 'n1', graph: 'fraud' }, hit: { url: '/query/fraud/ring_scan' } },
    ]);
    expect(world.of('outcome')).toMatchObject([{ outcome: 'confirmed', pages: false }]);
    expect(world.state.decisions.size).toBe(0);
  });

  it('is aborted at E, the match time plus the grace period', () => {
    const world = runaway().run(3 * minute);
    const [abort] = world.aborts;
    expect(abort?.time).toBeGreaterThanOrEqual(90_000);
    expect(abort?.time).toBeLessThanOrEqual(90_250);
    expect(world.of('sent')[0]?.reaction).toBeLessThanOrEqual(250);
  });

  it.each([0, 100, 300, 500, 700, 900, 1000, 1100])(
    'is not committed if its list of %i ms ago would be too old when the intent is stored',
    (age) => {
      const settings = settingsOf([policyOf(undefined, { cooldown: 0, victims: { pick: 'oldest', max: 5 } })]);
      const world = runaway(settings, { commit: () => ({ after: 400, isOnDisk: true }) }).run(age);
      world.start({ url: '/query/fraud/other' });
      world.run(3 * minute);
      expect(world.of('outcome').map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed']);
    },
  );

  it('is dropped if the query ends in its grace period', () => {
    const world = new GuardSimulation(settingsOf([policyOf()])).begin();
    world.start({ lasts: 80_000 });
    world.run(3 * minute);
    expect(world.aborts).toEqual([]);
    expect(world.of('cancelled')).toMatchObject([{ skipReason: 'not_listed' }]);
    expect(world.of('intent')).toEqual([]);
  });

  it('has its grace period from the confirmation if the query is old', () => {
    const world = new GuardSimulation(settingsOf([policyOf()])).begin();
    world.start({ age: 10 * minute });
    // The clock offset needs an anchor: the list has to show the arrival of a query.
    world.run(1000);
    world.start({ lasts: 3000 });
    world.run(2 * minute);
    const [began] = world.of('began');
    expect(began?.decision.due).toBe((began?.decision.matchedAt ?? 0) + 30_000);
    expect(world.aborts[0]?.time).toBeGreaterThanOrEqual((began?.time ?? 0) + 30_000);
  });

  it('excludes the entry permanently after an intent', () => {
    const unstoppable: Partial<SimulationBehavior> = {
      abort: () => ({ answer: { kind: 'taken', aborted: [] }, ends: false }),
    };
    const world = runaway(settingsOf([policyOf()]), unstoppable).run(30 * minute);
    expect(world.aborts).toHaveLength(1);
    expect(world.of('outcome')).toMatchObject([{ outcome: 'not_aborted' }]);
  });
});

describe('effective mode', () => {
  it.each([
    ['observe', 'observe', 0, 1],
    ['observe', 'enforce', 0, 1],
    ['enforce', 'observe', 0, 1],
    ['enforce', 'enforce', 1, 0],
  ] as const)('guard %s and policy %s: %d aborts, %d reported', (guard, policy, aborts, reported) => {
    const world = runaway(settingsOf([policyOf(undefined, { mode: policy })], { mode: guard })).run(10 * minute);
    expect(world.aborts).toHaveLength(aborts);
    expect(world.of('intent')).toHaveLength(aborts);
    expect(world.of('would_abort')).toHaveLength(reported);
    expect(world.state.excludedKeys.size).toBe(aborts);
  });
});

describe('guard does not abort', () => {
  const protect = [{ graph: globs('fraud') }];
  it.each([
    ['protected', settingsOf([policyOf()], { protect }), {}],
    ['the graph is unknown', settingsOf([policyOf()]), { graphs: [] }],
    ['the guard is paused from the start', settingsOf([policyOf()]), { isPaused: true }],
  ] as const)('if %s', (_, settings, given: { readonly graphs?: readonly string[]; readonly isPaused?: boolean }) => {
    const world = new GuardSimulation(settings).begin({ isPaused: given.isPaused ?? false });
    if (given.graphs !== undefined) world.send({ kind: 'graphs', names: given.graphs });
    world.start();
    world.run(5 * minute);
    expect(world.of('intent')).toEqual([]);
  });

  it('if the graph is unknown: the grace period begins when it becomes known', () => {
    const world = new GuardSimulation(settingsOf([policyOf()])).begin();
    world.send({ kind: 'graphs', names: ['sandbox'] });
    world.start();
    world.run(5 * minute);
    world.send({ kind: 'graphs', names: ['sandbox', 'fraud'] });
    expect(world.run(30_000).of('intent')).toEqual([]);
    world.send({ kind: 'graphs', names: ['fraud'] });
    expect(world.run(15_000).aborts).toHaveLength(1);
  });

  it('before the stored state is loaded', () => {
    const world = new GuardSimulation(settingsOf([policyOf()]));
    world.send({ kind: 'graphs', names: ['fraud'] });
    world.start();
    expect(world.run(5 * minute).of('began')).toEqual([]);
  });

  it.each(['interpreted', 'builtins/fraud', 'query/fraud/a/b'])('a query that is not installed: %s', (path) => {
    const world = new GuardSimulation(settingsOf([policyOf()])).begin();
    world.start({ url: `/${path}` });
    expect(world.run(5 * minute).of('began')).toEqual([]);
  });

  it.each([
    ['paused', { kind: 'paused', isPaused: true }, 'paused'],
    ['unable to write the audit', { kind: 'audit', isWritable: false }, 'audit'],
    ['stopping', { kind: 'stop' }, 'stopping'],
    ['without the graph of the query', { kind: 'graphs', names: [] }, 'unknown_graph'],
  ] as const)('during the grace period, if the guard is %s', (_, input, skipReason) => {
    const world = runaway().run(70_000);
    world.send(input);
    expect(world.of('cancelled')).toMatchObject([{ skipReason }]);
    world.run(5 * minute);
    expect(world.aborts).toEqual([]);
  });

  it.each([
    ['paused', { kind: 'paused', isPaused: true }, 'paused'],
    ['unable to write the audit', { kind: 'audit', isWritable: false }, 'audit'],
    ['stopping', { kind: 'stop' }, 'stopping'],
    ['without the graph of the query', { kind: 'graphs', names: [] }, 'unknown_graph'],
  ] as const)('while the intent is being stored, if the guard is %s', (_, input, skipReason) => {
    const world = runaway(undefined, { commit: () => ({ after: 500, isOnDisk: true }) }).run(90_300);
    expect(world.of('intent')).toHaveLength(1);
    world.send(input);
    world.run(5 * minute);
    expect(world.aborts).toEqual([]);
    expect(world.of('outcome')).toMatchObject([{ outcome: 'withdrawn', skipReason }]);
    expect(world.state.excludedKeys.size).toBe(1);
  });

  it('if the disk is so slow that the list becomes too old', () => {
    const world = runaway(undefined, { commit: () => ({ after: 1500, isOnDisk: true }) }).run(5 * minute);
    expect(world.aborts).toEqual([]);
    const outcomes = world.of('outcome').map(({ outcome, skipReason }) => `${outcome} ${skipReason}`);
    expect(new Set(outcomes)).toEqual(new Set(['withdrawn too_old']));
    expect([outcomes.length, world.state.attempts.length, world.state.excludedKeys.size]).toEqual([3, 3, 0]);
  });

  it('if an intent cannot be stored, until the store recovers', () => {
    const world = runaway(undefined, { commit: () => ({ after: 5, isOnDisk: false }) });
    world.start();
    world.run(10 * minute);
    expect(world.of('intent')).toHaveLength(1);
    expect(world.of('outcome')).toMatchObject([{ outcome: 'not_sent', skipReason: 'audit' }]);
  });

  it('if the clock is set in the grace period: all queries are confirmed again', () => {
    const world = runaway().run(70_000);
    world.stepClock(3_600_000);
    world.send({ kind: 'tick' });
    expect(world.of('void')).toMatchObject([{ scope: 'all', reason: 'clock_stepped' }]);
    expect(world.of('cancelled')).toHaveLength(1);
    world.run(minute);
    expect(world.aborts[0]?.time).toBeGreaterThan(100_000);
  });

  it('on a node whose lists come from another node', () => {
    const foreign = {
      body: (results: readonly unknown[]) =>
        JSON.parse(JSON.stringify({ results }).replaceAll('RESTPP_1_1', 'RESTPP_1_2')),
    };
    const world = runaway(undefined, foreign).run(5 * minute);
    expect(world.of('began')).toEqual([]);
    expect(world.of('void').every((one) => one.reason === 'foreign_instance')).toBe(true);
    expect(world.of('blind')).toMatchObject([{ isBlind: true }]);
  });
});

describe('limits', () => {
  const quick = policyOf(undefined, { cooldown: 0, victims: { pick: 'oldest', max: 50 } });

  it('include a cooldown between two attempts of a policy on a node', () => {
    const world = runaway(settingsOf([policyOf()]));
    world.start();
    world.run(10 * minute);
    const [first, second] = world.aborts.map(({ time }) => time);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(60_000);
    expect(world.of('late')).toMatchObject([{ reason: 'cooldown' }]);
  });

  it('include a budget on the node', () => {
    const world = new GuardSimulation(settingsOf([quick])).begin();
    for (let index = 0; index < 8; index += 1) world.start({ url: `/query/fraud/scan_${index}` });
    world.run(8 * minute);
    expect(world.aborts).toHaveLength(3);
    expect(new Set(world.of('late').map(({ reason }) => reason))).toEqual(new Set(['node_budget', 'queue']));
    expect(world.of('exhausted')).toHaveLength(5);
    world.run(4 * minute);
    expect(world.aborts).toHaveLength(6);
  });

  it('include a budget in the cluster', () => {
    const nodes = ['n1', 'n2', 'n3'];
    const instances = { n1: 'RESTPP_1_1', n2: 'RESTPP_1_2', n3: 'RESTPP_1_3' };
    const world = new GuardSimulation(settingsOf([quick]), {}, { nodes, instances }).begin();
    for (const node of nodes)
      for (const name of ['a', 'b', 'c']) world.start({ node, url: `/query/fraud/${node}_${name}` });
    world.run(8 * minute);
    expect(world.aborts).toHaveLength(6);
    expect(world.of('late').some(({ reason }) => reason === 'cluster_budget')).toBe(true);
  });

  it('include a separate budget for observing policies', () => {
    const world = new GuardSimulation(settingsOf([{ ...quick, mode: 'observe' }])).begin();
    for (let index = 0; index < 8; index += 1) world.start({ url: `/query/fraud/scan_${index}` });
    world.run(8 * minute);
    expect(world.of('would_abort')).toHaveLength(3);
    expect(world.state.attempts).toEqual([]);
  });

  it('include a circuit breaker for a recurring query, until an operator resets it', () => {
    const budgets = { perNode: { max: 9, within: 1000 }, perCluster: { max: 9, within: 1000 } };
    const world = new GuardSimulation(settingsOf([quick], { budgets })).begin();
    for (let index = 0; index < 5; index += 1) world.start();
    world.run(60 * minute);
    expect(world.aborts).toHaveLength(3);
    expect(world.of('breaker')).toMatchObject([{ breaker: 'same_query fraud ring_scan', isOpen: true }]);
    world.send({ kind: 'reset', breaker: 'same_query fraud ring_scan' });
    world.run(5 * minute);
    expect(world.aborts).toHaveLength(5);
  });

  it('include a circuit breaker for a policy whose aborts bring no relief', () => {
    const gate = { needs: 'any', clauses: [{ source: 'queue_depth', bound: bound('> 20'), for: 0 }] } as const;
    const budgets = { perNode: { max: 9, within: 1000 }, perCluster: { max: 9, within: 1000 } };
    const world = new GuardSimulation(settingsOf([{ ...quick, gate }], { budgets })).begin();
    for (let index = 0; index < 5; index += 1) world.start({ url: `/query/fraud/scan_${index}` });
    for (let second = 0; second < 600; second += 10) {
      const pressure = {
        node: 'n1',
        source: 'queue_depth',
        value: 30,
        at: world.now().mono,
        collectedAt: world.now().mono,
        interval: 10_000,
      } as const;
      world.send({ kind: 'pressed', pressure });
      world.run(10_000);
    }
    expect(world.aborts).toHaveLength(2);
    expect(world.of('breaker')).toMatchObject([{ breaker: 'no_relief runaway', isOpen: true }]);
  });
});

describe('guard on stop and restart', () => {
  it('waits for aborts in progress, and cancels the other decisions', () => {
    const world = runaway(undefined, { abort: () => ({ answer: undefined, ends: true }) }).run(90_200);
    expect(hasAbortsInFlight(world.state)).toBe(true);
    const [key = ''] = world.state.decisions.keys();
    world.send({ kind: 'stop' });
    world.send({ kind: 'answered', key, answer: { kind: 'taken', aborted: [world.queries[0]?.id ?? ''] } });
    expect(hasAbortsInFlight(world.state)).toBe(false);
    world.run(10_000);
    expect(world.of('outcome')).toMatchObject([{ outcome: 'confirmed' }]);
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
