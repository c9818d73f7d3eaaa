import type { Clock, Millis } from '../../kernel/time.ts';

/** Smaller differences do not change the offset, because each change is a small step of the clock. */
const tolerance: Millis = 50;

/** Difference between the wall clocks of the database and of this host. */
export class DatabaseOffset {
  #offset: Millis = 0;

  get offset(): Millis {
    return this.#offset;
  }

  /**
   * Applies an answer of the database with its time, to a request that took from `sent` to `received` by the wall clock. The
   * database may have read its clock at any moment of that.
   */
  apply(databaseTime: number, sent: number, received: number): void {
    const measured = databaseTime - (sent + received) / 2;
    const error = Math.max(0, received - sent) / 2 + tolerance;
    if (Math.abs(measured - this.#offset) > error) this.#offset = Math.round(measured);
  }
}

/**
 * Clock whose wall time is that of the database. Replicas store times that others read: with their own clocks, a budget that
 * one replica spent could look old to another.
 */
export function databaseClock(clock: Clock, offset: Pick<DatabaseOffset, 'offset'>): Clock {
  return {
    now: () => {
      const { wall, mono } = clock.now();
      return { wall: wall + offset.offset, mono };
    },
    sleep: (length, signal) => clock.sleep(length, signal),
    yieldToEventLoop: () => clock.yieldToEventLoop(),
  };
}
