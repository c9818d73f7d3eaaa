/** Lets a fixed number through at a time, the others in order of arrival. */
export interface Turnstile {
  /** False when `signal` aborted before there was a place; a true must be followed by {@link Turnstile.leave}. */
  enter(signal: AbortSignal): Promise<boolean>;
  leave(): void;
}

/**
 * Queues before undici's own queue, which keeps what was given up until a connection is free: after a
 * thousand abandoned requests to a hung server it would be a thousand long.
 */
export function createTurnstile(places: number): Turnstile {
  let free = places;
  const waiting = new Set<() => void>();

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  }

  function enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (free > 0) {
      free -= 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const settle = (entered: boolean): void => {
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
