import { describe, expect, it } from 'vitest';
import { fromNanoseconds, javaDate, localTime, nanoseconds, plainDate } from '../../src/simulator/timestamps.ts';

const epoch = Date.UTC(2024, 6, 10, 6, 12, 47, 723);

describe('time formats of servers', () => {
  it('formats local time without a time zone', () => {
    expect(localTime(epoch)).toBe('2024-07-09 23:12:47.723');
    expect(localTime(epoch)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);
  });

  it('formats the date of the license', () => {
    expect(plainDate(Date.UTC(2027, 0, 31))).toBe('2027-01-31 00:00:00');
  });

  it('formats the expiration of a token as Java does', () => {
    expect(javaDate(epoch)).toBe('Wed Jul 10 06:12:47 UTC 2024');
    expect(javaDate(Date.UTC(2027, 0, 3))).toBe('Sun Jan 03 00:00:00 UTC 2027');
  });

  it.each([
    [0, '1790000000019000000'],
    [0.5, '1790000000019500000'],
    [0.999_999_9, '1790000000019999999'],
  ])('writes nanoseconds with more digits than a double has (salt %d)', (salt, expected) => {
    const text = nanoseconds(1_790_000_000_019, salt);
    expect(text).toBe(expected);
    expect(fromNanoseconds(text)).toBe(1_790_000_000_019);
  });
});
