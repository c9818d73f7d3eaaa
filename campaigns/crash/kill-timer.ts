import type { Clock, Millis } from '../../src/kernel/time.ts';

/** Time of a kill: `after` ms after the `nth` moment of its kind in the daemon run. */
export interface KillMoment<Moment extends string> {
  readonly moment: Moment | 'time';
  readonly nth: number;
  readonly after: Millis;
}

/** Waits for the moment at which a daemon is killed. */
export class KillTimer<Moment extends string> {
  readonly #clock: Clock;
  #seen: (moment: Moment | 'time') => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a moment. The caller calls it synchronously, before any other handler runs. */
  readonly record = (moment: Moment | 'time'): void => this.#seen(moment);

  /**
   * Resolves when it is time to kill; where nothing is to be waited for after the moment, `kill` is called in the very
   * turn in which it comes. False where it did not come in time.
   */
  async wait({ moment, nth, after }: KillMoment<Moment>, kill: () => void, timeout: Millis): Promise<boolean> {
    const over = new AbortController();
    const late = this.#clock.sleep(timeout, over.signal).then(() => false);
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
