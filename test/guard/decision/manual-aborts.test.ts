import { describe, expect, it } from 'vitest';
import type { ManualSkipReason } from '../../../src/guard/decision/decision.ts';
import type { GuardInput } from '../../../src/guard/decision/input.ts';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import { bound, globs, policyOf } from '../match-inputs.ts';
import { GuardSimulation, type Running, type SimulationBehavior, settingsOf } from './guard-simulation.ts';

const settings = settingsOf([policyOf()]);
const hand = { kind: 'manual', node: 'n1', by: 'alice', reason: 'node overloaded', whilePaused: false } as const;
type ManualAbortInput = Partial<Extract<GuardInput, { kind: 'manual' }>>;

interface Scene extends ManualAbortInput {
  readonly settings?: GuardSettings;
  readonly ways?: Partial<SimulationBehavior>;
  readonly url?: string;
  readonly before?: (simulation: GuardSimulation, query: Running) => void;
  /** Steps right after the request. */
  readonly after?: (simulation: GuardSimulation) => void;
}

/** A query that no policy matches yet, with a manual abort request. */
function requestAbort({ settings: given = settings, ways = {}, url, before, after, ...more }: Scene = {}) {
  const simulation = new GuardSimulation(given, ways).begin();
  const query = simulation.start(url === undefined ? {} : { url });
  simulation.run(2000);
  before?.(simulation, query);
  const requestedAt = simulation.now().mono;
  simulation.send({ ...hand, id: query.id, ...more });
  after?.(simulation);
  simulation.run(60_000);
  return { simulation, query, requestedAt, skipReasons: simulation.of('declined').map(({ skipReason }) => skipReason) };
}

const tell =
  (input: GuardInput) =>
  (simulation: GuardSimulation): void =>
    void simulation.send(input);
const late = (input: GuardInput) => (simulation: GuardSimulation) => void simulation.run(300).send(input);
const stubborn: Partial<SimulationBehavior> = {
  abort: () => ({ answer: { kind: 'accepted', aborted: [] }, ends: false }),
};
const paused = tell({ kind: 'paused', isPaused: true });

describe('manual abort', () => {
  it('goes through all phases, from a list that was requested after the abort request', () => {
    const { simulation, query, requestedAt } = requestAbort();
    expect(simulation.of('began')).toMatchObject([
      { policy: '', decision: { phase: 'fresh', manual: { by: 'alice' } } },
    ]);
    expect(simulation.of('intent').map(({ intent, notify }) => ({ ...intent, notify }))).toMatchObject([
      {
        policy: '',
        manual: { by: 'alice', reason: 'node overloaded' },
        id: query.id,
        notify: [],
        evidence: { pressures: {} },
      },
    ]);
    expect(simulation.aborts).toMatchObject([
      { order: { node: 'n1', graph: 'fraud', id: query.id }, hit: { id: query.id } },
    ]);
    expect(simulation.of('outcome')).toMatchObject([{ outcome: 'confirmed', policy: '' }]);
    expect(simulation.of('list').some(({ purpose, time }) => purpose === 'fresh' && time === 2000)).toBe(true);
    expect((simulation.aborts[0]?.time ?? 0) + requestedAt - 2000).toBeLessThanOrEqual(requestedAt + 250);
    expect([
      simulation.state.manualRequests.length,
      simulation.state.decisions.size,
      simulation.of('declined').length,
    ]).toEqual([0, 0, 0]);
  });

  it('spends budget and excludes the entry for policies', () => {
    const { simulation } = requestAbort({ ways: stubborn });
    simulation.run(600_000);
    expect(simulation.aborts).toHaveLength(1);
    expect(simulation.state.attempts).toMatchObject([{ policy: '', node: 'n1', isWithdrawn: false }]);
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
        before: (simulation) =>
          tell({
            kind: 'restored',
            kept: keptWith({ intents: [{ ...open, at: simulation.now().wall, outcome: 'confirmed' }] }),
          })(simulation),
      },
    ],
    ['a pause, if the operator requests that', { before: paused, whilePaused: true }],
  ])('overrides %s', (_, setup) => {
    const { simulation, query } = requestAbort(setup);
    expect(simulation.aborts).toMatchObject([{ hit: { id: query.id } }]);
    expect(simulation.of('outcome')).toMatchObject([{ outcome: 'confirmed' }]);
  });

  it.each<[ManualSkipReason, Scene]>([
    ['paused', { before: paused }],
    ['paused', { after: paused }],
    ['audit', { before: tell({ kind: 'audit', isWritable: false }), whilePaused: true }],
    ['stopping', { before: tell({ kind: 'stop' }), whilePaused: true }],
    ['unknown_graph', { before: tell({ kind: 'graphs', names: ['sandbox'] }) }],
    ['not_installed', { url: '/query/fraud/a/b' }],
    [
      'not_listed',
      { before: (simulation, query) => void simulation.queries.splice(simulation.queries.indexOf(query), 1) },
    ],
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
  ])('is rejected: %s (case %$)', (skipReason, setup) => {
    const { simulation, skipReasons } = requestAbort(setup);
    expect(skipReasons).toEqual([skipReason]);
    expect([simulation.aborts, simulation.of('intent'), simulation.state.manualRequests]).toEqual([[], [], []]);
    expect([simulation.state.attempts, simulation.state.excludedKeys.size]).toEqual([[], 0]);
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
    const simulation = new GuardSimulation(settings, { body: () => undefined }).begin();
    simulation.send({ ...hand, id: simulation.start().id });
    expect(simulation.run(9999).of('declined')).toEqual([]);
    expect(simulation.run(1).of('declined')).toMatchObject([{ node: 'n1', skipReason: 'no_list' }]);
  });

  it('is retried while lists fail', () => {
    let lists = 0;
    const body = (results: readonly unknown[]) => {
      lists += 1;
      return lists < 5 ? undefined : { results };
    };
    expect(requestAbort({ ways: { body } }).simulation.aborts).toHaveLength(1);
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
    const { simulation } = requestAbort({ ways: slow, ...setup });
    expect(simulation.of('intent')).toHaveLength(1);
    expect(simulation.aborts).toEqual([]);
    expect(simulation.of('outcome')).toMatchObject([{ outcome: 'withdrawn', skipReason }]);
  });

  it('do not send a manual abort whose intent is not stored', () => {
    const { simulation } = requestAbort({ ways: { commit: () => ({ after: 5, isOnDisk: false }) } });
    expect(simulation.aborts).toEqual([]);
    expect(simulation.of('outcome')).toMatchObject([{ outcome: 'not_sent', skipReason: 'audit' }]);
  });

  it('ignore a pause if the operator overrides it', () => {
    const setup = { ways: slow, whilePaused: true, after: late({ kind: 'paused', isPaused: true }) };
    expect(requestAbort(setup).simulation.aborts).toHaveLength(1);
  });
});

describe('concurrent manual abort', () => {
  it('sends one request, even if an operator repeats it', () => {
    const again = (simulation: GuardSimulation) =>
      void simulation.send({ ...hand, by: 'bob', id: simulation.queries[0]?.id ?? '' });
    const { simulation } = requestAbort({ after: again });
    expect(simulation.of('intent').map(({ intent }) => intent.manual?.by)).toEqual(['alice']);
    expect(simulation.of('declined')).toEqual([]);
  });

  it('is independent of other entries and nodes, and continues if those are rejected', () => {
    const nodes = { nodes: ['n1', 'n2'], instances: { n1: 'RESTPP_1_1', n2: 'RESTPP_1_2' } };
    const simulation = new GuardSimulation(settings, {}, nodes).begin();
    const { id } = simulation.start();
    const gone = '9.RESTPP_1_1.1790000000000.N';
    simulation.send({ ...hand, id: gone });
    simulation.send({ ...hand, id });
    simulation.send({ ...hand, node: 'n2', id });
    expect(simulation.state.manualRequests.map((one) => [one.node, one.id])).toEqual([
      ['n1', gone],
      ['n1', id],
      ['n2', id],
    ]);
    simulation.send({ ...hand, id: gone, by: 'bob' });
    expect(simulation.run(2000).of('declined')).toMatchObject([
      { node: 'n1', id: gone, skipReason: 'not_listed' },
      { node: 'n2', id, skipReason: 'not_listed' },
    ]);
    expect(simulation.aborts).toMatchObject([{ order: { node: 'n1', id } }]);
  });

  it('replaces a decision of a policy that has not spent its budget yet', () => {
    const { simulation } = requestAbort({ before: (setup) => void setup.run(70_000) });
    expect(simulation.of('cancelled')).toMatchObject([{ policy: 'runaway', skipReason: 'manual_abort' }]);
    expect(simulation.of('intent')).toMatchObject([{ intent: { policy: '' } }]);
    expect(simulation.aborts[0]?.time).toBeLessThan(73_000);
  });

  it('is rejected while an abort of the entry is in progress', () => {
    const { simulation, skipReasons } = requestAbort({ ways: stubborn, before: (setup) => void setup.run(92_000) });
    expect(skipReasons).toEqual(['in_progress']);
    expect(simulation.aborts).toHaveLength(1);
  });

  it('is rejected if a policy begins its abort before the list arrives', () => {
    const simulation = new GuardSimulation(settings, { ...stubborn, latency: () => 200 }).begin();
    const { id } = simulation.start();
    simulation.run(89_400).send({ ...hand, id: '9.RESTPP_1_1.1790000000000.N' });
    // That list is new enough for the policy, which is due while the next one is on its way.
    simulation.run(550).send({ ...hand, id });
    simulation.run(1000);
    expect(simulation.of('declined').map(({ skipReason }) => skipReason)).toEqual(['not_listed', 'in_progress']);
    expect(simulation.aborts).toHaveLength(1);
  });

  it('is accepted after an earlier one ended, as a separate decision and row', () => {
    const { simulation, query } = requestAbort({ ways: stubborn });
    simulation.send({ ...hand, id: query.id });
    simulation.run(60_000);
    const keys = simulation.of('intent').map(({ intent }) => intent.key);
    expect(new Set(keys).size).toBe(2);
    expect(simulation.of('outcome').map(({ key, outcome }) => [key, outcome])).toEqual(
      keys.map((key) => [key, 'not_aborted']),
    );
    expect([...simulation.state.excludedKeys]).toEqual(keys.slice(0, 1));
    simulation.run(600_000);
    expect(simulation.aborts).toHaveLength(2);
  });

  it('counts in the budget of policies and in the circuit breaker of its query', () => {
    const budgets = { perNode: { max: 1, within: 600_000 }, perCluster: { max: 6, within: 600_000 } };
    const { simulation } = requestAbort({ settings: settingsOf([policyOf()], { budgets }) });
    simulation.start();
    simulation.run(120_000);
    expect(simulation.of('late')).toMatchObject([{ reason: 'node_budget' }]);
    expect(simulation.aborts).toHaveLength(1);
    for (let more = 0; more < 2; more += 1) {
      simulation.send({ ...hand, id: simulation.start().id });
      simulation.run(10_000);
    }
    expect(simulation.of('breaker')).toMatchObject([{ breaker: 'same_query fraud ring_scan', isOpen: true }]);
  });
});
