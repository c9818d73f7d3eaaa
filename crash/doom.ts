import type { Clock, Millis } from '../src/kernel/time.ts';

/** When a daemon is killed: so long after the `nth` such moment of its life. */
export interface KillAt<Moment extends string> {
  readonly moment: Moment | 'time';
  readonly nth: number;
  readonly after: Millis;
}

/** Waits for the moment at which a daemon is to die. */
export class Doom<Moment extends string> {
  readonly #clock: Clock;
  #seen: (moment: Moment | 'time') => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** To be told of each moment at once, before anything else happens. */
  readonly happened = (moment: Moment | 'time'): void => this.#seen(moment);

  /**
   * Resolves when it is time to kill; where nothing is to be waited for after the moment, `kill` is called in the very
   * turn in which it comes. False where it did not come in time.
   */
  async wait({ moment, nth, after }: KillAt<Moment>, kill: () => void, patience: Millis): Promise<boolean> {
    const over = new AbortController();
    const late = this.#clock.sleep(patience, over.signal).then(() => false);
    const came = new Promise<boolean>((resolve) => {
      let count = 0;
      this.#seen = (seen) => {
        count += seen === moment ? 1 : 0;
        if (count !== nth) return;
        if (after === 0) kill();
        resolve(true);
      };
    });
    const hasCome = moment === 'time' || (await Promise.race([came, late]));
    this.#seen = () => undefined;
    over.abort();
    await late;
    if (hasCome) await this.#clock.sleep(after);
    return hasCome;
  }
}
