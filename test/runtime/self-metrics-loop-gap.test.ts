import { expect, it } from 'vitest';
import { measureEventLoopGap } from '../../src/runtime/self-metrics.ts';
import { FakeClock } from '../support/clock.ts';

/** A clock whose timers come late by what the test says. */
class LateClock extends FakeClock {
  late = 0;

  override async sleep(length: number, signal?: AbortSignal): Promise<void> {
    await super.sleep(length + this.late, signal);
  }
}

it('measures the delay of the latest timer', async () => {
  const clock = new LateClock();
  const gap = measureEventLoopGap(clock);
  await clock.advance(500);
  expect(gap.longest()).toBe(0);
  clock.late = 70;
  await clock.advance(1000);
  clock.late = 0;
  await clock.advance(500);
  expect(gap.longest()).toBe(70);
  gap.stop();
});

it('forgets a gap after half a minute to a minute', async () => {
  const clock = new LateClock();
  const gap = measureEventLoopGap(clock);
  clock.late = 50;
  await clock.advance(1000);
  clock.late = 0;
  await clock.advance(29_000);
  expect(gap.longest()).toBe(50);
  await clock.advance(62_000);
  expect(gap.longest()).toBe(0);
  gap.stop();
});

it('leaves no timer behind', async () => {
  const clock = new FakeClock();
  const gap = measureEventLoopGap(clock);
  await clock.settle();
  expect(clock.sleeping).toBe(1);
  gap.stop();
  await clock.settle();
  expect(clock.sleeping).toBe(0);
});
