import { describe, expect, it } from 'vitest';
import { legitimateVictims } from '../../../../campaigns/races/oracle/liveness.ts';
import type { SimulationPlan } from '../../../../campaigns/races/plan/plan.ts';
import type { SimulationLog } from '../../../../campaigns/races/simulation/log.ts';
import { settingsOf } from '../../../guard/decision/guard-simulation.ts';
import { bound, globs, policyOf } from '../../../guard/match-inputs.ts';
import { abortOf, intentOf, listOf, policy, queryOf, recordedRunOf } from '../logs.ts';

const { lists } = recordedRunOf().log;
const faultPeriod = { from: 0, to: 90_000, share: 1 } as const;

function others(count: number, changes: Parameters<typeof intentOf>[0] = {}): Pick<SimulationLog, 'intents'> {
  const more = Array.from({ length: count }, (_, index) =>
    intentOf({ key: `${index}`, id: `${index}`, policy: 'other', at: 40_500, ...changes }),
  );
  return { intents: [intentOf(), ...more] };
}

describe('the liveness oracle', () => {
  it('expects a new confirmation after a pause', () => {
    const run = { queries: [queryOf({ endedAt: 90_000 })], aborts: [], intents: [] };
    const pauses = [
      { at: 1, isPaused: true },
      { at: 37_000, isPaused: false },
    ];
    const due = [run, { ...run, pauses }].map((log) => legitimateVictims(recordedRunOf(log)).map((one) => one.due));
    expect(due).toEqual([[41_000], [55_020]]);
  });

  it('requires the abort of queries in a group', () => {
    const elsewhere = { number: 1, node: 'n2', id: '8.RESTPP_1_2.1790000001000.N', beganAt: 500, endedAt: 80_000 };
    const there = lists.map(({ startedAt }) =>
      listOf(startedAt, { node: 'n2', machine: 'n2', tags: new Set(['RESTPP_1_2']), listed: new Set([1]) }),
    );
    const settings = settingsOf([
      { ...policy, victims: { pick: 'oldest', max: 9 }, group: { by: ['graph'], count: bound('>= 2') } },
    ]);
    const queries = [queryOf({ endedAt: 80_000 }), queryOf(elsewhere)];
    const log = { queries, lists: [...lists, ...there], aborts: [], intents: [] };
    expect(legitimateVictims(recordedRunOf(log, { settings })).map(({ query }) => query.node)).toEqual(['n1', 'n2']);
  });

  it('returns the earliest abort time and the time of the abort', () => {
    expect(legitimateVictims(recordedRunOf())).toMatchObject([
      { due: 41_000, isConfirmedBeforeMatch: true, abortedAt: undefined },
    ]);
    const timely = { aborts: [abortOf({ sentAt: 41_060 })], queries: [queryOf({ endedAt: 41_070 })] };
    expect(legitimateVictims(recordedRunOf(timely))).toMatchObject([{ due: 41_000, abortedAt: 41_060 }]);
  });

  it('counts from the first list for a query that was observed late', () => {
    const late = lists.filter(({ startedAt }) => startedAt >= 40_000);
    const trial = recordedRunOf({ lists: late, queries: [queryOf({ endedAt: 80_000 })], aborts: [] });
    expect(legitimateVictims(trial)).toMatchObject([
      { due: 55_020, isConfirmedBeforeMatch: false, abortedAt: undefined },
    ]);
  });

  it('starts with the hours and with the settings in force', () => {
    const late = { ...policy, active: { days: [1], from: 854, to: 900, zone: 'UTC' } };
    const log = { aborts: [], intents: [], queries: [queryOf({ endedAt: 80_000 })] };
    expect(legitimateVictims(recordedRunOf(log, { settings: settingsOf([late]) }))).toMatchObject([{ due: 50_000 }]);
    const reloads = [{ at: 10_000, settings: settingsOf([{ ...policy, grace: 20_000 }]), isNoMore: false }];
    expect(legitimateVictims(recordedRunOf({ ...log, reloads }))).toMatchObject([{ due: 51_000 }]);
  });

  it.each<[string, Partial<SimulationLog>, Partial<SimulationPlan>]>([
    ['a query that ends in time', { queries: [queryOf({ runsFor: 42_000, endedAt: 43_000, isAborted: false })] }, {}],
    ['a protected query', {}, { settings: settingsOf([policy], { protect: [{ query: globs('ring_*') }] }) }],
    ['a policy that only looks on', {}, { settings: settingsOf([{ ...policy, mode: 'observe' }]) }],
    ['a guard that only looks on', {}, { settings: settingsOf([policy], { mode: 'observe' }) }],
    ['a policy for others', {}, { settings: settingsOf([policyOf({ query: globs('adhoc_*') })]) }],
    ['a query of an unknown graph', { queries: [queryOf({ graph: 'hidden' })] }, {}],
    ['a query of which too much is said', { queries: [queryOf({ overstatedAge: 600_000 })] }, {}],
    [
      'a query whose id another one gets',
      { queries: [queryOf(), queryOf({ number: 1, beganAt: 80_000, sameIdAs: 0 })] },
      {},
    ],
    [
      'bad lists',
      { lists: lists.map((one) => (one.startedAt === 40_000 ? listOf(40_000, { isGood: false }) : one)) },
      {},
    ],
    [
      'slow lists',
      { lists: lists.map((one) => (one.startedAt === 40_000 ? listOf(40_000, { receivedAt: 41_500 }) : one)) },
      {},
    ],
    [
      'a policy whose hours are over',
      {},
      { settings: settingsOf([{ ...policy, active: { days: [1], from: 0, to: 854, zone: 'UTC' } }]) },
    ],
    ['a reload', { reloads: [{ at: 42_000, settings: settingsOf([policy]), isNoMore: true }] }, {}],
    ['a pause', { pauses: [{ at: 35_000, isPaused: true }] }, {}],
    ['a guard that was paused before', { pauses: [{ at: 1, isPaused: true }] }, {}],
    ['a process that was not there', { downtimes: [{ from: 42_000, to: 43_000 }] }, {}],
    ['a clock that was set', { steps: [{ at: 42_000, by: 9 }] }, {}],
    ['an end', { stoppedAt: 43_000 }, {}],
    ['a slow disk', {}, { faultPeriods: [{ ...faultPeriod, fault: 'commit is slow' }] }],
    ['shuffled nodes', {}, { faultPeriods: [{ ...faultPeriod, fault: 'requests reach another node' }] }],
    ['an instance that another node has', { lists: [...lists, listOf(1, { node: 'n2' })] }, {}],
    ['a node without room', others(3), {}],
    ['a cluster without room', others(6, { node: 'n2' }), {}],
    ['a policy that rests', others(1, { policy: policy.name }), {}],
    ['a query that was tried often', others(3, { at: 1, query: 'ring_scan', graph: 'fraud' }), {}],
    ['a rival that may be taken instead', { queries: [queryOf(), queryOf({ number: 1, id: 'x' })] }, {}],
    [
      'a closed gate',
      {},
      {
        settings: settingsOf([
          { ...policy, gate: { needs: 'any', clauses: [{ source: 'node_cpu', bound: bound('> 1'), for: 0 }] } },
        ]),
      },
    ],
    [
      'company on a node that cannot be seen',
      { queries: [queryOf({ endedAt: 80_000 }), queryOf({ number: 1, node: 'n2', id: 'y', endedAt: 80_000 })] },
      { settings: settingsOf([{ ...policy, group: { by: ['graph'], count: bound('>= 2') } }]) },
    ],
    ['no company', {}, { settings: settingsOf([{ ...policy, group: { by: ['node'], count: bound('>= 2') } }]) }],
  ])('requires no abort if there is %s', (_, log, plan) => {
    expect(legitimateVictims(recordedRunOf(log, plan))).toEqual([]);
  });
});
