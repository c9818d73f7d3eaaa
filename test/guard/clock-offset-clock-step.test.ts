import { describe, expect, it } from 'vitest';
import { queryAge } from '../../src/guard/candidate.ts';
import { clockStepBetween, initialOffset, shiftOffset, updateOffset } from '../../src/guard/clock-offset.ts';
import { at, idAt, listAt, observationOf } from './observations.ts';

describe('clock step', () => {
  it.each([
    [0, 0],
    [250, 0],
    [-250, 0],
    [251, 251],
    [-251, -251],
    [3_600_000, 3_600_000],
    [-21_600_000, -21_600_000],
  ])('is found if the wall clock deviates by %i ms from the monotonic clock: %i', (off, expected) => {
    const now = at(5000);
    expect(clockStepBetween(at(0), { ...now, wall: now.wall + off })).toBe(expected);
  });
});

describe('clock offset after a step of the local clock', () => {
  it('is corrected by the step', () => {
    const step = 3_600_000;
    const query = observationOf({ requestid: idAt(0), elapsedTime: 20_000 });
    const known = updateOffset(initialOffset(), [query], listAt(20_000));
    const after = shiftOffset(known, step);
    const { wall, mono } = at(25_000);
    const later = { ...query, elapsed: 25_000 };
    expect(queryAge(later, { wall: wall + step, mono }, known.offset)).toBe(25_000);
    expect(queryAge(later, { wall: wall - step, mono }, known.offset)).toBeUndefined();
    expect(queryAge(later, { wall: wall + step, mono }, after.offset)).toBe(25_000);
    expect(queryAge(later, { wall: wall - step, mono }, shiftOffset(known, -step).offset)).toBe(25_000);
  });

  it('is corrected in all fields of its state', () => {
    const reported = new Map([['a', { value: 7, isTrusted: true, lastSeen: 1 }]]);
    const state = { isUnconfirmed: false, offset: 5, anchor: 0, samples: reported, rising: [9, 8], listedAt: 3 };
    expect(shiftOffset(state, 100)).toEqual({
      isUnconfirmed: false,
      offset: 105,
      anchor: 100,
      samples: new Map([['a', { value: 107, isTrusted: true, lastSeen: 1 }]]),
      rising: [109, 108],
      listedAt: 3,
    });
    expect(shiftOffset(initialOffset(), 100)).toEqual(initialOffset());
  });
});
