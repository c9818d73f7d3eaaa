import type { Clock, Millis } from '../kernel/time.ts';
import type { ComparePassword } from './password-worker.ts';

/** Comparisons that may wait for their turn; beyond that a stranger is turned away at once. */
const mostWaiting = 16;
/** After a wrong password the next comparison waits this many times as long as the last one took, */
const restShare = 3;
/** and at most this long: a hash of an extreme cost must not lock everybody out. */
const longestRest: Millis = 2_000;

/**
 * One comparison at a time, with a rest after each wrong one: a flood of wrong passwords costs its senders
 * patience, and us a quarter of a processor.
 */
export class PasswordQueue {
  readonly #compare: ComparePassword;
  readonly #clock: Clock;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(compare: ComparePassword, clock: Clock) {
    this.#compare = compare;
    this.#clock = clock;
  }

  /** False as well when too many wait. Rejects when the comparison itself broke. */
  async matches(password: string, hash: string): Promise<boolean> {
    if (this.#waiting >= mostWaiting) return false;
    this.#waiting += 1;
    try {
      return await this.#inTurn(password, hash);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #inTurn(password: string, hash: string): Promise<boolean> {
    const answer = this.#last.then(() => this.#timed(password, hash));
    this.#last = answer.then(({ isRight, took }) => (isRight ? undefined : this.#rest(took)), ignore);
    return (await answer).isRight;
  }

  async #timed(password: string, hash: string): Promise<{ readonly isRight: boolean; readonly took: Millis }> {
    const started = this.#clock.now().mono;
    const isRight = await this.#compare(password, hash);
    return { isRight, took: this.#clock.now().mono - started };
  }

  #rest(took: Millis): Promise<void> {
    return this.#clock.sleep(Math.min(longestRest, took * restShare));
  }
}

/** The one who asked is told; those who wait behind need not be. */
function ignore(): void {}
