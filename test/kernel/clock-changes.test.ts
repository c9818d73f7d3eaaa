import { describe, expect, it } from 'vitest';
import {
  clockChangesBetween,
  createClockChangeLookup,
  greatestClockChange,
  zoneOffset,
} from '../../src/kernel/clock-changes.ts';
import { allZones, zoneChanges } from '../support/zone-changes.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('offset of a time zone', () => {
  it.each([
    ['UTC', '2026-07-01T00:00Z', 0],
    ['Europe/London', '2026-01-01T00:00Z', 0],
    ['Europe/Berlin', '2026-07-01T00:00Z', 120],
    ['America/St_Johns', '2026-01-01T00:00Z', -210],
    ['Pacific/Chatham', '2026-01-01T00:00Z', 825],
  ])('%s at %s is %i minutes', (zone, instant, expected) => {
    expect(zoneOffset(zone, Date.parse(instant))).toBe(expected * minute);
  });
});

describe('clock changes', () => {
  const berlin = Date.parse('2026-10-25T01:00Z');

  it('are those between two instants', () => {
    const change = { at: berlin, before: 2 * hour, by: -hour };
    expect(clockChangesBetween(berlin - minute, berlin + minute, berlin)).toContainEqual(change);
    expect(clockChangesBetween(berlin, berlin, berlin)).toContainEqual(change);
    expect(clockChangesBetween(berlin + minute, berlin + hour, berlin)).not.toContainEqual(change);
    expect(clockChangesBetween(berlin - hour, berlin - minute, berlin)).not.toContainEqual(change);
  });

  it('are known for two weeks before and after the present', () => {
    for (const now of [berlin - 14 * day, berlin - 13.5 * day, berlin + 13.5 * day, berlin + 14 * day])
      expect(clockChangesBetween(berlin, berlin, now)).toContainEqual({ at: berlin, before: 2 * hour, by: -hour });
    expect(clockChangesBetween(berlin, berlin + 1, berlin - 14 * day)).toBeUndefined();
    expect(clockChangesBetween(berlin - 1, berlin, berlin + 14 * day)).toBeUndefined();
    expect(clockChangesBetween(Number.NaN, berlin, berlin)).toBeUndefined();
    expect(clockChangesBetween(berlin, Number.NaN, berlin)).toBeUndefined();
  });

  it('contain every change of every time zone, with its offset', () => {
    const all = allZones.flatMap((zone) => zoneChanges(zone, 2026, 2028));
    const distinct = new Map(all.map((change) => [JSON.stringify(change), change]));
    expect(distinct.size).toBeGreaterThan(120);
    expect(all.filter(({ by }) => Math.abs(by) > greatestClockChange)).toEqual([]);
    for (const change of [...distinct.values()].toSorted((one, other) => one.at - other.at))
      expect(clockChangesBetween(change.at - minute, change.at + minute, change.at)).toContainEqual(change);
  });

  it('are on few days of a year', () => {
    const days = Array.from({ length: 365 }, (_, index) => Date.UTC(2027, 0, 1 + index));
    const withChanges = days.filter((start) => clockChangesBetween(start, start + day, start)?.length !== 0);
    expect(withChanges.length).toBeLessThan(30);
  });

  it('are looked up once a day, whatever the instants are', () => {
    let lookups = 0;
    const find = createClockChangeLookup(() => {
      lookups += 1;
      return 0;
    });
    find(berlin, berlin, berlin);
    const ofOneDay = lookups;
    expect(ofOneDay).toBeLessThan(300);
    for (let index = 0; index < 20_000; index += 1) {
      const from = berlin + ((index * 7_919_777) % (40 * day)) - 20 * day;
      find(from, from + ((index * 104_729) % (20 * day)), berlin + (index % (22 * hour)));
    }
    for (const odd of [0, -1, 1e300, Number.NaN, Number.POSITIVE_INFINITY]) find(odd, odd, berlin);
    expect(lookups).toBe(ofOneDay);
    find(berlin, berlin, berlin + day);
    expect(lookups).toBe(2 * ofOneDay);
  });
});
