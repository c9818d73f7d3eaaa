import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, formatElapsed, parseDuration } from '../../src/kernel/duration.ts';

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

  it('are formatted as they are parsed', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 12), (length) => {
        expect(parseDuration(formatDuration(length))).toEqual({ ok: true, value: length });
      }),
    );
  });

  it.each([
    [-5000, '0s'],
    [0, '0s'],
    [250, '250ms'],
    [999, '999ms'],
    [40_900, '40s'],
    [60_000, '1m'],
    [200_000, '3m 20s'],
    [3_600_000, '1h'],
    [3_605_000, '1h'],
    [11_100_000, '3h 5m'],
    [90_061_000, '1d 1h'],
    [1_051_200_000, '12d 4h'],
  ])('shows %d ms to people as %j', (length, text) => {
    expect(formatElapsed(length)).toBe(text);
  });
});
