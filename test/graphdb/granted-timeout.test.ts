import { describe, expect, it } from 'vitest';
import { apparentTimeout, grantedTimeoutRange } from '../../src/graphdb/granted-timeout.ts';
import { zoneOffset } from '../../src/kernel/clock-changes.ts';
import type { Range } from '../../src/kernel/range.ts';
import { formatDateTime } from '../../src/kernel/timestamp.ts';
import { allZones, zoneChanges } from '../support/zone-changes.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface ZonedQuery {
  readonly zone: string;
  readonly start: number;
  readonly timeout: number;
  /** Time by which the estimated start is too early. */
  readonly early?: number;
}

/** Returns the range for a query as a server in a time zone lists it. */
function rangeIn({ zone, start, timeout, early = 0 }: ZonedQuery, now = start): Range | undefined {
  const local = (at: number) => formatDateTime(at + zoneOffset(zone, at));
  const startTime = local(start);
  const apparent = apparentTimeout(startTime, local(start + timeout));
  return grantedTimeoutRange({ startTime, apparentTimeout: apparent, startedAt: start - early }, now);
}

function exactly(value: number): Range {
  return { least: value, most: value };
}

describe('apparent timeout', () => {
  it('is the difference of the listed times, undefined if one of them is not a time', () => {
    expect(apparentTimeout('2026-10-25 02:30:00', '2026-10-25 03:00:00.500')).toBe(30 * minute + 500);
    expect(apparentTimeout('2026-10-25 02:30:00', '2026-10-25 02:00:00')).toBe(-30 * minute);
    for (const odd of ['', 'tomorrow']) {
      expect(apparentTimeout(odd, '2026-10-25 02:00:00')).toBeUndefined();
      expect(apparentTimeout('2026-10-25 02:00:00', odd)).toBeUndefined();
    }
  });
});

describe('granted timeout', () => {
  const spring = Date.parse('2026-03-29T01:00Z');
  const autumn = Date.parse('2026-10-25T01:00Z');
  const springInUs = Date.parse('2026-03-08T07:00Z');

  it.each<[string, ZonedQuery, Range]>([
    ['on an ordinary day', { zone: 'Europe/Berlin', start: autumn + 3 * day, timeout: hour }, exactly(hour)],
    [
      'if clocks are set forward while the query runs',
      { zone: 'Europe/Berlin', start: spring - 10 * minute, timeout: 30 * minute },
      { least: 30 * minute, most: 90 * minute },
    ],
    [
      'if clocks are set back while the query runs',
      { zone: 'Europe/Berlin', start: autumn - 10 * minute, timeout: 3 * hour },
      { least: 2 * hour, most: 3 * hour },
    ],
    [
      'if it appears to be negative',
      { zone: 'Europe/Berlin', start: autumn - 10 * minute, timeout: 30 * minute },
      { least: 0, most: 30 * minute },
    ],
    [
      'if clocks are set by half an hour',
      { zone: 'Australia/Lord_Howe', start: Date.parse('2026-04-04T14:00Z'), timeout: 2 * hour },
      // The clocks of Sydney show the same time before both changes.
      { least: 1.5 * hour, most: 2.5 * hour },
    ],
    ['after the change', { zone: 'Europe/Berlin', start: autumn + 11 * minute, timeout: 2 * hour }, exactly(2 * hour)],
    [
      'if the query ends before the change',
      { zone: 'Europe/Berlin', start: spring - 3 * hour, timeout: 30 * minute },
      exactly(30 * minute),
    ],
    [
      'on a server in UTC while clocks change in another zone',
      { zone: 'UTC', start: springInUs - hour, timeout: 4 * hour },
      exactly(4 * hour),
    ],
    [
      'on a server that may be in London',
      { zone: 'UTC', start: spring - hour, timeout: 4 * hour },
      { least: 3 * hour, most: 4 * hour },
    ],
  ])('has the range of all possible values %s', (_, query, expected) => {
    expect(rangeIn(query)).toEqual(expected);
  });

  it('is undefined if it is not listed, or negative and no clocks change', () => {
    const startedAt = autumn + 3 * day;
    const startTime = formatDateTime(startedAt);
    expect(grantedTimeoutRange({ startTime, apparentTimeout: undefined, startedAt }, startedAt)).toBeUndefined();
    expect(grantedTimeoutRange({ startTime, apparentTimeout: -1, startedAt }, startedAt)).toBeUndefined();
    expect(grantedTimeoutRange({ startTime, apparentTimeout: 0, startedAt }, startedAt)).toEqual(exactly(0));
  });

  it('may differ by an hour outside of the range of known changes', () => {
    const long = { zone: 'UTC', start: autumn, timeout: 15 * day };
    expect(rangeIn(long)).toEqual({ least: 15 * day - hour, most: 15 * day + hour });
    expect(rangeIn({ ...long, timeout: minute }, autumn + 15 * day)).toEqual({ least: 0, most: hour + minute });
    const times = { startTime: '2026-10-25 01:00:00', apparentTimeout: -90 * minute, startedAt: 0 };
    expect(grantedTimeoutRange(times, autumn)).toBeUndefined();
  });

  it('may differ by the change in any time zone if the listed start is not plausible', () => {
    const times = { apparentTimeout: 4 * hour, startedAt: springInUs - hour };
    const range = { least: 3 * hour, most: 4 * hour };
    for (const startTime of ['2020-01-01 00:00:00', ''])
      expect(grantedTimeoutRange({ ...times, startTime }, springInUs)).toEqual(range);
  });

  it('is in the range for a server in any time zone, whenever clocks change', () => {
    const changes = allZones.flatMap((zone) => zoneChanges(zone, 2026, 2026).map((change) => ({ zone, change })));
    const distinct = new Map(changes.map((one) => [JSON.stringify(one.change), one]));
    const queries = [...distinct.values()].flatMap(({ zone, change: { at } }) =>
      [0, minute, 50 * minute, 23 * hour, 7 * day].flatMap((before) =>
        [1000, 30 * minute, 3 * hour].flatMap((after) =>
          [-9 * minute, 0, 55 * minute].map((early) => {
            return { zone, start: at - before - 1000, timeout: before + after, early };
          }),
        ),
      ),
    );
    expect(queries.length).toBeGreaterThan(2000);
    const isRight = (query: ZonedQuery) => {
      const { least = Infinity, most = 0 } = rangeIn(query) ?? {};
      return least <= query.timeout && query.timeout <= most && most - least <= 2 * hour;
    };
    expect(queries.filter((query) => !isRight(query))).toEqual([]);
  });

  it('of an hour is exact on a server in UTC, except for some hours of a year', () => {
    const hours = Array.from({ length: 365 * 24 }, (_, index) => Date.UTC(2027, 0, 1, index));
    const ranges = hours.map((start) => rangeIn({ zone: 'UTC', start, timeout: hour }));
    const uncertain = ranges.filter((range) => range?.least !== range?.most);
    expect(uncertain.length).toBeGreaterThan(0);
    expect(uncertain.length).toBeLessThan(24);
  });
});
