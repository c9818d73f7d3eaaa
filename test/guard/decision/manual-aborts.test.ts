import { describe, expect, it } from 'vitest';
import type { ManualSkipReason } from '../../../src/guard/decision/decision.ts';
import type { GuardInput } from '../../../src/guard/decision/input.ts';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import { bound, globs, policyOf } from '../match-inputs.ts';
import { GuardSimulation, type Running, type SimulationBehavior, settingsOf } from './guard-simulation.ts';

const settings = settingsOf([policyOf()]);
const hand = { kind: 'manual', node: 'n1', by: 'alice', reason: 'node overloaded', whilePaused: false } as const;
type Asked = Partial<Extract<GuardInput, { kind: 'manual' }>>;

interface Scene extends Asked {
  readonly settings?: GuardSettings;
  readonly ways?: Partial<SimulationBehavior>;
  readonly url?: string;
  readonly before?: (world: GuardSimulation, query: Running) => void;
  /** What happens as soon as it was asked for. */
  readonly after?: (world: GuardSimulation) => void;
}

/** A query that no policy matches yet, with a manual abort request. */
function asked({ settings: given = settings, ways = {}, url, before, after, ...more }: Scene = {}) {
  const world = new GuardSimulation(given, ways).begin();
  const query = world.start(url === undefined ? {} : { url });
  world.run(2000);
  before?.(world, query);
  const requestedAt = world.now().mono;
  world.send({ ...hand, id: query.id, ...more });
  after?.(world);
  world.run(60_000);
  return { world, query, requestedAt, skipReasons: world.of('declined').map(({ skipReason }) => skipReason) };
}

const tell =
  (input: GuardInput) =>
  (world: GuardSimulation): void =>
    void world.send(input);
const late = (input: GuardInput) => (world: GuardSimulation) => void world.run(300).send(input);
const stubborn: Partial<SimulationBehavior> = {
  abort: () => ({ answer: { kind: 'taken', aborted: [] }, ends: false }),
};
const paused = tell({ kind: 'paused', isPaused: true });

describe('manual abort', () => {
  it('goes through all phases, from a list that was requested after the abort request', () => {
    const { world, query, requestedAt } = asked();
    expect(world.of('began')).toMatchObject([{ policy: '', decision: { phase: 'fresh', manual: { by: 'alice' } } }]);
    expect(world.of('intent').map(({ intent, notify }) => ({ ...intent, notify }))).toMatchObject([
      {
        policy: '',
        manual: { by: 'alice', reason: 'node overloaded' },
        id: query.id,
        notify: [],
        evidence: { pressures: {} },
      },
    ]);
    expect(world.aborts).toMatchObject([
      { order: { node: 'n1', graph: 'fraud', id: query.id }, hit: { id: query.id } },
    ]);
    expect(world.of('outcome')).toMatchObject([{ outcome: 'confirmed', policy: '' }]);
    expect(world.of('list').some(({ purpose, time }) => purpose === 'fresh' && time === 2000)).toBe(true);
    expect((world.aborts[0]?.time ?? 0) + requestedAt - 2000).toBeLessThanOrEqual(requestedAt + 250);
    expect([world.state.manualRequests.length, world.state.decisions.size, world.of('declined').length]).toEqual([
      0, 0, 0,
    ]);
  });

  it('spends budget and excludes the entry for policies', () => {
    const { world } = asked({ ways: stubborn });
    world.run(600_000);
    expect(world.aborts).toHaveLength(1);
    expect(world.state.attempts).toMatchObject([{ policy: '', node: 'n1', isWithdrawn: false }]);
  });

  const clauses = [{ source: 'queue_depth', bound: bound('> 20'), for: 0 }] as const;
  const none = { max: 0, within: 600_000 };
  const open = { node: 'n1', id: 'i', startTime: 's', graph: 'fraud', query: 'ring_scan', policy: 'runaway' };
  it.each<[string, Scene]>([
    ['a guard in observe mode', { settings: settingsOf([policyOf()], { mode: 'observe' }) }],
    ['the absence of policies', { settings: settingsOf([]) }],
    ['a closed gate', { settings: settingsOf([policyOf(undefined, { gate: { needs: 'any', clauses } })]) }],
    ['an exhausted budget', { settings: settingsOf([policyOf()], { budgets: { perNode: none, perCluster: none } }) }],
    ['protection', { settings: settingsOf([policyOf()], { protect: [{ query: globs('*') }] }) }],
    [
      'an open circuit breaker',
      { before: tell({ kind: 'restored', kept: keptWith({ breakers: ['same_query fraud ring_scan'] }) }) },
    ],
    [
      'a cooldown',
      {
        before: (world) =>
          tell({
            kind: 'restored',
            kept: keptWith({ intents: [{ ...open, at: world.now().wall, outcome: 'confirmed' }] }),
          })(world),
      },
    ],
    ['a pause, if the operator says so', { before: paused, whilePaused: true }],
  ])('overrides %s', (_, setup) => {
    const { world, query } = asked(setup);
    expect(world.aborts).toMatchObject([{ hit: { id: query.id } }]);
    expect(world.of('outcome')).toMatchObject([{ outcome: 'confirmed' }]);
  });

  it.each<[ManualSkipReason, Scene]>([
    ['paused', { before: paused }],
    ['paused', { after: paused }],
    ['audit', { before: tell({ kind: 'audit', isWritable: false }), whilePaused: true }],
    ['stopping', { before: tell({ kind: 'stop' }), whilePaused: true }],
    ['unknown_graph', { before: tell({ kind: 'graphs', names: ['sandbox'] }) }],
    ['not_installed', { url: '/query/fraud/a/b' }],
    ['not_listed', { before: (world, query) => void world.queries.splice(world.queries.indexOf(query), 1) }],
    ['malformed_id', { id: 'all' }],
    ['malformed_id', { id: '' }],
    ['unknown_node', { node: 'n9' }],
    ['not_listed', { id: '9.RESTPP_1_1.1790000000000.N' }],
    [
      'malformed_entry',
      { ways: { body: (results) => ({ results: results.map((one) => ({ ...Object(one), url: 7 })) }) } },
    ],
    ['no_list', { ways: { body: () => undefined } }],
    ['no_list', { ways: { body: () => ({ error: true }) } }],
    ['no_list', { ways: { latency: () => 4000 } }],
  ])('is rejected: %s', (skipReason, setup) => {
    const { world, skipReasons } = asked(setup);
    expect(skipReasons).toEqual([skipReason]);
    expect([world.aborts, world.of('intent'), world.state.manualRequests]).toEqual([[], [], []]);
    expect([world.state.attempts, world.state.excludedKeys.size]).toEqual([[], 0]);
  });

  it('is rejected before the stored state is loaded, and if the instance of the node is unknown', () => {
    const early = new GuardSimulation(settings);
    early.send({ ...hand, id: early.start().id });
    expect(early.of('declined')).toMatchObject([{ skipReason: 'not_restored' }]);
    const uncovered = new GuardSimulation(settings, {}, { instances: {} }).begin();
    uncovered.send({ ...hand, id: uncovered.start().id });
    expect(uncovered.run(9000).of('declined')).toMatchObject([{ skipReason: 'not_covered' }]);
  });

  it('is cancelled after ten seconds', () => {
    const world = new GuardSimulation(settings, { body: () => undefined }).begin();
    world.send({ ...hand, id: world.start().id });
    expect(world.run(9999).of('declined')).toEqual([]);
    expect(world.run(1).of('declined')).toMatchObject([{ node: 'n1', skipReason: 'no_list' }]);
  });

  it('is retried while lists fail', () => {
    let lists = 0;
    const body = (results: readonly unknown[]) => {
      lists += 1;
      return lists < 5 ? undefined : { results };
    };
    expect(asked({ ways: { body } }).world.aborts).toHaveLength(1);
  });
});

function keptWith(changes: Partial<Extract<GuardInput, { kind: 'restored' }>['kept']>) {
  return {
    intents: [],
    breakers: [],
    breakerResets: {},
    abortsWithoutRelief: {},
    offsets: {},
    isPaused: false,
    ...changes,
  };
}

describe('guard conditions before the request', () => {
  const slow: Partial<SimulationBehavior> = { commit: () => ({ after: 500, isOnDisk: true }) };
  it.each<[string, Scene]>([
    ['paused', { after: late({ kind: 'paused', isPaused: true }) }],
    ['audit', { after: late({ kind: 'audit', isWritable: false }), whilePaused: true }],
    ['stopping', { after: late({ kind: 'stop' }), whilePaused: true }],
    ['unknown_graph', { after: late({ kind: 'graphs', names: [] }) }],
    ['too_old', { ways: { commit: () => ({ after: 1500, isOnDisk: true }) } }],
  ])('withdraw a manual abort: %s', (skipReason, setup) => {
    const { world } = asked({ ways: slow, ...setup });
    expect(world.of('intent')).toHaveLength(1);
    expect(world.aborts).toEqual([]);
    expect(world.of('outcome')).toMatchObject([{ outcome: 'withdrawn', skipReason }]);
  });

  it('do not send a manual abort whose intent is not stored', () => {
    const { world } = asked({ ways: { commit: () => ({ after: 5, isOnDisk: false }) } });
    expect(world.aborts).toEqual([]);
    expect(world.of('outcome')).toMatchObject([{ outcome: 'not_sent', skipReason: 'audit' }]);
  });

  it('ignore a pause if the operator overrides it', () => {
    const setup = { ways: slow, whilePaused: true, after: late({ kind: 'paused', isPaused: true }) };
    expect(asked(setup).world.aborts).toHaveLength(1);
  });
});

describe('concurrent manual abort', () => {
  it('sends one request, however often an operator repeats it', () => {
    const again = (world: GuardSimulation) => void world.send({ ...hand, by: 'bob', id: world.queries[0]?.id ?? '' });
    const { world } = asked({ after: again });
    expect(world.of('intent').map(({ intent }) => intent.manual?.by)).toEqual(['alice']);
    expect(world.of('declined')).toEqual([]);
  });

  it('is independent of other entries and nodes, and continues if those are rejected', () => {
    const nodes = { nodes: ['n1', 'n2'], instances: { n1: 'RESTPP_1_1', n2: 'RESTPP_1_2' } };
    const world = new GuardSimulation(settings, {}, nodes).begin();
    const { id } = world.start();
    const gone = '9.RESTPP_1_1.1790000000000.N';
    world.send({ ...hand, id: gone });
    world.send({ ...hand, id });
    world.send({ ...hand, node: 'n2', id });
    expect(world.state.manualRequests.map((one) => [one.node, one.id])).toEqual([
      ['n1', gone],
      ['n1', id],
      ['n2', id],
    ]);
    world.send({ ...hand, id: gone, by: 'bob' });
    expect(world.run(2000).of('declined')).toMatchObject([
      { node: 'n1', id: gone, skipReason: 'not_listed' },
      { node: 'n2', id, skipReason: 'not_listed' },
    ]);
    expect(world.aborts).toMatchObject([{ order: { node: 'n1', id } }]);
  });

  it('replaces a decision of a policy that has not spent its budget yet', () => {
    const { world } = asked({ before: (setup) => void setup.run(70_000) });
    expect(world.of('cancelled')).toMatchObject([{ policy: 'runaway', skipReason: 'manual_abort' }]);
    expect(world.of('intent')).toMatchObject([{ intent: { policy: '' } }]);
    expect(world.aborts[0]?.time).toBeLessThan(73_000);
  });

  it('is rejected while an abort of the entry is in progress', () => {
    const { world, skipReasons } = asked({ ways: stubborn, before: (setup) => void setup.run(92_000) });
    expect(skipReasons).toEqual(['in_progress']);
    expect(world.aborts).toHaveLength(1);
  });

  it('is rejected if a policy begins its abort before the list arrives', () => {
    const world = new GuardSimulation(settings, { ...stubborn, latency: () => 200 }).begin();
    const { id } = world.start();
    world.run(89_400).send({ ...hand, id: '9.RESTPP_1_1.1790000000000.N' });
    // That list is new enough for the policy, which is due while the next one is on its way.
    world.run(550).send({ ...hand, id });
    world.run(1000);
    expect(world.of('declined').map(({ skipReason }) => skipReason)).toEqual(['not_listed', 'in_progress']);
    expect(world.aborts).toHaveLength(1);
  });

  it('is accepted after an earlier one ended, as a separate decision and row', () => {
    const { world, query } = asked({ ways: stubborn });
    world.send({ ...hand, id: query.id });
    world.run(60_000);
    const keys = world.of('intent').map(({ intent }) => intent.key);
    expect(new Set(keys).size).toBe(2);
    expect(world.of('outcome').map(({ key, outcome }) => [key, outcome])).toEqual(
      keys.map((key) => [key, 'not_aborted']),
    );
    expect([...world.state.excludedKeys]).toEqual(keys.slice(0, 1));
    world.run(600_000);
    expect(world.aborts).toHaveLength(2);
  });

  it('counts in the budget of policies and in the circuit breaker of its query', () => {
    const budgets = { perNode: { max: 1, within: 600_000 }, perCluster: { max: 6, within: 600_000 } };
    const { world } = asked({ settings: settingsOf([policyOf()], { budgets }) });
    world.start();
    world.run(120_000);
    expect(world.of('late')).toMatchObject([{ reason: 'node_budget' }]);
    expect(world.aborts).toHaveLength(1);
    for (let more = 0; more < 2; more += 1) {
      world.send({ ...hand, id: world.start().id });
      world.run(10_000);
    }
    expect(world.of('breaker')).toMatchObject([{ breaker: 'same_query fraud ring_scan', isOpen: true }]);
  });
});
