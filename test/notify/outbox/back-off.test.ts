import { describe, expect, it } from 'vitest';
import { backOff, limitedFor } from '../../../src/notify/outbox/back-off.ts';

describe('the time until the next try', () => {
  it.each([
    [0, 1000],
    [1, 2000],
    [2, 4000],
    [8, 256_000],
    [9, 300_000],
    [5000, 300_000],
  ])('after %d failures is at most %d ms', (failures, longest) => {
    expect(backOff(failures, 1)).toBe(longest);
    expect(backOff(failures, 0.5)).toBe(longest / 2);
    expect(backOff(failures, 0)).toBe(0);
  });
});

describe('the time for which a receiver is left alone', () => {
  it.each([
    ['what it asks for', 7000, 1, 7000],
    ['15 minutes where it asks for more', 86_400_000, 1, 900_000],
    ['nothing where it asks for less than nothing', -5, 1, 0],
    ['30 s at first where it does not say', undefined, 1, 30_000],
    ['twice that at the second time', undefined, 2, 60_000],
    ['15 minutes at last', undefined, 6, 900_000],
    ['no more however often', undefined, 6000, 900_000],
  ])('is %s', (_, wait, times, expected) => {
    expect(limitedFor(wait, times)).toBe(expected);
  });
});
