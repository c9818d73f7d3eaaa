import type { Instant } from '../../kernel/time.ts';

/** Tracks since when a value has been the same, as far as it was observed. */
export class StateDuration<Value> {
  #value: Value | undefined;
  #since: Instant | undefined;
  #isInitial = true;

  /** Records the value at `at`; only a change resets the start. */
  record(value: Value, at: Instant): void {
    if (this.#since !== undefined && this.#value === value) return;
    this.#isInitial = this.#since === undefined;
    this.#value = value;
    this.#since = at;
  }

  /** Returns when the value changed to the current one; undefined before the first observation. */
  get since(): Instant | undefined {
    return this.#since;
  }

  /** True if no change was observed: the value may be older than its first observation. */
  get isInitial(): boolean {
    return this.#isInitial;
  }
}
