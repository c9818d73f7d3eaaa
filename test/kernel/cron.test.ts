import fc from 'fast-check';
import { validate } from 'node-cron';
import { describe, expect, it } from 'vitest';
import { parseCron } from '../../src/kernel/cron.ts';

const day = 86_400_000;

describe('parseCron', () => {
  it.each([
    ['* * * * *', 60_000],
    ['*/5 * * * *', 3_600_000],
    ['0 * * * *', 3_600_000],
    ['0 3 * * *', day],
    ['0 3 * * SUN', 7 * day],
    ['0 3 * * sun,wed', 7 * day],
    ['0 3 * * 1-5', 7 * day],
    ['0 3 * * 7', 7 * day],
    ['0 3 1,15 * *', 31 * day],
    ['0 0 1 JAN *', 366 * day],
    ['0 0 1 Jan-Jun/2 *', 366 * day],
    ['10-50/20 1-5 * * *', day],
    ['*/10 * * * * *', 60_000],
    ['* * * * * *', 1_000],
  ])('accepts %s', (text, longestGap) => {
    expect(parseCron(text)).toEqual({ ok: true, value: { text, longestGap } });
  });

  it('accepts any white space between the fields', () => {
    expect(parseCron('  0   3 * *\tSUN ')).toMatchObject({ ok: true, value: { text: '0 3 * * SUN' } });
  });

  it.each(['', '* * * *', '* * * * * * *', 'daily', '@daily'])('requires five or six fields: rejects %j', (text) => {
    expect(parseCron(text)).toEqual({
      ok: false,
      error: 'is not a cron expression: write minute, hour, day of month, month and day of week',
    });
  });

  it.each([
    ['60 * * * *', 'has an invalid minute: use 0 to 59, with * , - and /'],
    ['-1 * * * *', 'has an invalid minute: use 0 to 59, with * , - and /'],
    ['5-1 * * * *', 'has an invalid minute: use 0 to 59, with * , - and /'],
    ['*/0 * * * *', 'has an invalid minute: use 0 to 59, with * , - and /'],
    ['5/10 * * * *', 'has an invalid minute: use 0 to 59, with * , - and /'],
    ['1,,2 * * * *', 'has an invalid minute: use 0 to 59, with * , - and /'],
    ['* 24 * * *', 'has an invalid hour: use 0 to 23, with * , - and /'],
    ['* * 0 * *', 'has an invalid day of month: use 1 to 31, with * , - and /'],
    ['* * 1-2-3 * *', 'has an invalid day of month: use 1 to 31, with * , - and /'],
    ['* * * 13 *', 'has an invalid month: use 1 to 12 or JAN to DEC, with * , - and /'],
    ['* * * MON *', 'has an invalid month: use 1 to 12 or JAN to DEC, with * , - and /'],
    ['* * * * 8', 'has an invalid day of week: use 0 to 7 or SUN to SAT, with * , - and /'],
    ['* * * * SUN-', 'has an invalid day of week: use 0 to 7 or SUN to SAT, with * , - and /'],
    ['61 * * * * *', 'has an invalid second: use 0 to 59, with * , - and /'],
  ])('refuses %s', (text, error) => {
    expect(parseCron(text)).toEqual({ ok: false, error });
  });

  it.each(['0 3 31 2 *', '0 3 30,31 FEB *', '0 3 31 2,4-6/2,9,11 *', '0 3 31 4 MON', '0 0 3 30-31 2 *'])(
    'rejects %s, which is never due',
    (text) => {
      const error = 'is never due, because none of its months has such a day of month';
      expect(parseCron(text)).toEqual({ ok: false, error });
    },
  );

  it.each(['0 3 29 2 *', '0 3 30,31 2,4 *', '0 3 31 1-4 *', '0 3 31 */2 *', '0 3 28-31 2 *'])('accepts %s', (text) => {
    expect(parseCron(text)).toMatchObject({ ok: true });
  });

  it('accepts no expression that the scheduler rejects', () => {
    const item = fc.oneof(
      fc.constantFrom(
        '*',
        '*/2',
        '*/15',
        '0',
        '1-5',
        '2-10/3',
        'SUN',
        'MON-FRI',
        'JAN',
        'jan,mar',
        '7',
        '59',
        '30,31',
        '2,4-6/2',
        '*/5',
        'L',
        '?',
        '1#2',
      ),
      fc.stringMatching(/^[0-9*,/-]{1,5}$/),
    );
    const expression = fc.array(item, { minLength: 5, maxLength: 6 }).map((items) => items.join(' '));
    fc.assert(
      fc.property(expression, (text) => {
        const read = parseCron(text);
        if (read.ok) expect([text, validate(read.value.text)]).toEqual([text, true]);
      }),
      { numRuns: 2000 },
    );
  });
});
