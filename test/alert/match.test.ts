import { expect, it } from 'vitest';
import { matches } from '../../src/alert/match.ts';

it.each([
  [{}, true],
  [{ severity: ['critical'] }, true],
  [{ severity: ['warning', 'critical'] }, true],
  [{ severity: ['warning'] }, false],
  [{ severity: ['critical'], node: ['m1'] }, true],
  [{ severity: ['critical'], node: ['m2'] }, false],
  [{ team: ['graph'] }, false],
  [{ team: ['', 'graph'] }, true],
  [{ node: [] }, false],
])('%j is what the labels have: %s', (match: Readonly<Record<string, readonly string[]>>, expected) => {
  expect(matches(match, { severity: 'critical', node: 'm1' })).toBe(expected);
});
