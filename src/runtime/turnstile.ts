/** Lets a fixed number through at a time, the others in order of arrival; one place is kept for who is urgent. */
export interface Turnstile {
  /** False when `signal` aborted before there was a place; a true must be followed by {@link Turnstile.leave}. */
  enter(urgent: boolean, signal: AbortSignal): Promise<boolean>;
  leave(): void;
}

/** A single place cannot be kept free. */
const kept = 1;

/**
 * Queues before undici's own queue, which keeps what was given up until a connection is free: after a
 * thousand abandoned requests to a hung server it would be a thousand long.
 */
export function createTurnstile(places: number): Turnstile {
  const spare = places > kept ? kept : 0;
  let free = places;
  const urgently = new Set<() => void>();
  const patiently = new Set<() => void>();

  function leave(): void {
    free += 1;
    const [next] = urgently.size > 0 ? urgently : patiently;
    if (next !== undefined && (urgently.size > 0 || free > spare)) next();
  }

  function enter(urgent: boolean, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (free > (urgent ? 0 : spare)) {
      free -= 1;
      return Promise.resolve(true);
    }
    const waiting = urgent ? urgently : patiently;
    return new Promise((resolve) => {
      const settle = (entered: boolean): void => {
        if (entered) free -= 1;
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

  return { enter, leave };
}
