import { describe, expect, it } from 'vitest';
import { limitViolations, listRateViolations } from '../../../../campaigns/races/oracle/limits.ts';
import type { PressurePlan } from '../../../../campaigns/races/plan/plan.ts';
import type { AbortLog, IntentLog } from '../../../../campaigns/races/simulation/log.ts';
import { settingsOf } from '../../../guard/decision/guard-simulation.ts';
import { bound } from '../../../guard/match-inputs.ts';
import { abortOf, intentOf, listOf, policy, recordedRunOf } from '../logs.ts';

/** Returns intents and aborts at the given times, each with its own id. */
function sent(
  times: readonly number[],
  changes: Partial<IntentLog> = {},
): { readonly intents: readonly IntentLog[]; readonly aborts: readonly AbortLog[] } {
  return {
    intents: times.map((at) => intentOf({ key: `${at}`, id: `${at}`, at, onDiskAt: at + 1, ...changes })),
    aborts: times.map((at) => abortOf({ sentAt: at + 2 }, { key: `${at}` })),
  };
}

const tight = {
  budgets: { perNode: { max: 2, within: 60_000 }, perCluster: { max: 3, within: 60_000 } },
  breakers: { sameQuery: { aborts: 9, within: 60_000 }, noRelief: { aborts: 1 } },
} as const;
const settings = settingsOf([{ ...policy, cooldown: 0 }], tight);

function found(
  log: Parameters<typeof recordedRunOf>[0],
  plan: Parameters<typeof recordedRunOf>[1] = { settings },
): readonly string[] {
  return [...new Set(limitViolations(recordedRunOf(log, plan)).map(({ kind }) => kind))];
}

describe('a budget', () => {
  it('may reach the budget, but not exceed it', () => {
    expect(found(sent([0, 59_999]))).toEqual([]);
    expect(found(sent([0, 59_998, 59_999]))).toEqual(['node budget']);
    expect(found(sent([0, 30_000, 60_000]))).toEqual([]);
    const [here, there] = [sent([0, 1]), sent([2, 3], { node: 'n2' })];
    const both = { intents: [...here.intents, ...there.intents], aborts: [] };
    expect(found(both)).toEqual(['cluster budget']);
  });

  it('is not checked across a crash with a clock step', () => {
    const log = { ...sent([0, 1, 2]), steps: [{ at: 1, by: 9 }], downtimes: [{ from: 1, to: 2 }] };
    expect(found(log)).toEqual([]);
  });

  it('respects the cooldown', () => {
    const plan = { settings: settingsOf([policy]) };
    expect(found(sent([0, 5000]), plan)).toEqual([]);
    expect(found(sent([0, 4999]), plan)).toEqual(['cooldown']);
  });
});

describe('a circuit breaker', () => {
  const budgets = { perNode: { max: 9, within: 1 }, perCluster: { max: 9, within: 1 } };
  const broken = settingsOf([{ ...policy, cooldown: 0 }], {
    budgets,
    breakers: { sameQuery: { aborts: 2, within: 60_000 }, noRelief: { aborts: 1 } },
  });

  it('of a query stays open until an operator closes it', () => {
    expect(found(sent([0, 1000]), { settings: broken })).toEqual([]);
    expect(found(sent([0, 1000, 80_000]), { settings: broken })).toEqual(['same query']);
    const resets = [{ at: 2000, breaker: 'same_query fraud ring_scan' }];
    expect(found({ ...sent([0, 1000, 80_000]), resets }, { settings: broken })).toEqual([]);
    expect(found({ ...sent([0, 1000, 1500]), resets }, { settings: broken })).toEqual(['same query']);
  });

  const gate = { needs: 'any', clauses: [{ source: 'node_memory', bound: bound('> 0.8'), for: 0 }] } as const;
  it.each<[number, number, readonly string[]]>([
    [0, 2, []],
    [0, 3, ['no relief']],
    [0.1, 3, []],
  ])('of a policy counts aborts without relief (%d, %d times)', (relief, count, kinds) => {
    const pressure: PressurePlan = {
      node: 'n1',
      source: 'node_memory',
      every: 5000,
      refresh: 5000,
      frozenFrom: 1e9,
      values: [0.9],
      relief,
    };
    const gated = settingsOf([{ ...policy, cooldown: 0, gate }], {
      budgets,
      breakers: { ...broken.breakers, sameQuery: { aborts: 9, within: 1 } },
    });
    const log = sent(Array.from({ length: count }, (_, index) => index * 10_000));
    expect(found(log, { settings: gated, pressures: [pressure] })).toEqual(kinds);
  });
});

describe('lists', () => {
  it.each([
    ['are allowed every five seconds', Array.from({ length: 9 }, (_, index) => listOf(index * 5000)), 0],
    ['are a violation if regular ones are too close', [listOf(0), listOf(2499)], 1],
    [
      'are a violation if one is requested before the previous one arrives',
      [listOf(0, { receivedAt: 3000 }), listOf(2600)],
      1,
    ],
    ['include two extra ones', [0, 1, 2].map((at) => listOf(at * 100, at === 0 ? {} : { purpose: 'extra' })), 0],
    [
      'are a violation if three are extra',
      [0, 1, 2, 3].map((at) => listOf(at * 100, at === 0 ? {} : { purpose: 'extra' })),
      1,
    ],
    [
      'include twelve of the reserve',
      Array.from({ length: 12 }, (_, index) => listOf(index * 100, { purpose: 'fresh' })),
      0,
    ],
    [
      'are a violation if thirteen use the reserve',
      Array.from({ length: 13 }, (_, index) => listOf(index * 100, { purpose: index % 2 === 0 ? 'fresh' : 'verify' })),
      1,
    ],
  ] as const)('%s', (_, lists, count) => {
    expect(listRateViolations(recordedRunOf({ lists }))).toHaveLength(count);
  });

  it('more than 30 seconds apart are a violation only while there are policies', () => {
    const lists = [listOf(0), listOf(40_000)];
    expect(listRateViolations(recordedRunOf({ lists })).map(({ kind }) => kind)).toEqual(['slow lists']);
    const reload = (at: number, policies: typeof settings.policies) => ({
      at,
      settings: { ...settings, policies },
      isNoMore: true,
    });
    const withoutPolicies = [reload(10_000, []), reload(30_000, [policy])];
    expect(listRateViolations(recordedRunOf({ lists, reloads: withoutPolicies }))).toEqual([]);
    const earlier = [reload(-20_000, []), reload(-10_000, [policy])];
    expect(listRateViolations(recordedRunOf({ lists, reloads: earlier }))).toHaveLength(1);
  });
});
