import type { Clock, Millis } from '../../src/kernel/time.ts';
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

/** Sleeps up to this one are not cut short: the deadline of a request in flight would end it. */
const longestKept: Millis = 10_000;

/** Clock of a daemon that a test advances without waiting; see {@link laggingClock}. */
export interface LaggingClock extends Clock {
  /** Advances to the machine's clock at once and wakes all sleepers of more than 10 s that are due by then. */
  catchUp(): void;
}

/** Returns the machine's clock with its wall time behind by `lag`, so that a daemon which catches up sends no time of the future. */
export function laggingClock(lag: Millis): LaggingClock {
  const caughtUp = new AbortController();
  const passed = (): Millis => (caughtUp.signal.aborted ? lag : 0);
  const now: Clock['now'] = () => {
    const { wall, mono } = systemClock.now();
    return { wall: wall - lag + passed(), mono: mono + passed() };
  };
  const sleep: Clock['sleep'] = async (length, signal) => {
    if (length <= longestKept) return systemClock.sleep(length, signal);
    const due = now().mono + length;
    const signals = signal === undefined ? [caughtUp.signal] : [caughtUp.signal, signal];
    if (!caughtUp.signal.aborted) await systemClock.sleep(length, AbortSignal.any(signals));
    if (signal?.aborted !== true) await systemClock.sleep(due - now().mono, signal);
  };
  return { now, sleep, yieldToEventLoop: () => systemClock.yieldToEventLoop(), catchUp: () => caughtUp.abort() };
}
