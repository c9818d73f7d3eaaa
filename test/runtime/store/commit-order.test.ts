import { describe, expect, it } from 'vitest';
import { nextGroup } from '../../../src/runtime/store/commit-order.ts';

const commit = (priority: 'normal' | 'urgent', ...tables: readonly string[]) => ({
  priority,
  changes: tables.map((table) => ({ table, drop: {} })),
});

describe('the order of commits', () => {
  it('includes all waiting batches in their order', () => {
    const waiting = [commit('normal', 'a'), commit('normal', 'b')];
    expect(nextGroup(waiting)).toEqual(waiting);
    expect(nextGroup([])).toEqual([]);
  });

  it('puts urgent batches first, with earlier batches that change the same tables', () => {
    const waiting = [commit('normal', 'a'), commit('normal', 'b'), commit('urgent', 'a'), commit('normal', 'a')];
    expect(nextGroup(waiting)).toEqual([waiting[0], waiting[2]]);
  });

  it('ends a group after a thousand changes', () => {
    const large = commit('normal', ...Array.from({ length: 1000 }, () => 'a'));
    expect(nextGroup([large, commit('normal', 'b')])).toEqual([large]);
  });
});
