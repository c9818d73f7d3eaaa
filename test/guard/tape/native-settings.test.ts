import { describe, expect, it } from 'vitest';
import { nativeSettings } from '../../../src/guard/tape/native-settings.ts';
import type { ReplayedDecision } from '../../../src/guard/tape/tally.ts';
import { settingsOf } from '../decision/world.ts';
import { policyOf } from '../policy-of.ts';

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
    verdict: 'aborted',
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
  it('are a timeout as short as the youngest victim of a query was old, in whole seconds', () => {
    const all = [decision({ age: 90_000, verdict: 'would_abort' }), decision(), decision({ query: 'other', age: 20 })];
    expect(nativeSettings(all, settings)).toEqual([
      { graph: 'fraud', query: 'ring_scan', aborts: 2, policies: ['old'], timeout: 70_000 },
      { graph: 'fraud', query: 'other', aborts: 1, policies: ['old'], timeout: 1000 },
    ]);
  });

  it('are told by name where aborts are as many, whichever came first', () => {
    const all = ['b', 'c', 'a'].map((query) => decision({ query }));
    expect(nativeSettings(all, settings).map(({ query }) => query)).toEqual(['a', 'b', 'c']);
  });

  it('are none for what was not aborted', () => {
    const others = (['held', 'over', 'open'] as const).map((verdict) => decision({ verdict }));
    expect(nativeSettings(others, settings)).toEqual([]);
  });

  it.each([
    [['many'], { atOnce: 3 }],
    [['many', 'more'], { atOnce: 2 }],
    [['first'], { atOnce: 1 }],
    [['queued'], { queueLimit: 20 }],
    [['queued', 'many'], { queueLimit: 20, atOnce: 3 }],
  ])('are limits where the policies %j look at groups and queues', (policies, limits) => {
    const all = policies.map((policy) => decision({ policy }));
    expect(nativeSettings(all, settings)).toEqual([
      { graph: 'fraud', query: 'ring_scan', aborts: all.length, policies, timeout: 70_000, ...limits },
    ]);
  });

  it('stand in the order of what they would spare, then by name', () => {
    const all = [
      decision({ query: 'b' }),
      decision({ query: 'c' }),
      decision({ query: 'c' }),
      decision({ query: 'a' }),
    ];
    expect(nativeSettings(all, settings).map(({ query }) => query)).toEqual(['c', 'a', 'b']);
  });
});
