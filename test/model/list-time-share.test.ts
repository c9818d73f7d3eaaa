import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minListInterval } from '../../src/model/list-time-share.ts';

describe('minListInterval', () => {
  it.each([
    [0, 0],
    [10, 200],
    [250, 5000],
    [3000, 60_000],
  ])('spaces lists of %d ms by %d ms', (duration, interval) => {
    expect(minListInterval(duration)).toBe(interval);
  });

  it('keeps lists within 5 % of the time, exactly', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), (duration) => {
        expect(minListInterval(duration)).toBe(duration * 20);
      }),
    );
  });
});
