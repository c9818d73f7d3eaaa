import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/kernel/retry-after.ts';

const now = Date.UTC(2026, 8, 22, 4, 53, 20);

describe('parseRetryAfter', () => {
  it.each<[string, number | undefined]>([
    ['30', 30_000],
    [' 7 ', 7000],
    ['1.5', 1500],
    ['0', 0],
    ['86400', 86_400_000],
    ['9'.repeat(400), Number.POSITIVE_INFINITY],
    ['Tue, 22 Sep 2026 04:54:20 GMT', 60_000],
    ['Tuesday, 22-Sep-26 04:54:20 GMT', 60_000],
    ['Tue, 22 Sep 2026 04:00:00 GMT', 0],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1e3', undefined],
    ['2026', 2_026_000],
    ['Tue, 99 Xxx 2026 04:54:20 GMT', undefined],
  ])('parses «$0» as $1 ms', (text, wait) => {
    expect(parseRetryAfter({ 'retry-after': text }, now)).toBe(wait);
  });

  it('returns undefined without the header', () => {
    expect(parseRetryAfter({}, now)).toBeUndefined();
  });
});
