import type { Millis } from '../src/kernel/time.ts';

/** When a daemon is killed: so long after the `nth` such moment of its life. */
export interface KillAt<Moment extends string> {
  readonly moment: Moment | 'time';
  readonly nth: number;
  readonly after: Millis;
}

/** Waits for the moment at which a daemon is to die. */
export class Doom<Moment extends string> {
  #seen: (moment: Moment | 'time') => void = () => undefined;

  /** To be told of each moment at once, before anything else happens. */
  readonly happened = (moment: Moment | 'time'): void => this.#seen(moment);

  /**
   * Resolves when it is time to kill, in the same turn in which the moment comes where nothing is to be waited for
   * after it: `kill` is called in that very turn. False where the moment did not come in time.
   */
  wait({ moment, nth, after }: KillAt<Moment>, kill: () => void, patience: Millis): Promise<boolean> {
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        this.#seen = () => undefined;
        resolve(false);
      }, patience);
      const end = (): void => {
        clearTimeout(late);
        this.#seen = () => undefined;
        if (after === 0) kill();
        setTimeout(() => resolve(true), after);
      };
      let count = 0;
      this.#seen = (seen) => {
        count += seen === moment ? 1 : 0;
        if (count === nth) end();
      };
      if (moment === 'time') end();
    });
  }
}
