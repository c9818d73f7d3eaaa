import { describe, expect, it } from 'vitest';
import { grewConsistently, queryAge } from '../../src/guard/candidate.ts';
import { at, idAt, listAt, observationOf } from './observations.ts';

/** A query that arrived at 0 by a clock that is right, as a list at 60 s has it. */
function age(elapsed: number, offset: number | undefined = 0, arrival = 0): number | undefined {
  return queryAge(observationOf({ requestid: idAt(arrival), elapsedTime: elapsed }), at(60_000), offset);
}

describe('the age of a query', () => {
  it.each([
    ['what both agree on', 60_000, 0, 60_000],
    ['what it has run, where it waited before', 20_000, 0, 20_000],
    ['the age by its id if that is slightly lower', 61_000, 0, 60_000],
    ['the smaller, up to five seconds apart', 65_000, 0, 60_000],
    ['not known where they are further apart', 65_001, 0, undefined],
    ['that by the clock of the node', 50_000, 10_000, 50_000],
    ['corrected downwards', 52_000, 10_000, 50_000],
    ['corrected upwards', 70_000, -10_000, 70_000],
    ['not known where the node’s clock says otherwise', 60_000, 10_000, undefined],
  ])('is %s', (_, elapsed, offset, expected) => {
    expect(age(elapsed, offset)).toBe(expected);
  });

  it('is not known while the clock is not', () => {
    expect(queryAge(observationOf(), at(60_000), undefined)).toBeUndefined();
  });

  it('is never negative', () => {
    expect(age(1000, 0, 61_000)).toBe(0);
    expect(age(1000, 0, 64_000)).toBe(0);
    expect(age(1001, 0, 64_001)).toBeUndefined();
  });
});

describe('an entry in two lists', () => {
  const first = { elapsed: 10_000, ...listAt(20_000, 200) };
  const grown = (growth: number, duration = 0) =>
    grewConsistently(first, { elapsed: 10_000 + growth, ...listAt(25_000, duration) });

  it('grew in step with the time between them', () => {
    expect([3896, 5000, 6000, 6304].map((growth) => grown(growth))).toEqual([true, true, true, true]);
  });

  it.each([-5000, 0, 3695, 6305, 10_000])('did not by %i ms', (growth) => {
    expect(grown(growth)).toBe(false);
  });

  it('has room for a clock that drifts, however long it takes', () => {
    const hour = 3_600_000;
    const grownBy = (growth: number) => grewConsistently(first, { elapsed: 10_000 + growth, ...listAt(20_000 + hour) });
    expect([grownBy(hour * 1.02), grownBy(hour * 0.98), grownBy(hour * 1.03), grownBy(hour * 0.97)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('has as much room as the answers were under way', () => {
    expect([grown(3400), grown(3400, 500), grown(3395, 500)]).toEqual([false, true, false]);
  });
});
