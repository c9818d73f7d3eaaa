import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Instant, Millis } from '../kernel/time.ts';

/** The machine's clocks and timers. */
export const systemClock: Clock = {
  now: () => readBothClocks({ wall: () => Date.now(), mono: () => performance.now() }),
  sleep,
  yieldToEventLoop: () => nextTurn(),
};

/** Between looks at two clocks that are one moment, and how often it is tried to have them so. */
const sameMomentTolerance: Millis = 2;
const maxClockReads = 5;

/**
 * Both clocks at one moment. Where the process is held up between two looks the wall clock seems to have been set, so
 * it is looked at again.
 */
export function readBothClocks({ wall, mono }: { readonly wall: () => number; readonly mono: () => number }): Instant {
  for (let look = 1; ; look += 1) {
    const before = mono();
    const reported = wall();
    const after = mono();
    if (after - before < sameMomentTolerance || look === maxClockReads) return { wall: reported, mono: after };
  }
}

/** What a timer can be set for; a longer one would fire at once. */
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
