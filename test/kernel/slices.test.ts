import { expect, it } from 'vitest';
import { startSlices } from '../../src/kernel/slices.ts';
import { FakeClock } from '../support/clock.ts';

it('is due when the slice has lasted, and no longer after a rest', async () => {
  const clock = new FakeClock();
  const slices = startSlices(clock);
  expect(slices.due()).toBe(false);
  await clock.advance(5);
  expect(slices.due()).toBe(false);
  await clock.advance(5);
  expect(slices.due()).toBe(true);
  await slices.rest();
  expect(slices.due()).toBe(false);
});

it('lets others run while it rests', async () => {
  const slices = startSlices(new FakeClock());
  let ran = false;
  setImmediate(() => {
    ran = true;
  });
  await slices.rest();
  expect(ran).toBe(true);
});
