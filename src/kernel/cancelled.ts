/** Reason for the abort of a signal where nobody wants the answer any more: the deadline has not passed. */
export const cancelled = 'cancelled';

/** Whether what `signal` belongs to was given up by ourselves, and did not fail. */
export function isCancelled(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === cancelled;
}
