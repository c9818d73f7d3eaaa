import { expect, it } from 'vitest';
import { stateKnownSince } from '../../../../campaigns/races/oracle/recorded-run.ts';
import { listOf, recordedRunOf } from '../logs.ts';

it.each([
  ['a clock step', [{ at: 60_000, by: 1500 }], [], 60_000],
  [
    'steps between which the guard received a list',
    [
      { at: 60_000, by: 1500 },
      { at: 60_600, by: -1500 },
    ],
    [listOf(60_100, { receivedAt: 60_300 })],
    60_600,
  ],
  [
    'no step that is taken back before the guard receives a list',
    [
      { at: 60_000, by: 1500 },
      { at: 60_600, by: -1500 },
    ],
    [listOf(59_000, { receivedAt: 59_500 }), listOf(61_000, { receivedAt: 61_500 })],
    0,
  ],
  [
    'a step that is taken back in part',
    [
      { at: 60_000, by: 3000 },
      { at: 60_600, by: -1500 },
    ],
    [],
    60_600,
  ],
])('the state of the guard is complete since %s', (_, steps, lists, expected) => {
  expect(Math.max(0, stateKnownSince(recordedRunOf({ steps, lists }), 90_000))).toBe(expected);
});
