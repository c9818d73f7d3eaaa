/** Lets a fixed number through at a time, the others in order of arrival; one place is kept for who is urgent. */
export interface Semaphore {
  /** False when `signal` aborted before there was a place; a true must be followed by {@link Semaphore.release}. */
  acquire(urgent: boolean, signal: AbortSignal): Promise<boolean>;
  /** Gives back a place that was entered by the same `urgent`. */
  release(urgent: boolean): void;
}

/** A single place cannot be kept free. */
const reservedPlaces = 1;

/**
 * Queues before undici's own queue, which keeps what was given up until a connection is free: after a
 * thousand abandoned requests to a hung server it would be a thousand long.
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
