import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowTiming } from '../../src/guard/active-window.ts';
import type { ActiveWindow } from '../../src/guard/policy.ts';

const minute = 60_000;
const hour = 60 * minute;
const forever = Number.POSITIVE_INFINITY;
const longAgo = Number.NEGATIVE_INFINITY;

const everyDay = [0, 1, 2, 3, 4, 5, 6];
const berlin: ActiveWindow = { days: [1, 2, 3, 4, 5], from: 420, to: 1200, zone: 'Europe/Berlin' };
const night: ActiveWindow = { days: [5], from: 1320, to: 360, zone: 'UTC' };

function timing(window: ActiveWindow, time: string) {
  return windowTiming(window, Date.parse(time));
}

describe('active window', () => {
  it.each<[string, string, unknown]>([
    ['is closed for longer than an hour', '2026-09-21T05:59:59.999+02:00', undefined],
    ['is about to open', '2026-09-21T06:00:00+02:00', { holds: false, from: hour, until: forever }],
    ['opens', '2026-09-21T06:59:59.999+02:00', { holds: false, from: 1, until: forever }],
    ['is open', '2026-09-21T07:00:00+02:00', { holds: true, from: 0, until: forever }],
    ['has been open', '2026-09-21T12:00:30+02:00', { holds: true, from: -5 * hour - 30_000, until: forever }],
    ['is about to close', '2026-09-21T19:00:00+02:00', { holds: true, from: -12 * hour, until: hour }],
    ['closes', '2026-09-21T19:59:59.999+02:00', { holds: true, from: -13 * hour + 1, until: 1 }],
    ['is closed', '2026-09-21T20:00:00+02:00', undefined],
    ['is closed on other days', '2026-09-20T12:00:00+02:00', undefined],
  ])('%s at %s', (_, time, expected) => {
    expect(timing(berlin, time)).toEqual(expected);
  });

  it.each<[string, boolean]>([
    ['2026-09-25T21:59:00Z', false],
    ['2026-09-25T22:00:00Z', true],
    ['2026-09-26T00:00:00Z', true],
    ['2026-09-26T05:59:59Z', true],
    ['2026-09-26T06:00:00Z', false],
    ['2026-09-25T01:00:00Z', false],
    ['2026-09-26T22:30:00Z', false],
  ])('belongs to its first day if it crosses midnight: at %s %s', (time, expected) => {
    expect(timing(night, time)?.holds ?? false).toBe(expected);
  });

  it('of consecutive full days is open since the first of them', () => {
    const days = { days: [1, 2], from: 0, to: 1440, zone: 'UTC' };
    expect(timing(days, '2026-09-22T10:00:00Z')).toEqual({ holds: true, from: longAgo, until: forever });
    expect(timing(days, '2026-09-21T10:00:00Z')?.from).toBe(-10 * hour);
    expect(timing(days, '2026-09-21T23:59:59Z')?.from).toBe(-24 * hour + 1000);
    expect(timing(days, '2026-09-22T00:00:00Z')?.from).toBe(longAgo);
    expect(timing(days, '2026-09-22T23:59:00Z')).toEqual({ holds: true, from: longAgo, until: minute });
  });

  it('lasts a day if it begins and ends at the same time', () => {
    const day = { days: [1], from: 480, to: 480, zone: 'UTC' };
    const times = ['2026-09-21T07:59:00Z', '2026-09-21T08:00:00Z', '2026-09-22T07:59:00Z', '2026-09-22T08:00:00Z'];
    expect(times.map((time) => timing(day, time)?.holds ?? false)).toEqual([false, true, true, false]);
  });

  it('supports time zones with an offset of quarters of an hour', () => {
    const kathmandu = { days: everyDay, from: 420, to: 421, zone: 'Asia/Kathmandu' };
    expect(timing(kathmandu, '2026-09-21T07:00:30+05:45')).toEqual({ holds: true, from: -30_000, until: 30_000 });
    expect(timing(kathmandu, '2026-09-21T06:59:30+05:45')).toEqual({ holds: false, from: 30_000, until: 90_000 });
  });
});

describe('active window on a day with a change of daylight saving time', () => {
  const early: ActiveWindow = { days: everyDay, from: 150, to: 210, zone: 'Europe/Berlin' };

  it('opens at its first existing minute if the clock goes forward', () => {
    expect(timing(early, '2026-03-29T01:59:00+01:00')).toEqual({ holds: false, from: minute, until: 31 * minute });
    expect(timing(early, '2026-03-29T03:00:00+02:00')).toEqual({ holds: true, from: 0, until: 30 * minute });
    expect(timing(early, '2026-03-29T03:30:00+02:00')).toBeUndefined();
  });

  it('opens twice if its hour occurs twice', () => {
    const times = ['02:30:00+02:00', '02:59:00+02:00', '02:00:00+01:00', '02:30:00+01:00', '03:29:00+01:00'];
    const timings = times.map((time) => timing(early, `2026-10-25T${time}`));
    expect(timings.map((one) => one?.holds)).toEqual([true, true, false, true, true]);
    expect(timings[4]?.from).toBe(-59 * minute);
  });
});

/** Returns whether a clock of the zone shows a time in the window. Independent of the code under test. */
function isShown({ days, from, to, zone }: ActiveWindow, wall: number): boolean {
  const shown = new Date(wall).toLocaleString('sv-SE', { timeZone: zone });
  const [date = '', time = ''] = shown.split(' ');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const at = hours * 60 + minutes;
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  if (from < to) return days.includes(day) && from <= at && at < to;
  return (days.includes(day) && from <= at) || (days.includes((day + 6) % 7) && at < to);
}

it('active window › begins and ends by the clock of its time zone', () => {
  const windows = fc.record({
    days: fc.subarray(everyDay, { minLength: 1 }),
    from: fc.integer({ min: 0, max: 1439 }),
    to: fc.integer({ min: 0, max: 1440 }),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Kiritimati'),
  });
  const walls = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-12-31') });
  fc.assert(
    fc.property(windows, walls, (window, wall) => {
      const found = windowTiming(window, wall);
      expect(found?.holds ?? false).toBe(isShown(window, wall));
      for (const change of [found?.from ?? longAgo, found?.until ?? forever].filter(Number.isFinite)) {
        expect(isShown(window, wall + change)).not.toBe(isShown(window, wall + change - 1));
      }
      expect(found === undefined && isShown(window, wall + hour)).toBe(false);
    }),
    { numRuns: 1000 },
  );
});
