import { describe, expect, it } from 'vitest';
import { FirstUse, zeroPeriod } from '../../src/metric/first-use.ts';

function at(mono: number) {
  return { wall: 0, mono };
}

describe('the first use of a label value', () => {
  it('is a series that is 0 for a minute from its first appearance on', () => {
    const uses = new FirstUse<string>();
    const shown = [5000, 5000 + zeroPeriod - 1, 5000 + zeroPeriod].map((mono) => uses.isZero('a', at(mono)));
    expect(shown).toEqual([true, true, false]);
    expect(uses.isZero('b', at(90_000))).toBe(true);
  });

  it('has no series while its count is 0', () => {
    const uses = new FirstUse<string>();
    const counts = Object.entries({ a: 0, b: 3 });
    expect([...uses.shown(counts, at(0))]).toEqual([['b', 0]]);
    expect([...uses.shown(counts, at(zeroPeriod))]).toEqual([['b', 3]]);
  });

  it('changes its value once, at the end of the period', () => {
    const uses = new FirstUse<string>();
    expect(uses.settledBetween(0, 1_000_000)).toBe(false);
    uses.isZero('a', at(1000));
    const end = 1000 + zeroPeriod;
    expect(uses.settledBetween(1000, end - 1)).toBe(false);
    expect(uses.settledBetween(1000, end)).toBe(true);
    expect(uses.settledBetween(end, end + 1)).toBe(false);
  });
});
