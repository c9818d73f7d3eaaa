import { describe, expect, it } from 'vitest';
import { beginField, endField, weekdays, zoneField } from '../../src/graphdb/week-fields.ts';

describe('a time of day', () => {
  it.each([
    ['00:00', 0],
    ['07:05', 425],
    ['23:59', 1439],
  ])('%s is minute %i', (text, minute) => {
    expect([beginField.parse(text), endField.parse(text)]).toEqual([minute, minute]);
  });

  it('may be midnight where something ends', () => {
    expect(endField.parse('24:00')).toBe(1440);
    expect(beginField.safeParse('24:00').success).toBe(false);
  });

  it.each(['', '7:00', '07:60', '07:00:00', '24:01', '25:00', ' 07:00', '7am', 7])('%j is none', (text) => {
    expect([beginField.safeParse(text).success, endField.safeParse(text).success]).toEqual([false, false]);
  });

  it('that is none is not repeated', () => {
    expect(JSON.stringify(beginField.safeParse('hunter2').error?.issues)).not.toContain('hunter2');
  });
});

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'Asia/Kathmandu'])('%s is one', (name) => {
    expect(zoneField.parse(name)).toBe(name);
  });

  it('is UTC when absent', () => {
    expect(zoneField.parse(undefined)).toBe('UTC');
  });

  it.each(['', 'Mars/Olympus', 'Berlin time'])('%j is none', (name) => {
    expect(zoneField.safeParse(name).success).toBe(false);
  });
});

it('names the days from Sunday on', () => {
  expect(weekdays.indexOf('sun')).toBe(0);
  expect(weekdays.indexOf('mon')).toBe(1);
});
