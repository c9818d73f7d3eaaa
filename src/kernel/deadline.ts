import type { Clock, Millis } from './time.ts';

/** Abort reason of a timer whose work has ended. Without a reason, `abort()` creates an error with its stack, which is slow. */
const workEnded = 'the work ended';

/**
 * Runs `work` with a signal that aborts after `length`, or when `parent` aborts. The timer ends with the work. The
 * result is that of the work, even if it ignores the signal.
 */
export async function withDeadline<T>(
  clock: Clock,
  length: Millis,
  work: (signal: AbortSignal) => Promise<T>,
  parent?: AbortSignal,
): Promise<T> {
  const deadline = new AbortController();
  const finished = new AbortController();
  void clock.sleep(length, finished.signal).then(() => finished.signal.aborted || deadline.abort());
  try {
    return await work(parent === undefined ? deadline.signal : AbortSignal.any([deadline.signal, parent]));
  } finally {
    finished.abort(workEnded);
  }
}

/** Waits for `work`; returns undefined if `length` passes or `signal` aborts first. The work continues. */
export async function waitAtMost<T>(
  clock: Clock,
  length: Millis,
  work: Promise<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const finished = new AbortController();
  const stop = signal === undefined ? finished.signal : AbortSignal.any([finished.signal, signal]);
  try {
    return await Promise.race([work, clock.sleep(length, stop).then(() => undefined)]);
  } finally {
    finished.abort(workEnded);
  }
}

/** Waits for work that others share; returns undefined if `signal` aborts first. The work continues. */
export function waitUnlessAborted<T>(shared: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    shared.finally(() => signal.removeEventListener('abort', onAbort)).then(resolve, reject);
  });
}
