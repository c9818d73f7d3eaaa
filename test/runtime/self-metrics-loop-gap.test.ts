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

/** The event loop is always active. */
function busy(clock: FakeClock): () => number {
  return () => clock.now().mono;
}

it('event loop gap › measures the delay of the latest timer', async () => {
  const clock = new LateClock();
  const gap = measureEventLoopGap(clock, busy(clock));
  await clock.advance(500);
  expect(gap.longest()).toBe(0);
  clock.late = 70;
  await clock.advance(1000);
  clock.late = 0;
  await clock.advance(500);
  expect(gap.longest()).toBe(70);
  gap.stop();
});

it('event loop gap › drops a gap after 30 s to 60 s', async () => {
  const clock = new LateClock();
  const gap = measureEventLoopGap(clock, busy(clock));
  clock.late = 50;
  await clock.advance(1000);
  clock.late = 0;
  await clock.advance(29_000);
  expect(gap.longest()).toBe(50);
  await clock.advance(62_000);
  expect(gap.longest()).toBe(0);
  gap.stop();
});

it('event loop gap › leaves no timer behind', async () => {
  const clock = new FakeClock();
  const gap = measureEventLoopGap(clock);
  await clock.settle();
  expect(clock.sleeping).toBe(1);
  gap.stop();
  await clock.settle();
  expect(clock.sleeping).toBe(0);
});

it('event loop gap › measures once a second while the event loop is idle, and more often while it is active', async () => {
  const clock = new LateClock();
  let active = 0;
  let looks = 0;
  const gap = measureEventLoopGap(clock, () => {
    looks += 1;
    return active;
  });
  const looksIn = async (length: number): Promise<number> => {
    const before = looks;
    await clock.advance(length);
    return (looks - before) / 2;
  };
  await clock.advance(250);
  expect(await looksIn(10_000)).toBe(10);
  active = 100;
  await clock.advance(1000);
  active = 200;
  expect(await looksIn(250)).toBe(1);
  gap.stop();
});
