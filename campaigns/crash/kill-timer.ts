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
  #onMoment: (moment: Moment | 'time') => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a moment. The caller calls it synchronously, before any other handler runs. */
  readonly record = (moment: Moment | 'time'): void => this.#onMoment(moment);

  /**
   * Resolves with true when it is time to kill, and with false if the moment does not come within the timeout. Without a
   * delay after the moment, it calls `kill` synchronously in the same turn as the moment.
   */
  async wait({ moment, nth, after }: KillMoment<Moment>, kill: () => void, timeout: Millis): Promise<boolean> {
    const end = new AbortController();
    const late = this.#clock.sleep(timeout, end.signal).then(() => false);
    const moments = new Promise<boolean>((resolve) => {
      let count = 0;
      this.#onMoment = (recorded) => {
        count += recorded === moment ? 1 : 0;
        if (count !== nth) return;
        if (after === 0) kill();
        resolve(true);
      };
    });
    const hasCome = moment === 'time' || (await Promise.race([moments, late]));
    this.#onMoment = () => undefined;
    end.abort();
    await late;
    if (hasCome) await this.#clock.sleep(after);
    return hasCome;
  }
}
