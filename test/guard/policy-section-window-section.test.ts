import { expect, it } from 'vitest';
import { windowSection } from '../../src/guard/policy-section.ts';
import { issuesOf } from './issues.ts';

it.each([
  [['mon-fri'], [1, 2, 3, 4, 5]],
  [
    ['sat', 'sun'],
    [0, 6],
  ],
  [['fri-mon'], [0, 1, 5, 6]],
  [['wed-wed'], [3]],
  [['tue-mon'], [0, 1, 2, 3, 4, 5, 6]],
  [
    ['mon-wed', 'tue-thu'],
    [1, 2, 3, 4],
  ],
])('the days %j are %j', (days, numbers) => {
  expect(windowSection.parse({ days }).days).toEqual(numbers);
});

it('active hours are all hours in UTC by default', () => {
  expect(windowSection.parse({})).toEqual({ days: [0, 1, 2, 3, 4, 5, 6], from: 0, to: 1440, zone: 'UTC' });
});

it('active hours accept every key', () => {
  const given = { days: ['mon-fri'], from: '07:00', to: '20:00', tz: 'Europe/Berlin' };
  expect(windowSection.parse(given)).toEqual({ days: [1, 2, 3, 4, 5], from: 420, to: 1200, zone: 'Europe/Berlin' });
});

it.each([
  [{ days: [] }, 'days'],
  [{ days: ['monday'] }, 'days.0'],
  [{ days: ['mon', 'mon-'] }, 'days.1'],
  [{ days: ['mon-fri-sun'] }, 'days.0'],
  [{ days: ['Mon'] }, 'days.0'],
  [{ days: 'mon-fri' }, 'days'],
  [{ from: '7:00' }, 'from'],
  [{ from: '24:00' }, 'from'],
  [{ to: '24:01' }, 'to'],
  [{ tz: 'Mars/Olympus' }, 'tz'],
  [{ zone: 'UTC' }, ''],
])('active hours reject %j', (given, path) => {
  const found = issuesOf(windowSection, given);
  expect(found.map((complaint) => complaint.split(': ', 1)[0])).toEqual([path]);
});
