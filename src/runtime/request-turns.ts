/**
 * Starts one request in each turn of the event loop, and takes the clients in turn. Polls, the guard and timers run between any
 * two requests, even if many requests arrive at the same time.
 */
export class RequestTurns {
  /** Requests that wait, by client, in the order in which the clients have their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Resolves when it is the turn of this request. */
  next(client: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.size === 0) this.#schedule();
      const own = this.#waiting.get(client) ?? [];
      own.push(resolve);
      this.#waiting.set(client, own);
    });
  }

  #schedule(): void {
    setImmediate(() => this.#startNext());
  }

  #startNext(): void {
    for (const [client, own] of this.#waiting) {
      this.#waiting.delete(client);
      const start = own.shift();
      if (own.length > 0) this.#waiting.set(client, own);
      if (this.#waiting.size > 0) this.#schedule();
      start?.();
      return;
    }
  }
}
