import { describe, expect, it } from 'vitest';
import { grewConsistently, queryAge } from '../../src/guard/candidate.ts';
import { at, idAt, listAt, observationOf } from './observations.ts';

/** A query that arrived at 0 by a clock that is right, as a list at 60 s has it. */
function age(elapsed: number, offset: number | undefined = 0, arrival = 0): number | undefined {
  return queryAge(observationOf({ requestid: idAt(arrival), elapsedTime: elapsed }), at(60_000), offset);
}

describe('query age', () => {
  it.each([
    ['the reported age if the id confirms it', 60_000, 0, 60_000],
    ['the time since the start if the query waited in the queue', 20_000, 0, 20_000],
    ['the age by the id if that is slightly lower', 61_000, 0, 60_000],
    ['the smaller age if they differ by at most five seconds', 65_000, 0, 60_000],
    ['undefined if they differ by more', 65_001, 0, undefined],
    ['corrected by the clock offset of the node', 50_000, 10_000, 50_000],
    ['corrected downwards by the offset', 52_000, 10_000, 50_000],
    ['corrected upwards by the offset', 70_000, -10_000, 70_000],
    ['undefined if the clock offset contradicts it', 60_000, 10_000, undefined],
  ])('is %s', (_, elapsed, offset, expected) => {
    expect(age(elapsed, offset)).toBe(expected);
  });

  it('is undefined while the clock offset is unknown', () => {
    expect(queryAge(observationOf(), at(60_000), undefined)).toBeUndefined();
  });

  it('is never negative', () => {
    expect(age(1000, 0, 61_000)).toBe(0);
    expect(age(1000, 0, 64_000)).toBe(0);
    expect(age(1001, 0, 64_001)).toBeUndefined();
  });
});

describe('entry in two lists', () => {
  const first = { elapsed: 10_000, ...listAt(20_000, 200) };
  const grown = (growth: number, duration = 0) =>
    grewConsistently(first, { elapsed: 10_000 + growth, ...listAt(25_000, duration) });

  it('is consistent if its age grew by the time between the lists', () => {
    expect([3896, 5000, 6000, 6304].map((growth) => grown(growth))).toEqual([true, true, true, true]);
  });

  it.each([-5000, 0, 3695, 6305, 10_000])(
    'is not consistent if its age grew by %i ms too little or too much',
    (growth) => {
      expect(grown(growth)).toBe(false);
    },
  );

  it('allows for clock drift in proportion to the time between the lists', () => {
    const hour = 3_600_000;
    const grownBy = (growth: number) => grewConsistently(first, { elapsed: 10_000 + growth, ...listAt(20_000 + hour) });
    expect([grownBy(hour * 1.02), grownBy(hour * 0.98), grownBy(hour * 1.03), grownBy(hour * 0.97)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('allows for the duration of both requests', () => {
    expect([grown(3400), grown(3400, 500), grown(3395, 500)]).toEqual([false, true, false]);
  });
});
