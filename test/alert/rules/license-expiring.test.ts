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
])('%d days before the end', (days, severities) => {
  const given = findings(licenseExpiring, ends(days));
  expect(given.map(({ severity }) => severity ?? licenseExpiring.severity)).toEqual(severities);
});

it('says when', () => {
  expect(findings(licenseExpiring, ends(12.5))[0]?.facts).toEqual({ days: '12', date: '2026-10-04 16:53 UTC' });
  expect(findings(licenseExpiring, ends(-5))[0]?.facts.days).toBe('0');
});
