/** Semaphore with a FIFO queue. One place is reserved for urgent callers. */
export interface Semaphore {
  /** Resolves to false if `signal` aborts before a place is free. After true, call {@link Semaphore.release}. */
  acquire(urgent: boolean, signal: AbortSignal): Promise<boolean>;
  /** Releases a place that was acquired with the same `urgent`. */
  release(urgent: boolean): void;
}

/** Number of places for urgent callers; a semaphore with a single place reserves none. */
const reservedPlaces = 1;

/**
 * Creates a semaphore. It queues requests before undici does, because undici keeps aborted requests in its queue until a
 * connection is free: after a thousand aborted requests to a hung server that queue has a thousand entries.
 */
export function createSemaphore(places: number): Semaphore {
  const forPatient = places > reservedPlaces ? places - reservedPlaces : places;
  const inside = { urgent: 0, patient: 0 };
  const urgently = new Set<() => void>();
  const patiently = new Set<() => void>();

  function hasPlace(urgent: boolean): boolean {
    return inside.urgent + inside.patient < places && (urgent || inside.patient < forPatient);
  }

  function count(urgent: boolean, change: 1 | -1): void {
    inside[urgent ? 'urgent' : 'patient'] += change;
  }

  function release(urgent: boolean): void {
    count(urgent, -1);
    const [first] = urgently;
    const [next] = patiently;
    if (first !== undefined) first();
    else if (hasPlace(false)) next?.();
  }

  function acquire(urgent: boolean, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (hasPlace(urgent)) {
      count(urgent, 1);
      return Promise.resolve(true);
    }
    const waiting = urgent ? urgently : patiently;
    return new Promise((resolve) => {
      const settle = (entered: boolean): void => {
        if (entered) count(urgent, 1);
        waiting.delete(pass);
        signal.removeEventListener('abort', giveUp);
        resolve(entered);
      };
      const pass = (): void => settle(true);
      const giveUp = (): void => settle(false);
      waiting.add(pass);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  return { acquire, release };
}
