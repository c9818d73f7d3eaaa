import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '../../../src/notify/notifiers/retry-after.ts';

const now = Date.UTC(2026, 8, 22, 4, 53, 20);

describe('how long a receiver wants us to stay away', () => {
  it.each<[string, number | undefined]>([
    ['30', 30_000],
    [' 7 ', 7000],
    ['1.5', 1500],
    ['0', 1000],
    ['900', 900_000],
    ['901', 900_000],
    ['86400', 900_000],
    ['9'.repeat(400), 900_000],
    ['Tue, 22 Sep 2026 04:54:20 GMT', 60_000],
    ['Tuesday, 22-Sep-26 04:54:20 GMT', 60_000],
    ['Tue, 22 Sep 2026 04:00:00 GMT', 1000],
    ['Wed, 23 Sep 2026 04:53:20 GMT', 900_000],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1e3', undefined],
    ['2026', 900_000],
    ['Tue, 99 Xxx 2026 04:54:20 GMT', undefined],
  ])('%j is %s ms', (text, wait) => {
    expect(readRetryAfter({ 'retry-after': text }, now)).toBe(wait);
  });

  it('is not known where nothing is said', () => {
    expect(readRetryAfter({}, now)).toBeUndefined();
  });
});
