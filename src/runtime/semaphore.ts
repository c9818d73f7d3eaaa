/** Semaphore with a FIFO queue. One permit is reserved for urgent callers. */
export interface Semaphore {
  /** Resolves to false if `signal` aborts before a permit is free. After true, call {@link Semaphore.release}. */
  acquire(urgent: boolean, signal: AbortSignal): Promise<boolean>;
  /** Releases a permit that was acquired with the same `urgent`. */
  release(urgent: boolean): void;
}

/** Number of permits for urgent callers; a semaphore with a single permit reserves none. */
const reservedPermits = 1;

/**
 * Creates a semaphore. It queues requests before undici does, because undici keeps aborted requests in its queue until a
 * connection is free: after a thousand aborted requests to a hung server that queue has a thousand entries.
 */
export function createSemaphore(permits: number): Semaphore {
  const normalPermits = permits > reservedPermits ? permits - reservedPermits : permits;
  const acquired = { urgent: 0, normal: 0 };
  const urgentQueue = new Set<() => void>();
  const normalQueue = new Set<() => void>();

  function hasPermit(urgent: boolean): boolean {
    return acquired.urgent + acquired.normal < permits && (urgent || acquired.normal < normalPermits);
  }

  function count(urgent: boolean, change: 1 | -1): void {
    acquired[urgent ? 'urgent' : 'normal'] += change;
  }

  function release(urgent: boolean): void {
    count(urgent, -1);
    const [first] = urgentQueue;
    const [next] = normalQueue;
    if (first !== undefined) first();
    else if (hasPermit(false)) next?.();
  }

  function acquire(urgent: boolean, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (hasPermit(urgent)) {
      count(urgent, 1);
      return Promise.resolve(true);
    }
    const waiting = urgent ? urgentQueue : normalQueue;
    return new Promise((resolve) => {
      const settle = (isGranted: boolean): void => {
        if (isGranted) count(urgent, 1);
        waiting.delete(grant);
        signal.removeEventListener('abort', giveUp);
        resolve(isGranted);
      };
      const grant = (): void => settle(true);
      const giveUp = (): void => settle(false);
      waiting.add(grant);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  return { acquire, release };
}
