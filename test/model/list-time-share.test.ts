import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minListInterval } from '../../src/model/list-time-share.ts';

describe('minListInterval', () => {
  it.each([
    [0, 0],
    [10, 200],
    [250, 5000],
    [1500, 30_000],
    [20_000, 30_000],
  ])('spaces lists of %d ms by %d ms', (duration, interval) => {
    expect(minListInterval(duration)).toBe(interval);
  });

  it('keeps lists within 5 % of the time, at most 30 s apart', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), (duration) => {
        expect(minListInterval(duration)).toBe(Math.min(30_000, duration * 20));
      }),
    );
  });
});
