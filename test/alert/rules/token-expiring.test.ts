import { expect, it } from 'vitest';
import { tokenExpiring } from '../../../src/alert/rules/token-expiring.ts';
import { findings, minute, situationWith, wall } from './rule-fixtures.ts';

function expiring(left: number) {
  return situationWith({}, { tokens: [{ node: 'm1', expiresAt: wall + left }] });
}

it.each([
  [11 * minute, 0],
  [10 * minute, 0],
  [9 * minute, 1],
  [-minute, 1],
])('token_expiring › %d ms before the end', (left, count) => {
  expect(findings(tokenExpiring, expiring(left))).toHaveLength(count);
});

it('token_expiring › states the date', () => {
  expect(findings(tokenExpiring, expiring(5 * minute))[0]?.facts).toEqual({
    when: '2026-09-22 04:58 UTC',
    left: 'in 5m',
  });
  expect(findings(tokenExpiring, expiring(-minute))[0]?.facts.left).toBe('in the past');
});

it('token_expiring › is known for tokens in use and for removed nodes', () => {
  expect(tokenExpiring.knows?.(expiring(0), { node: 'm1' })).toBe(true);
  expect(tokenExpiring.knows?.(expiring(0), { node: 'm2' })).toBe(false);
  expect(tokenExpiring.knows?.(expiring(0), { node: 'm9' })).toBe(true);
});
