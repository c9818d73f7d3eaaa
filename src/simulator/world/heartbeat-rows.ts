import type { Millis } from '../../kernel/time.ts';

/** Rows of the write heartbeat: when each host returns them, and which were deleted. Times are true times. */
export class HeartbeatRows {
  readonly #loadedAt = new Map<string, number>();
  readonly #delays = new Map<string, Millis>();

  /** Delays rows on a host by `delay` after their load. */
  delay(host: string, delay: Millis): void {
    this.#delays.set(host, delay);
  }

  load(id: string, at: number): void {
    this.#loadedAt.set(id, at);
  }

  isVisible(id: string, host: string, at: number): boolean {
    const loadedAt = this.#loadedAt.get(id);
    return loadedAt !== undefined && at - loadedAt >= (this.#delays.get(host) ?? 0);
  }

  /** Returns the number of deleted rows. */
  delete(id: string): number {
    return this.#loadedAt.delete(id) ? 1 : 0;
  }

  /** Number of rows that nothing has deleted. */
  get size(): number {
    return this.#loadedAt.size;
  }
}
