import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Millis } from '../../src/kernel/time.ts';
import {
  chargeListTime,
  fullListTime,
  maxListInterval,
  maxListTime,
  nextListAt,
} from '../../src/model/list-time-share.ts';

interface ListRun {
  readonly started: Millis;
  readonly duration: Millis;
  /** The longest interval does not suffice to refill the time of the list. */
  readonly isWaived: boolean;
}

/** Requests one list after another, each as early as it may be. */
function listsOf(interval: Millis, durations: readonly Millis[]): readonly ListRun[] {
  const runs: ListRun[] = [];
  let time = fullListTime;
  let started = 0;
  for (const duration of durations) {
    const begun = started;
    const before = chargeListTime(time, 0, begun + duration);
    time = chargeListTime(time, duration, begun + duration);
    started = Math.max(begun + interval, begun + duration, nextListAt(time, begun));
    runs.push({ started: begun, duration, isWaived: time.left > before.left - duration + 1e-6 });
  }
  return runs;
}

const intervals = fc.constantFrom(1000, 2000, 5000, 7000, 30_000, 60_000);
const sequences = intervals.chain((interval) =>
  fc.tuple(fc.constant(interval), fc.array(fc.nat(Math.min(interval, 30_000)), { minLength: 1, maxLength: 300 })),
);

describe('list time', () => {
  it.each([
    ['a quick list', 10],
    ['a slow list', 2500],
    ['a list as long as the bucket', maxListTime],
  ])('does not delay the next list after %s', (_, duration) => {
    expect(nextListAt(chargeListTime(fullListTime, duration, duration), 0)).toBe(0);
  });

  it('delays lists once five minutes of their share are used up, until the share is refilled', () => {
    const empty = chargeListTime(fullListTime, maxListTime, 0);
    const time = chargeListTime(empty, 500, 500);
    expect(time.left).toBe(-475);
    expect(nextListAt(time, 0)).toBe(10_000);
    expect(chargeListTime(time, 0, 10_000).left).toBeCloseTo(0);
  });

  it('never delays a list by more than 30 s', () => {
    const time = chargeListTime(chargeListTime(fullListTime, maxListTime, 0), 3000, 3000);
    expect(nextListAt(time, 0)).toBe(30_000);
  });

  it('is full again after five minutes', () => {
    const empty = chargeListTime(fullListTime, maxListTime, 0);
    expect(chargeListTime(empty, 0, 300_000).left).toBe(maxListTime);
    expect(chargeListTime(empty, 0, 9_000_000).left).toBe(maxListTime);
  });

  it('does not change with a time in the past, or a duration below zero', () => {
    const time = chargeListTime(fullListTime, 1000, 5000);
    expect(chargeListTime(time, 0, 4000)).toEqual(time);
    expect(chargeListTime(time, -7, 5000)).toEqual(time);
  });

  it('keeps lists of ten minutes within 5 % and the bucket, except those after which 30 s do not suffice', () => {
    fc.assert(
      fc.property(sequences, ([interval, durations]) => {
        const runs = listsOf(interval, durations);
        const refilled = runs.filter(({ isWaived }) => !isWaived);
        for (const { started: from } of runs) {
          const window = refilled.filter(({ started }) => started >= from && started < from + 600_000);
          const spent = window.reduce((sum, { duration }) => sum + duration, 0);
          expect(spent).toBeLessThanOrEqual(600_000 * 0.05 + maxListTime + maxListInterval * 0.05);
        }
        for (const [index, { started, isWaived }] of runs.entries()) {
          const next = runs[index + 1]?.started ?? Number.POSITIVE_INFINITY;
          if (isWaived) expect(next - started).toBeGreaterThan(maxListInterval - 0.001);
        }
      }),
    );
  });

  it('never keeps lists more than 30 s apart, or their interval if it is longer', () => {
    fc.assert(
      fc.property(sequences, ([interval, durations]) => {
        const starts = listsOf(interval, durations).map(({ started }) => started);
        const gaps = starts.slice(1).map((started, index) => started - (starts[index] ?? 0));
        expect(Math.max(0, ...gaps)).toBeLessThan(Math.max(maxListInterval, interval) + 0.001);
      }),
    );
  });

  it('returns lists to their interval within 15 s of one slow reply, for any timeout', () => {
    fc.assert(
      fc.property(intervals, fc.double({ min: 0, max: 1, noNaN: true }), (interval, share) => {
        const duration = interval * share;
        const [, slow, next, last] = listsOf(interval, [10, duration, 10, 10]);
        const answered = (slow?.started ?? Number.NaN) + duration;
        const gap = (next?.started ?? Number.NaN) - answered;
        expect(gap).toBeLessThan(Math.max(15_000, interval - duration) + 0.001);
        expect((last?.started ?? Number.NaN) - (next?.started ?? Number.NaN)).toBeCloseTo(interval, 3);
      }),
    );
  });

  it('returns lists to their interval with the first quick answer after an hour of slow ones', () => {
    const runs = listsOf(5000, [...Array.from({ length: 200 }, () => 4900), 10, 10]);
    const [before, quick, last] = runs.slice(-3).map(({ started }) => started);
    expect([(quick ?? 0) - (before ?? 0), (last ?? 0) - (quick ?? 0)]).toEqual([30_000, 5000]);
  });
});
