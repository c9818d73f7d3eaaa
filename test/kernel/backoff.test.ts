import { expect, it } from 'vitest';
import { exponentialBackoff, jitteredBackoff } from '../../src/kernel/backoff.ts';

const limits = { min: 1000, max: 300_000 };

it.each([
  [-1, 1000],
  [0, 1000],
  [1, 2000],
  [8, 256_000],
  [9, 300_000],
  [5000, 300_000],
])('backoff doubles %i times, up to the maximum: %i ms', (doublings, wait) => {
  expect(exponentialBackoff(limits, doublings)).toBe(wait);
});

it('backoff is random between 0 and the exponential backoff', () => {
  expect([0, 0.5, 0.999].map((chance) => jitteredBackoff(limits, 2, chance))).toEqual([0, 2000, 3996]);
});
