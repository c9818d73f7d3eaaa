import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Millis } from '../kernel/time.ts';

/** The machine's clocks and timers. */
export const systemClock: Clock = {
  now: () => ({ wall: Date.now(), mono: performance.now() }),
  sleep,
  breathe: () => nextTurn(),
};

function sleep(length: Millis, signal?: AbortSignal): Promise<void> {
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
