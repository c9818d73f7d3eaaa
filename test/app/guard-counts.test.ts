import { describe, expect, it } from 'vitest';
import { doubts, GuardCounts } from '../../src/app/guard-counts.ts';

describe('what is counted about a node', () => {
  it('is a query once for each policy, for as long as it is listed', () => {
    const counts = new GuardCounts();
    for (const [policy, id] of [
      ['one', 'a'],
      ['one', 'a'],
      ['two', 'a'],
      ['one', 'b'],
    ] as const) {
      counts.match(policy, id);
    }
    expect(['one', 'two', 'none'].map((policy) => counts.matches(policy))).toEqual([2, 1, 0]);
    counts.keep((id) => id === 'a');
    counts.match('one', 'a');
    counts.match('one', 'b');
    expect(counts.matches('one')).toBe(3);
  });

  it('is each doubt by its scope and reason', () => {
    const counts = new GuardCounts();
    counts.doubt({ scope: 'list', reason: 'too_slow' });
    counts.doubt({ scope: 'list', reason: 'too_slow' });
    counts.doubt({ scope: 'entry', reason: 'ages' });
    const told = doubts.map((doubt) => [`${doubt.scope} ${doubt.reason}`, counts.voids(doubt)]);
    expect(told.filter(([, count]) => count !== 0)).toEqual([
      ['entry ages', 1],
      ['list too_slow', 2],
    ]);
    expect(new Set(told.map(([name]) => name)).size).toBe(10);
  });
});
