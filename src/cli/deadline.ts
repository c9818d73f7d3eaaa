import type { Clock, Millis } from '../kernel/time.ts';

/** Runs `work` with a signal that aborts after `length`; the timer never outlives the work. */
export async function withDeadline<T>(
  clock: Clock,
  length: Millis,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const finished = new AbortController();
  void clock.sleep(length, finished.signal).then(() => finished.signal.aborted || deadline.abort());
  try {
    return await work(deadline.signal);
  } finally {
    finished.abort();
  }
}
