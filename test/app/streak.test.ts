import { expect, it } from 'vitest';
import { Streak } from '../../src/app/streak.ts';

function at(mono: number) {
  return { wall: 1_790_000_000_000 + mono, mono };
}

it('has lasted since the last change, not since the last look', () => {
  const streak = new Streak<boolean>();
  expect(streak.since).toBeUndefined();
  streak.note(true, at(1));
  streak.note(true, at(2));
  expect(streak.since).toEqual(at(1));
  streak.note(false, at(3));
  streak.note(false, at(4));
  expect(streak.since).toEqual(at(3));
});

it('tells what it saw begin from what it found', () => {
  const streak = new Streak<string>();
  streak.note('up', at(1));
  streak.note('up', at(2));
  expect(streak.isFirst).toBe(true);
  streak.note('down', at(3));
  streak.note('up', at(4));
  expect(streak.isFirst).toBe(false);
});
