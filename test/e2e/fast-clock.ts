import type { Clock } from '../../src/kernel/time.ts';
import { systemClock } from '../../src/runtime/clock.ts';

/** The machine's clock, so many times as fast from now on. */
export function fastClock(times: number): Clock {
  const from = systemClock.now();
  return {
    now: () => {
      const { wall, mono } = systemClock.now();
      return { wall: from.wall + (wall - from.wall) * times, mono: from.mono + (mono - from.mono) * times };
    },
    sleep: (length, signal) => systemClock.sleep(length / times, signal),
    yieldToEventLoop: () => systemClock.yieldToEventLoop(),
  };
}
