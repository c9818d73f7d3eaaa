import { describe, expect, it } from 'vitest';
import { initialListRateLimit } from '../../../src/guard/decision/list-rate-limit.ts';
import { matchableList } from '../../../src/guard/decision/matchable-list.ts';
import { at, listAt } from '../observations.ts';

const list = {
  times: listAt(0),
  connection: 'a',
  candidates: new Map(),
  ids: new Set<string>(),
  skippedEntries: 0,
};

describe('list whose queries are matched', () => {
  it.each([
    [15_000, 0, true],
    [15_001, 0, false],
    [15_001, 20_000, true],
    [60_001, 20_000, false],
  ])('after %i ms, with a pause of %i ms between slow lists: %s', (after, spacing, isMatchable) => {
    const pace = { ...initialListRateLimit, spacing };
    expect(matchableList({ list, pace }, { interval: 5000, now: at(after) })).toBe(isMatchable ? list : undefined);
  });

  it('does not exist before the first list', () => {
    expect(
      matchableList({ list: undefined, pace: initialListRateLimit }, { interval: 5000, now: at(0) }),
    ).toBeUndefined();
  });
});
