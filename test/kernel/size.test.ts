import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSize, parseSize } from '../../src/kernel/size.ts';

describe('parseSize', () => {
  it.each([
    ['0B', 0],
    ['1B', 1],
    ['512KiB', 524_288],
    ['64MiB', 67_108_864],
    ['64 MiB', 67_108_864],
    ['1.5GiB', 1_610_612_736],
    ['2TiB', 2_199_023_255_552],
    ['100MB', 100_000_000],
    ['1KB', 1_000],
  ])('reads %s as %d bytes', (text, bytes) => {
    expect(parseSize(text)).toEqual({ ok: true, value: bytes });
  });

  it.each(['', '64', 'MiB', '64mib', '64M', '-1MiB', '1e3B', '64MiB ', '64 MiB!', 'hunter-canary', '1constructor'])(
    'rejects %j without repeating it',
    (text) => {
      expect(parseSize(text)).toEqual({
        ok: false,
        error: 'is not a size: write a number with a unit, such as 512KiB, 64MiB or 2GiB',
      });
    },
  );
});

describe('formatSize', () => {
  it.each([
    [0, '0B'],
    [1023, '1023B'],
    [1024, '1KiB'],
    [1536, '1536B'],
    [134_217_728, '128MiB'],
    [2 ** 40, '1TiB'],
  ])('writes %d as %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });

  it('is parsed back to the same size', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (bytes) => {
        expect(parseSize(formatSize(bytes))).toEqual({ ok: true, value: bytes });
      }),
    );
  });
});
