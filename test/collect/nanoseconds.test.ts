import { describe, expect, it } from 'vitest';
import { nanosecondsToSeconds, parseNanoseconds } from '../../src/collect/nanoseconds.ts';

describe('parseNanoseconds', () => {
  it('loses no digit', () => {
    expect(parseNanoseconds('1790000000119463773')).toBe(1790000000119463773n);
    expect(parseNanoseconds('1')).toBe(1n);
  });

  it.each(['', '0', '00', '-1', '1.5', '1e9', ' 1', '1n', 'never', '1'.repeat(21)])('has no instant in %j', (text) => {
    expect(parseNanoseconds(text)).toBeUndefined();
  });
});

describe('nanosecondsToSeconds', () => {
  it.each([
    [1790000000119463773n, 1790000000.119],
    [1790000000999999999n, 1790000000.999],
    [1790000000000000000n, 1790000000],
    [1n, 0],
  ])('gives %d ns as %d s', (nanoseconds, seconds) => {
    expect(nanosecondsToSeconds(nanoseconds)).toBe(seconds);
  });

  it('prints no digits beyond the measured precision', () => {
    expect(String(nanosecondsToSeconds(1790000000008230613n))).toBe('1790000000.008');
  });
});
