import { expect, it } from 'vitest';
import { startTimeSlices } from '../../src/kernel/time-slices.ts';
import { FakeClock } from '../support/clock.ts';

it('a pause is due at the end of a time slice, and not after the pause', async () => {
  const clock = new FakeClock();
  const slices = startTimeSlices(clock);
  expect(slices.shouldYield()).toBe(false);
  await clock.advance(5);
  expect(slices.shouldYield()).toBe(false);
  await clock.advance(5);
  expect(slices.shouldYield()).toBe(true);
  await slices.nextSlice();
  expect(slices.shouldYield()).toBe(false);
});

it('time slices yield to other work between them', async () => {
  const slices = startTimeSlices(new FakeClock());
  let ran = false;
  setImmediate(() => {
    ran = true;
  });
  await slices.nextSlice();
  expect(ran).toBe(true);
});
