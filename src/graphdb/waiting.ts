import type { Clock, Millis } from '../kernel/time.ts';

/** Runs work that several callers wait for under a deadline of its own, not that of one of them. */
export async function withDeadline<T>(
  clock: Clock,
  length: Millis,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const finished = new AbortController();
  void clock.sleep(length, finished.signal).then(() => deadline.abort());
  try {
    return await run(deadline.signal);
  } finally {
    finished.abort();
  }
}

/** Waits for shared work; undefined when `signal` aborts first. */
export function unlessAborted<T>(shared: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const giveUp = (): void => resolve(undefined);
    signal.addEventListener('abort', giveUp, { once: true });
    shared.finally(() => signal.removeEventListener('abort', giveUp)).then(resolve, reject);
  });
}
