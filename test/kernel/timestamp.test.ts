import { describe, expect, it } from 'vitest';
import {
  formatDateTime,
  formatMinute,
  formatMoment,
  formatTimeOfDay,
  formatTimestamp,
} from '../../src/kernel/timestamp.ts';

const wall = Date.UTC(2026, 8, 22, 4, 53, 20) + 999;

describe('timestamps', () => {
  it('have the form of RFC 3339, in UTC', () => {
    expect(formatTimestamp(wall)).toBe('2026-09-22T04:53:20.999Z');
    expect(formatTimestamp(0)).toBe('1970-01-01T00:00:00.000Z');
  });

  it('have shorter forms for people', () => {
    expect(formatDateTime(wall)).toBe('2026-09-22 04:53:20');
    expect(formatMoment(wall)).toBe('2026-09-22 04:53:20 UTC');
    expect(formatMinute(wall)).toBe('2026-09-22 04:53 UTC');
    expect(formatTimeOfDay(wall)).toBe('04:53:20');
  });

  it.each([
    [Number.POSITIVE_INFINITY, '9999-12-31T00:00:00.000Z'],
    [1e300, '9999-12-31T00:00:00.000Z'],
    [-1e300, '1970-01-01T00:00:00.000Z'],
    [Number.NaN, '1970-01-01T00:00:00.000Z'],
  ])('are clamped for %d, which is outside the calendar', (strange, text) => {
    expect(formatTimestamp(strange)).toBe(text);
  });
});
