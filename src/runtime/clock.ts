import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Millis } from '../kernel/time.ts';

/** The machine's clocks and timers. */
export const systemClock: Clock = {
  now: () => ({ wall: Date.now(), mono: performance.now() }),
  sleep,
  breathe: () => nextTurn(),
};

/** What a timer can be set for; a longer one would fire at once. */
const longestTimer: Millis = 2 ** 31 - 1;

async function sleep(length: Millis, signal?: AbortSignal): Promise<void> {
  if (length <= longestTimer) return nap(length, signal);
  await nap(longestTimer, signal);
  if (signal?.aborted !== true) await sleep(length - longestTimer, signal);
}

function nap(length: Millis, signal?: AbortSignal): Promise<void> {
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
