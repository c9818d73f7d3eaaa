import { describe, expect, it } from 'vitest';
import { endTimeField, startTimeField, timeZoneField, weekdays } from '../../src/graphdb/settings-fields.ts';

describe('a time of day', () => {
  it.each([
    ['00:00', 0],
    ['07:05', 425],
    ['23:59', 1439],
  ])('%s is minute %i', (text, minute) => {
    expect([startTimeField.parse(text), endTimeField.parse(text)]).toEqual([minute, minute]);
  });

  it('may be 24:00 as the end of a period', () => {
    expect(endTimeField.parse('24:00')).toBe(1440);
    expect(startTimeField.safeParse('24:00').success).toBe(false);
  });

  it.each(['', '7:00', '07:60', '07:00:00', '24:01', '25:00', ' 07:00', '7am', 7])('rejects %j', (text) => {
    expect([startTimeField.safeParse(text).success, endTimeField.safeParse(text).success]).toEqual([false, false]);
  });

  it('that is invalid is not repeated', () => {
    expect(JSON.stringify(startTimeField.safeParse('hunter2').error?.issues)).not.toContain('hunter2');
  });
});

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'Asia/Kathmandu'])('accepts %s', (name) => {
    expect(timeZoneField.parse(name)).toBe(name);
  });

  it('is UTC when absent', () => {
    expect(timeZoneField.parse(undefined)).toBe('UTC');
  });

  it.each(['', 'Mars/Olympus', 'Berlin time'])('rejects %j', (name) => {
    expect(timeZoneField.safeParse(name).success).toBe(false);
  });
});

it('day list › names the days from Sunday on', () => {
  expect(weekdays.indexOf('sun')).toBe(0);
  expect(weekdays.indexOf('mon')).toBe(1);
});
