import { expect, it } from 'vitest';
import { withDeadline } from '../../src/cli/deadline.ts';
import { FakeClock } from '../support/clock.ts';

it('gives what the work gives, and leaves no timer', async () => {
  const clock = new FakeClock();
  let seen: AbortSignal | undefined;
  const work = async (signal: AbortSignal): Promise<string> => {
    seen = signal;
    return 'done';
  };
  expect(await withDeadline(clock, 1_000, work)).toBe('done');
  await clock.settle();
  expect(clock.sleeping).toBe(0);
  expect(seen?.aborted).toBe(false);
});

function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')));
}

it('aborts the work when the time is over', async () => {
  const clock = new FakeClock();
  const outcome = withDeadline(clock, 1_000, untilAborted);
  await clock.advance(999);
  await clock.advance(1);
  expect(await outcome).toBe('aborted');
});

it('lets a bug through, without a timer', async () => {
  const clock = new FakeClock();
  await expect(withDeadline(clock, 1_000, () => Promise.reject(new Error('bug')))).rejects.toThrow('bug');
  await clock.settle();
  expect(clock.sleeping).toBe(0);
});
