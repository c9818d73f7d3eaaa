import { expect, it } from 'vitest';
import { StateDuration } from '../../../src/app/poll/state-duration.ts';

function at(mono: number) {
  return { wall: 1_790_000_000_000 + mono, mono };
}

it('a state has lasted since its last change, not since the last observation', () => {
  const streak = new StateDuration<boolean>();
  expect(streak.since).toBeUndefined();
  streak.record(true, at(1));
  streak.record(true, at(2));
  expect(streak.since).toEqual(at(1));
  streak.record(false, at(3));
  streak.record(false, at(4));
  expect(streak.since).toEqual(at(3));
});

it('a state whose start was observed is distinguished from one that was found', () => {
  const streak = new StateDuration<string>();
  streak.record('up', at(1));
  streak.record('up', at(2));
  expect(streak.isInitial).toBe(true);
  streak.record('down', at(3));
  streak.record('up', at(4));
  expect(streak.isInitial).toBe(false);
});
