import type { Millis } from '../../kernel/time.ts';

interface LoadedRow {
  /** True time of the load, ms since the epoch. */
  readonly at: number;
  /** Attribute `written_at` of the row. */
  readonly writtenAt: number;
}

/** Rows of the write heartbeat: what each host returns of them, and when, and which were deleted. Times are true times. */
export class SimulatedHeartbeatRows {
  /** Loads of each row, the latest last. */
  readonly #rows = new Map<string, readonly LoadedRow[]>();
  readonly #delays = new Map<string, Millis>();

  /** Delays rows on a host by `delay` after their load. */
  delay(host: string, delay: Millis): void {
    this.#delays.set(host, delay);
  }

  /** Loads a row, or replaces the one with the same id. */
  load(id: string, row: LoadedRow): void {
    this.#rows.set(id, [...(this.#rows.get(id) ?? []), row]);
  }

  /** Returns the attribute of a row on a host; undefined if the host does not return the row. */
  read(id: string, host: string, now: number): number | undefined {
    const delay = this.#delays.get(host) ?? 0;
    return this.#rows.get(id)?.findLast(({ at }) => now - at >= delay)?.writtenAt;
  }

  /** Returns the number of deleted rows. */
  delete(id: string): number {
    return this.#rows.delete(id) ? 1 : 0;
  }

  /** Number of rows that nothing has deleted. */
  get size(): number {
    return this.#rows.size;
  }
}
