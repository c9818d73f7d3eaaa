import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Instant, Millis } from '../kernel/time.ts';

/** The machine's clocks and timers. */
export const systemClock: Clock = {
  now: () => readBothClocks({ wall: () => Date.now(), mono: () => performance.now() }),
  sleep,
  yieldToEventLoop: () => nextTurn(),
};

/** Maximum duration of a simultaneous read of both clocks, and the maximum number of attempts. */
const sameMomentTolerance: Millis = 2;
const maxClockReads = 5;

/**
 * Returns the time of both clocks at one instant. Reads them again if the process was delayed in between, because that
 * would resemble a step of the wall clock.
 */
export function readBothClocks({ wall, mono }: { readonly wall: () => number; readonly mono: () => number }): Instant {
  for (let attempt = 1; ; attempt += 1) {
    const before = mono();
    const reported = wall();
    const after = mono();
    if (after - before < sameMomentTolerance || attempt === maxClockReads) return { wall: reported, mono: after };
  }
}

/** Maximum delay of a timer; a longer one would fire immediately. */
const maxTimerDelay: Millis = 2 ** 31 - 1;

async function sleep(length: Millis, signal?: AbortSignal): Promise<void> {
  if (length <= maxTimerDelay) return sleepOnce(length, signal);
  await sleepOnce(maxTimerDelay, signal);
  if (signal?.aborted !== true) await sleep(length - maxTimerDelay, signal);
}

function sleepOnce(length: Millis, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, Math.max(0, length));
    signal?.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
  });
}
