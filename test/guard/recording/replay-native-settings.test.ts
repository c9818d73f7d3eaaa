import { describe, expect, it } from 'vitest';
import { nativeSettings } from '../../../src/guard/recording/replay.ts';
import type { ReplayedDecision } from '../../../src/guard/recording/replay-results.ts';
import { settingsOf } from '../decision/guard-simulation.ts';
import { policyOf } from '../parsed-policy.ts';

function decision(changes: Partial<ReplayedDecision> = {}): ReplayedDecision {
  return {
    policy: 'old',
    mode: 'enforce',
    node: 'n1',
    graph: 'fraud',
    query: 'ring_scan',
    id: '1',
    matchedAt: 0,
    due: 0,
    age: 70_400,
    result: 'aborted',
    at: 0,
    ...changes,
  };
}

const settings = settingsOf([
  policyOf({ name: 'old' }),
  policyOf({ name: 'many', group: { by: ['query'], count: '>= 4' } }),
  policyOf({ name: 'more', group: { by: ['query'], count: '> 2' } }),
  policyOf({ name: 'first', group: { by: ['query'], count: '>= 1' } }),
  policyOf({
    name: 'queued',
    gate: {
      any: [
        { queue_depth: '> 20', for: '1m' },
        { queue_oldest: '> 30s', for: '1m' },
      ],
    },
  }),
]);

describe('native settings', () => {
  it('suggest the age of the youngest aborted query as its timeout, in whole seconds', () => {
    const all = [decision({ age: 90_000, result: 'would_abort' }), decision(), decision({ query: 'other', age: 20 })];
    expect(nativeSettings(all, settings)).toEqual([
      { graph: 'fraud', query: 'ring_scan', aborts: 2, policies: ['old'], timeout: 70_000 },
      { graph: 'fraud', query: 'other', aborts: 1, policies: ['old'], timeout: 1000 },
    ]);
  });

  it('are sorted by name if the number of aborts is equal', () => {
    const all = ['b', 'c', 'a'].map((query) => decision({ query }));
    expect(nativeSettings(all, settings).map(({ query }) => query)).toEqual(['a', 'b', 'c']);
  });

  it('are empty without aborts', () => {
    const others = (['held', 'over', 'open'] as const).map((result) => decision({ result }));
    expect(nativeSettings(others, settings)).toEqual([]);
  });

  it.each([
    [['many'], { atOnce: 3 }],
    [['many', 'more'], { atOnce: 2 }],
    [['first'], { atOnce: 1 }],
    [['queued'], { queueLimit: 20 }],
    [['queued', 'many'], { queueLimit: 20, atOnce: 3 }],
  ])('suggest limits if the policies %j have groups or queue gates', (policies, limits) => {
    const all = policies.map((policy) => decision({ policy }));
    expect(nativeSettings(all, settings)).toEqual([
      { graph: 'fraud', query: 'ring_scan', aborts: all.length, policies, timeout: 70_000, ...limits },
    ]);
  });

  it('are sorted by the number of avoided aborts, then by name', () => {
    const all = [
      decision({ query: 'b' }),
      decision({ query: 'c' }),
      decision({ query: 'c' }),
      decision({ query: 'a' }),
    ];
    expect(nativeSettings(all, settings).map(({ query }) => query)).toEqual(['c', 'a', 'b']);
  });
});
