import { expect, it } from 'vitest';
import { licenseExpiring } from '../../../src/alert/rules/license-expiring.ts';
import { findings, situationWith, wall } from './rule-fixtures.ts';

const day = 86_400_000;

function ends(days: number) {
  return situationWith({ graphdb_license_expiration_timestamp_seconds: [[{}, (wall + days * day) / 1000]] });
}

it.each([
  [31, []],
  [30, []],
  [29.9, ['warning']],
  [3, ['warning']],
  [2.9, ['critical']],
  [-1, ['critical']],
])('license_expiring › %d days before the end', (days, severities) => {
  const given = findings(licenseExpiring, ends(days));
  expect(given.map(({ severity }) => severity ?? licenseExpiring.severity)).toEqual(severities);
});

it.each([
  [1.5, 'expires in 1 day'],
  [0.5, 'expires in less than a day'],
  [-0.5, 'has expired'],
])('license_expiring › %d days before the end, the license %s', (days, expiry) => {
  expect(findings(licenseExpiring, ends(days))[0]?.facts.expiry).toBe(expiry);
});

it('license_expiring › states the date', () => {
  expect(findings(licenseExpiring, ends(12.5))[0]?.facts).toEqual({
    expiry: 'expires in 12 days',
    date: '2026-10-04 16:53 UTC',
  });
});
