import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src/kernel/duration.ts';

describe('durations', () => {
  it.each([
    ['250ms', 250],
    ['10s', 10_000],
    ['1.5s', 1500],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['400d', 34_560_000_000],
    ['2w', 1_209_600_000],
    ['0s', 0],
  ])('reads %s', (text, length) => {
    expect(parseDuration(text)).toEqual({ ok: true, value: length });
  });

  it.each(['', '10', 's', '10 s', '10s ', '-1s', '1y', '1h-30m', '1.s', '10S'])('refuses %j with a hint', (text) => {
    const read = parseDuration(text);
    expect(read).toMatchObject({ ok: false, error: expect.stringContaining('write a number with a unit') });
  });

  it.each([
    [0, '0s'],
    [250, '250ms'],
    [90_000, '1m30s'],
    [5_400_000, '1h30m'],
    [86_400_000, '1d'],
    [0.4, '0s'],
  ])('writes %d', (length, text) => {
    expect(formatDuration(length)).toBe(text);
  });

  it('writes what it reads', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 12), (length) => {
        expect(parseDuration(formatDuration(length))).toEqual({ ok: true, value: length });
      }),
    );
  });
});
