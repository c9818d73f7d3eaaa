import { describe, expect, it } from 'vitest';
import { isWithinHours, wallTimeAt } from '../../src/kernel/weekly-hours.ts';

describe('local time', () => {
  it.each([
    ['UTC', '2026-06-07T00:00Z', 0, 0],
    ['UTC', '2026-06-06T23:59:59.999Z', 6, 1439],
    ['Europe/Berlin', '2026-06-06T22:00Z', 0, 0],
    ['Europe/Berlin', '2026-01-03T22:59Z', 6, 1439],
    ['Asia/Kathmandu', '2026-06-07T18:15Z', 1, 0],
    ['America/St_Johns', '2026-01-05T03:29Z', 0, 1439],
    ['Pacific/Kiritimati', '2026-06-07T10:00Z', 1, 0],
    ['Europe/Berlin', '2026-03-29T00:59Z', 0, 119],
    ['Europe/Berlin', '2026-03-29T01:00Z', 0, 180],
    ['Europe/Berlin', '2026-10-25T00:59Z', 0, 179],
    ['Europe/Berlin', '2026-10-25T01:00Z', 0, 120],
  ])('of %s at %s show day %i, minute %i', (zone, instant, day, minute) => {
    expect(wallTimeAt(zone, Date.parse(instant))).toEqual({ day, minute });
  });
});

describe('weekly hours', () => {
  const zone = 'UTC';

  it.each([
    [{ days: [1, 2], from: 420, to: 1200, zone }, { day: 1, minute: 419 }, false],
    [{ days: [1, 2], from: 420, to: 1200, zone }, { day: 1, minute: 420 }, true],
    [{ days: [1, 2], from: 420, to: 1200, zone }, { day: 2, minute: 1199 }, true],
    [{ days: [1, 2], from: 420, to: 1200, zone }, { day: 2, minute: 1200 }, false],
    [{ days: [1, 2], from: 420, to: 1200, zone }, { day: 3, minute: 600 }, false],
    [{ days: [6], from: 1320, to: 360, zone }, { day: 6, minute: 1319 }, false],
    [{ days: [6], from: 1320, to: 360, zone }, { day: 6, minute: 1320 }, true],
    [{ days: [6], from: 1320, to: 360, zone }, { day: 6, minute: 1439 }, true],
    [{ days: [6], from: 1320, to: 360, zone }, { day: 0, minute: 359 }, true],
    [{ days: [6], from: 1320, to: 360, zone }, { day: 0, minute: 360 }, false],
    [{ days: [6], from: 1320, to: 360, zone }, { day: 6, minute: 0 }, false],
    [{ days: [0], from: 0, to: 1440, zone }, { day: 0, minute: 1439 }, true],
    [{ days: [0], from: 0, to: 0, zone }, { day: 0, minute: 1439 }, true],
    [{ days: [0], from: 0, to: 0, zone }, { day: 1, minute: 0 }, false],
    [{ days: [0], from: 0, to: 1440, zone }, { day: 1, minute: 0 }, false],
  ])('%j are open at %j: %s', (hours, at, expected) => {
    expect(isWithinHours(hours, at)).toBe(expected);
  });
});
