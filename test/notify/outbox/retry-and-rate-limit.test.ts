import { describe, expect, it } from 'vitest';
import { backoff, rateLimitPause } from '../../../src/notify/outbox/retry-and-rate-limit.ts';

describe('backoff', () => {
  it.each([
    [0, 1000],
    [1, 2000],
    [2, 4000],
    [8, 256_000],
    [9, 300_000],
    [5000, 300_000],
  ])('after %d failures is at most %d ms', (failures, longest) => {
    expect(backoff(failures, 1)).toBe(longest);
    expect(backoff(failures, 0.5)).toBe(longest / 2);
    expect(backoff(failures, 0)).toBe(0);
  });
});

describe('rate limit pause', () => {
  it.each([
    ['the Retry-After of the receiver', 7000, 1, 7000],
    ['15 minutes if Retry-After is longer', 86_400_000, 1, 900_000],
    ['zero for a negative time', -5, 1, 0],
    ['30 s at first without Retry-After', undefined, 1, 30_000],
    ['60 s at the second time', undefined, 2, 60_000],
    ['15 minutes after several times', undefined, 6, 900_000],
    ['no more than 15 minutes after any number of times', undefined, 6000, 900_000],
  ])('is %s', (_, wait, times, expected) => {
    expect(rateLimitPause(wait, times)).toBe(expected);
  });
});
