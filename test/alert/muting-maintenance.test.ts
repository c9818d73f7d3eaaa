import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MaintenanceSettings } from '../../src/alert/alerting.ts';
import { openWindow } from '../../src/alert/muting.ts';
import { matchersOf } from '../support/matchers-of.ts';

const labels = { cluster_name: 'prod' };

function minutes(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}

function windowOf(from: string, to: string, more: Partial<MaintenanceSettings> = {}): MaintenanceSettings {
  return {
    name: 'window',
    matchers: [],
    days: [0],
    from: minutes(from),
    to: minutes(to),
    zone: 'Europe/Berlin',
    ...more,
  };
}

/** Whether the window is open at an instant such as `2026-03-29T00:59Z`. */
function open(window: MaintenanceSettings, instant: string): boolean {
  return openWindow([window], labels, Date.parse(instant)) === 'window';
}

describe('a window', () => {
  it.each([
    ['2026-06-07T00:00Z', true],
    ['2026-06-06T23:59Z', false],
    ['2026-06-07T01:59Z', true],
    ['2026-06-07T02:00Z', false],
    ['2026-06-08T01:00Z', false],
  ])('of Sunday from 02:00 to 04:00 in Berlin is open at %s: %s', (instant, expected) => {
    expect(open(windowOf('02:00', '04:00'), instant)).toBe(expected);
  });

  it.each([
    ['2026-06-07T21:00Z', true],
    ['2026-06-07T20:59Z', false],
    ['2026-06-07T22:30Z', true],
    ['2026-06-07T23:59Z', true],
    ['2026-06-08T00:00Z', false],
    ['2026-06-06T22:30Z', false],
  ])('from 23:00 to 02:00 ends on the next day: at %s %s', (instant, expected) => {
    expect(open(windowOf('23:00', '02:00'), instant)).toBe(expected);
  });

  it('with equal start and end lasts a whole day', () => {
    expect(open(windowOf('06:00', '06:00'), '2026-06-07T04:00Z')).toBe(true);
    expect(open(windowOf('06:00', '06:00'), '2026-06-08T03:59Z')).toBe(true);
    expect(open(windowOf('06:00', '06:00'), '2026-06-08T04:00Z')).toBe(false);
  });

  it('mutes matching alerts, and the first matching window is named', () => {
    const one = windowOf('00:00', '12:00', { name: 'one', matchers: matchersOf('cluster_name="test"') });
    const two = windowOf('00:00', '12:00', { name: 'two', matchers: matchersOf('cluster_name=~"test|prod"') });
    expect(openWindow([one, two], labels, Date.parse('2026-06-07T06:00Z'))).toBe('two');
    expect(openWindow([one, two], { cluster_name: 'dev' }, Date.parse('2026-06-07T06:00Z'))).toBeUndefined();
  });
});

describe('on the day when clocks go forward', () => {
  // 2026-03-29: 02:00 becomes 03:00 in Berlin, which is 01:00 UTC.
  it.each([
    ['2026-03-29T00:59Z', false],
    ['2026-03-29T01:00Z', true],
    ['2026-03-29T01:59Z', true],
    ['2026-03-29T02:00Z', false],
  ])('a window from 02:00 to 04:00 is an hour long: at %s %s', (instant, expected) => {
    expect(open(windowOf('02:00', '04:00'), instant)).toBe(expected);
  });

  it.each([
    ['2026-03-29T00:59Z', false],
    ['2026-03-29T01:00Z', true],
    ['2026-03-29T01:44Z', true],
    ['2026-03-29T01:45Z', false],
  ])('a window within the skipped hour opens when the hour is over: at %s %s', (instant, expected) => {
    expect(open(windowOf('02:15', '02:45'), instant)).toBe(expected);
  });
});

describe('on the day when clocks go back', () => {
  // 2026-10-25: 03:00 becomes 02:00 in Berlin, which is 01:00 UTC.
  it.each([
    ['2026-10-24T23:59Z', false],
    ['2026-10-25T00:00Z', true],
    ['2026-10-25T01:00Z', true],
    ['2026-10-25T02:59Z', true],
    ['2026-10-25T03:00Z', false],
  ])('a window from 02:00 to 04:00 is three hours long: at %s %s', (instant, expected) => {
    expect(open(windowOf('02:00', '04:00'), instant)).toBe(expected);
  });
});

describe('a window within the repeated hour', () => {
  it('opens once', () => {
    const instants = Array.from({ length: 180 }, (_, at) => Date.parse('2026-10-24T23:30Z') + at * 60_000);
    const opened = instants.filter((at) => openWindow([windowOf('02:15', '02:45')], labels, at) === 'window');
    expect([opened.length, opened[0]]).toEqual([30, Date.parse('2026-10-25T00:15Z')]);
  });

  it('closes if the wall clock is set back before its start', () => {
    const window = windowOf('02:00', '04:00');
    expect(open(window, '2026-06-07T01:00Z')).toBe(true);
    expect(open(window, '2026-06-06T23:00Z')).toBe(false);
  });
});

describe('a window over a night in which clocks change', () => {
  it.each([
    ['2026-03-28T21:59Z', false],
    ['2026-03-28T22:00Z', true],
    ['2026-03-29T03:59Z', true],
    ['2026-03-29T04:00Z', false],
    ['2026-10-24T20:59Z', false],
    ['2026-10-24T21:00Z', true],
    ['2026-10-25T04:59Z', true],
    ['2026-10-25T05:00Z', false],
  ])('begins and ends by local time: at %s %s', (instant, expected) => {
    expect(open(windowOf('23:00', '06:00', { days: [6] }), instant)).toBe(expected);
  });

  // 2026-03-29 in Beirut has no midnight: after 23:59 comes 01:00, at 22:00 UTC.
  it.each([
    ['2026-03-28T21:59Z', false],
    ['2026-03-28T22:00Z', true],
    ['2026-03-29T00:59Z', true],
    ['2026-03-29T01:00Z', false],
  ])('that begins at a skipped midnight begins after the skipped hour: at %s %s', (instant, expected) => {
    expect(open(windowOf('00:00', '04:00', { zone: 'Asia/Beirut' }), instant)).toBe(expected);
  });

  // Lord Howe Island goes back by half an hour: 02:00 becomes 01:30 on 2026-04-05, at 15:00 UTC the day before.
  it.each([
    ['2026-04-04T14:30Z', true],
    ['2026-04-04T15:00Z', true],
    ['2026-04-04T15:30Z', false],
  ])('that a clock change repeats in part is open once: at %s %s', (instant, expected) => {
    expect(open(windowOf('01:30', '02:00', { zone: 'Australia/Lord_Howe' }), instant)).toBe(expected);
  });
});

it('a window can end at 24:00', () => {
  expect(open(windowOf('22:00', '24:00'), '2026-06-07T21:59Z')).toBe(true);
  expect(open(windowOf('22:00', '24:00'), '2026-06-07T22:00Z')).toBe(false);
});

it('a window is open in UTC for exactly its length, once on each of its days', () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 });
  const sunday = Date.parse('2026-06-07T00:00Z');
  fc.assert(
    fc.property(minute, minute, days, (from, to, on) => {
      const window = { name: 'w', matchers: [], days: on, from, to, zone: 'UTC' };
      const length = from < to ? to - from : 1440 - from + to;
      for (let day = 0; day < 7; day += 1) {
        const begins = sunday + (day * 1440 + from) * 60_000;
        const ends = begins + length * 60_000;
        if (!on.includes(day)) continue;
        expect([begins, ends - 1].map((at) => openWindow([window], {}, at))).toEqual(['w', 'w']);
        const isNext = on.includes((day + 1) % 7) && from === to;
        expect(openWindow([window], {}, ends)).toBe(isNext ? 'w' : undefined);
      }
    }),
  );
});
