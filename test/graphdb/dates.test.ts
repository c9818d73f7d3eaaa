import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateAfterDays, parseDate, parseLocalMillis } from '../../src/graphdb/dates.ts';

const january = Date.UTC(2027, 0, 31) / 1000;

function between(from: string, to: string): number {
  return (parseLocalMillis(to) ?? 0) - (parseLocalMillis(from) ?? 0);
}

describe('parseDate', () => {
  it.each([
    ['2027-01-31', january],
    ['2027/01/31', january],
    [' 2027-01-31 ', january],
    ['2027-01-31 00:00:00', january],
    ['2027-01-31T00:00', january],
    ['2027-01-31T00:00:00.000Z', january],
    ['2027-01-31 00:00:00 UTC', january],
    ['2027-01-31 00:00:00 +0000', january],
    ['2027-01-30 16:00:00 -0800', january],
    ['2027-01-31T05:30:00+05:30', january],
    ['Sun Jan 31 00:00:00 UTC 2027', january],
    ['Wed Jul 10 06:12:47 UTC 2024', Date.UTC(2024, 6, 10, 6, 12, 47) / 1000],
    ['Jul  3 15:26:33 GMT 2024', Date.UTC(2024, 6, 3, 15, 26, 33) / 1000],
    ['2028-02-29', Date.UTC(2028, 1, 29) / 1000],
    ['2027-01-30 24:00:00', january],
    [january, january],
    [january * 1000, january],
    [String(january), january],
    [String(january * 1000), january],
  ])('parses %j', (value, expected) => {
    expect(parseDate(value)).toBe(expected);
  });

  it.each([
    undefined,
    null,
    {},
    '',
    'never',
    0,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    'Wed Jul 03 15:26:33 HKT 2024',
    '2027-01-31 00:00:00 PST',
    '2027-01-31 constructor',
    '2027-01-31 00:00:00 __proto__',
    'Wed Jul 10 06:12:47 toString 2024',
    'Wed Foo 10 06:12:47 UTC 2024',
    '31.01.2027',
    '0000-00-00 00:00:00',
    '0001-01-01T00:00:00Z',
    '1970-01-01',
    '1970-01-01 01:00:00 +0100',
    'Thu Jan 01 00:00:00 UTC 1970',
    '2027-00-31',
    '2027-13-01',
    '2027-02-29',
    '2027-01-00',
    '2027-01-32',
    '2027-01-31 25:00:00',
    '2027-01-31 00:60:00',
    '2027-01-31 00:00:61',
    'Tue Feb 30 00:00:00 UTC 2027',
  ])('rejects %s', (value) => {
    expect(parseDate(value)).toBeUndefined();
  });
});

describe('dateAfterDays', () => {
  it('returns the same date for each time of a day', () => {
    const morning = Date.UTC(2026, 10, 21);
    expect(dateAfterDays(morning, 71)).toBe(january);
    expect(dateAfterDays(morning + 86_399_999, 71)).toBe(january);
    expect(dateAfterDays(morning, -1)).toBe(Date.UTC(2026, 10, 20) / 1000);
  });
});

describe('parseLocalMillis', () => {
  it('has correct differences, to the millisecond', () => {
    expect(between('2026-09-22 04:53:20.723', '2026-09-22 04:53:36.723')).toBe(16_000);
    expect(between('2026-12-31 23:59:59.9', '2027-01-01 00:00:00')).toBe(100);
    expect(between('2026-09-22T04:53:20', '2026-09-22 04:53:20.0015')).toBe(1);
  });

  it('agrees with Date for each valid time', () => {
    const times = fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 9 }), (time, digits) => {
        const [whole = '', millis = ''] = time.toISOString().slice(0, -1).replace('T', ' ').split('.');
        const fraction = digits === 0 ? '' : `.${millis.padEnd(9, '9').slice(0, digits)}`;
        const known = Number(millis.slice(0, digits).padEnd(3, '0'));
        expect(parseLocalMillis(` ${whole}${fraction}`)).toBe(time.getTime() - time.getUTCMilliseconds() + known);
      }),
    );
  });

  it.each(['', 'soon', '2026-09-22', '04:53:20', '2026-09-22 04:53:20.', '2026-09-22 04:53:20.1234567890'])(
    'rejects the time %j',
    (text) => {
      expect(parseLocalMillis(text)).toBeUndefined();
    },
  );
});
