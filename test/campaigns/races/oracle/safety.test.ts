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

const odd = `${id}&requestid=all`;
const gated = { needs: 'any', clauses: [{ source: 'queue_depth', bound: bound('> 20'), for: 0 }] } as const;

describe('the safety oracle', () => {
  it('returns no finding for a correct run', () => {
    expect(kinds({})).toEqual([]);
  });

  it.each<[string, FindingKind, Partial<SimulationLog>, Partial<SimulationPlan>]>([
    ['a query that is too young', 'no policy match', { queries: [queryOf({ beganAt: 20_000 })] }, {}],
    [
      'a query whose age a server may say wrongly by so much',
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
    ['what is no installed query', 'no policy match', { queries: [queryOf({ isInstalled: false })] }, {}],
    [
      'a query of another name',
      'no policy match',
      {},
      { settings: settingsOf([policyOf({ query: globs('adhoc_*') })]) },
    ],
    ['a policy that only looks on', 'no policy match', {}, { settings: settingsOf([{ ...policy, mode: 'observe' }]) }],
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
      'less grace than there is to be',
      'too early',
      { aborts: [abortOf({ sentAt: 40_900 })], intents: [intentOf({ onDiskAt: 40_000 })] },
      {},
    ],
    ['less grace since it was confirmed', 'too early', { lists: [listOf(30_000), listOf(35_500)] }, {}],
    [
      'out of hours, by our clock as it was set',
      'no policy match',
      { steps: [{ at: 1, by: -60_000 }] },
      { settings: settingsOf([{ ...policy, active: { days: [1], from: 854, to: 900, zone: 'UTC' } }]) },
    ],
    [
      'just in its hours, with no grace in them',
      'too early',
      {},
      { settings: settingsOf([{ ...policy, active: { days: [1], from: 854, to: 900, zone: 'UTC' } }]) },
    ],
    [
      'meant by settings of before',
      'no policy match',
      { reloads: [{ at: 40_000, settings: settingsOf([]), isNoMore: false }] },
      {},
    ],
    [
      'confirmed under other settings',
      'too early',
      { reloads: [{ at: 35_000, settings: settingsOf([policy]), isNoMore: false }] },
      {},
    ],
    ['confirmed before our clock was set', 'too early', { steps: [{ at: 30_000, by: 9 }] }, {}],
    ['a query that never ran', 'not running', { queries: [], ...without() }, {}],
    ['what ended long ago', 'not running', { queries: [queryOf({ endedAt: 41_999 })], ...without() }, {}],
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
    ['a graph that is not known', 'unknown graph', {}, { graphs: ['sandbox'] }],
    ['no intent', 'no intent', { intents: [] }, {}],
    ['an intent that is not on disk yet', 'no intent', { intents: [intentOf({ onDiskAt: 45_001 })] }, {}],
    ['a pause', 'while paused', { pauses: [{ at: 100, isPaused: true }] }, {}],
    [
      'an abort response with an unexpected id',
      'while paused',
      { pauses: [{ at: 100, isPaused: false }], unexpectedReplies: [{ at: 200 }] },
      {},
    ],
    ['an end', 'after the stop', { stoppedAt: 44_000 }, {}],
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
    ['what ended while the abort was on its way', { queries: [queryOf({ endedAt: 44_000 })], ...without() }],
    [
      'a resumed guard',
      {
        pauses: [
          { at: 1, isPaused: true },
          { at: 2, isPaused: false },
        ],
      },
    ],
    ['an abort that a proxy sent astray without a warning', without({ machine: 'n2', listMachine: 'n2' })],
  ])('finds nothing in %s', (_, log) => {
    expect(kinds(log)).toEqual([]);
  });
});
