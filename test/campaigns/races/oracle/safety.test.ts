import { describe, expect, it } from 'vitest';
import type { FindingKind } from '../../../../campaigns/races/findings.ts';
import { safetyViolations } from '../../../../campaigns/races/oracle/safety.ts';
import type { SimulationPlan } from '../../../../campaigns/races/plan/plan.ts';
import type { SimulationLog } from '../../../../campaigns/races/simulation/log.ts';
import { settingsOf } from '../../../guard/decision/guard-simulation.ts';
import { bound, globs, policyOf } from '../../../guard/match-inputs.ts';
import { abortOf, id, intentOf, listOf, policy, queryOf, recordedRunOf } from '../logs.ts';

function kinds(log: Partial<SimulationLog>, plan: Partial<SimulationPlan> = {}): readonly FindingKind[] {
  return safetyViolations(recordedRunOf(log, plan)).map(({ kind }) => kind);
}

function without(queryNumber: Parameters<typeof abortOf>[0] = {}): Pick<SimulationLog, 'aborts'> {
  return { aborts: [abortOf({ queryNumber: undefined, ...queryNumber })] };
}

const keeping = { ...policy, victims: { pick: 'newest', keep: 'oldest', max: 2 } } as const;
const earlier = id.replace('001000', '000500');
const later = id.replace('001000', '009000');
const odd = `${id}&requestid=all`;
const gated = { needs: 'any', clauses: [{ source: 'queue_depth', bound: bound('> 20'), for: 0 }] } as const;

function settingsOnNode(node: string): SimulationPlan['settings'] {
  return settingsOf([{ ...policy, when: { ...policy.when, node: globs(node) } }]);
}

describe('the safety oracle', () => {
  it('returns no finding for a correct run', () => {
    expect(kinds({})).toEqual([]);
  });

  it.each<[string, FindingKind, Partial<SimulationLog>, Partial<SimulationPlan>]>([
    ['a query that is too young', 'no policy match', { queries: [queryOf({ beganAt: 20_000 })] }, {}],
    [
      'a query whose age the server may overstate',
      'no policy match',
      { queries: [queryOf({ beganAt: 22_000, overstatedAge: 600_000 })] },
      {},
    ],
    [
      'a protected query',
      'no policy match',
      {},
      { settings: settingsOf([policy], { protect: [{ query: globs('ring_*') }] }) },
    ],
    ['a query that is not installed', 'no policy match', { queries: [queryOf({ isInstalled: false })] }, {}],
    [
      'a query with another name',
      'no policy match',
      {},
      { settings: settingsOf([policyOf({ query: globs('adhoc_*') })]) },
    ],
    ['a policy in observe mode', 'no policy match', {}, { settings: settingsOf([{ ...policy, mode: 'observe' }]) }],
    ['a closed gate', 'no policy match', {}, { settings: settingsOf([{ ...policy, gate: gated }]) }],
    [
      'a group that is too small',
      'no policy match',
      {},
      { settings: settingsOf([{ ...policy, group: { by: ['node'], count: bound('>= 2') } }]) },
    ],
    ['one observation only', 'no policy match', { lists: [listOf(5000)] }, {}],
    [
      'observations in rejected lists',
      'no policy match',
      { lists: [listOf(5000), listOf(10_000, { isGood: false })] },
      {},
    ],
    [
      'a grace period that is too short',
      'too early',
      { aborts: [abortOf({ sentAt: 40_900 })], intents: [intentOf({ onDiskAt: 40_000 })] },
      {},
    ],
    ['a grace period from before the confirmation', 'too early', { lists: [listOf(30_000), listOf(35_500)] }, {}],
    [
      'a time outside the active hours by the local clock',
      'no policy match',
      { steps: [{ at: 1, by: -60_000 }] },
      { settings: settingsOf([{ ...policy, active: { days: [1], from: 854, to: 900, zone: 'UTC' } }]) },
    ],
    [
      'active hours without a complete grace period',
      'too early',
      {},
      { settings: settingsOf([{ ...policy, active: { days: [1], from: 854, to: 900, zone: 'UTC' } }]) },
    ],
    [
      'a policy match by earlier settings',
      'no policy match',
      { reloads: [{ at: 40_000, settings: settingsOf([]), isNoMore: false }] },
      {},
    ],
    [
      'a confirmation under other settings',
      'too early',
      { reloads: [{ at: 35_000, settings: settingsOf([policy]), isNoMore: false }] },
      {},
    ],
    ['a confirmation before a step of the local clock', 'too early', { steps: [{ at: 30_000, by: 9 }] }, {}],
    ['a query that never ran', 'not running', { queries: [], ...without() }, {}],
    ['a query that ended long ago', 'not running', { queries: [queryOf({ endedAt: 41_999 })], ...without() }, {}],
    [
      'another node',
      'wrong node',
      { lists: [...recordedRunOf().log.lists, listOf(1, { node: 'n2' })], ...without({ machine: 'n2' }) },
      {},
    ],
    [
      'an instance that another node has as well',
      'not covered',
      { lists: [...recordedRunOf().log.lists, listOf(1, { node: 'n2' })] },
      {},
    ],
    [
      'an instance that is not confirmed yet',
      'not covered',
      { lists: recordedRunOf().log.lists.slice(0, 9) },
      { nodes: recordedRunOf().plan.nodes.map((one) => ({ ...one, isConfigured: false })) },
    ],
    ['an id that was aborted before', 'twice', { aborts: [abortOf(), abortOf()] }, {}],
    ['an unknown graph', 'unknown graph', {}, { graphs: ['sandbox'] }],
    ['no intent', 'no intent', { intents: [] }, {}],
    ['an intent that is not on disk yet', 'no intent', { intents: [intentOf({ onDiskAt: 45_001 })] }, {}],
    ['a pause', 'while paused', { pauses: [{ at: 100, isPaused: true }] }, {}],
    [
      'an abort response with an unexpected id',
      'while paused',
      { pauses: [{ at: 100, isPaused: false }], unexpectedReplies: [{ at: 200 }] },
      {},
    ],
    [
      'a node that another cluster guards',
      'not covered',
      {
        shared: [
          { at: 0, nodes: [] },
          { at: 100, nodes: ['n1'] },
        ],
      },
      {},
    ],
    [
      'the oldest query of a policy that keeps it',
      'no policy match',
      { queries: [queryOf(), queryOf({ number: 1, id: later, beganAt: 9000 })] },
      { settings: settingsOf([keeping]) },
    ],
    [
      'a query whose only older one had an abort request',
      'no policy match',
      {
        queries: [queryOf(), queryOf({ number: 1, id: earlier, beganAt: 500 })],
        aborts: [abortOf({ queryNumber: 1, sentAt: 44_000 }, { id: earlier }), abortOf()],
      },
      { settings: settingsOf([keeping]) },
    ],
    ['an abort after the stop', 'after the stop', { stoppedAt: 44_000 }, {}],
    ['another machine than that of the list', 'other machine', without({ machine: 'n2' }), {}],
  ])('finds %s', (_, kind, log, plan) => {
    expect(new Set(kinds(log, plan))).toContain(kind);
  });

  it.each([
    ['more than one id', odd, 'fraud'],
    ['all', 'all', 'fraud'],
    ['a graph of another form', id, 'fraud/../x'],
  ])('finds a request with %s', (_, one, graph) => {
    expect(kinds({ aborts: [abortOf({}, { id: one, graph })] })).toContain('form');
  });

  it.each<[string, Partial<SimulationLog>]>([
    ['a query that ended while the abort was in flight', { queries: [queryOf({ endedAt: 44_000 })], ...without() }],
    [
      'a resumed guard',
      {
        pauses: [
          { at: 1, isPaused: true },
          { at: 2, isPaused: false },
        ],
      },
    ],
    [
      'an abort that a proxy sent to another machine without a visible change',
      without({ machine: 'n2', listMachine: 'n2' }),
    ],
    [
      'a query that only a hostile list contains',
      { queries: [], aborts: [abortOf({ queryNumber: undefined }, { id: id.replace('7.', '80.') })] },
    ],
  ])('returns no finding for %s', (_, log) => {
    expect(kinds(log)).toEqual([]);
  });

  it('returns no finding if an older query remains', () => {
    const settings = settingsOf([keeping]);
    const queries = [queryOf(), queryOf({ number: 1, id: earlier, beganAt: 500 })];
    expect(kinds({ queries }, { settings })).toEqual([]);
  });

  it('determines the oldest query by its first list, if its server understates its age', () => {
    const group = { by: ['graph', 'query'], count: bound('>= 1') } as const;
    const settings = settingsOf([{ ...keeping, group }]);
    const understated = queryOf({ overstatedAge: -20_000 });
    const queries = [understated, queryOf({ number: 1, node: 'n2', id: later, beganAt: 9000 })];
    expect(kinds({ queries }, { settings })).toEqual(['no policy match']);
    const lists = [5, 6, 7].map((index) => listOf(index * 5000));
    expect(kinds({ queries, lists }, { settings })).toEqual([]);
  });

  it('excuses an age that a clock overstates since before the first list, and no other', () => {
    const nodes = recordedRunOf().plan.nodes.map((one) => ({ ...one, computesAgesByWallClock: true }));
    const events = [{ kind: 'node clock step', at: 13_000, node: 'n1', by: 8000 }] as const;
    const queries = [queryOf({ beganAt: 12_000, overstatedAge: 8000 })];
    const lists = Array.from({ length: 15 }, (_, index) => listOf(15_000 + index * 5000));
    expect(kinds({ queries, lists }, { nodes, events })).toEqual([]);
    expect(kinds({ queries }, { nodes, events })).toEqual(['too early']);
    expect(kinds({ queries, lists }, { events })).toEqual(['too early']);
  });

  it('evaluates policies by the node name that led to another machine from the start on', () => {
    const nodes = recordedRunOf().plan.nodes.map((one) => ({ ...one, isConfigured: false }));
    const log = {
      queries: [queryOf({ node: 'n2' })],
      lists: Array.from({ length: 18 }, (_, index) => listOf(index * 5000, { machine: 'n2' })),
      aborts: [abortOf({ machine: 'n2', listMachine: 'n2' })],
    };
    expect(kinds(log, { nodes, settings: settingsOnNode('n1') })).toEqual([]);
    expect(kinds(log, { nodes, settings: settingsOnNode('n2') })).toEqual(['no policy match']);
  });
});
