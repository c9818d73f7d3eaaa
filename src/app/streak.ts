import type { Instant } from '../kernel/time.ts';

/** How long a thing has been the way it is, as far as it was looked at. */
export class Streak<Value> {
  #value: Value | undefined;
  #since: Instant | undefined;
  #isFirst = true;

  /** Takes in what was seen at `at`; only a change begins anew. */
  note(value: Value, at: Instant): void {
    if (this.#since !== undefined && this.#value === value) return;
    this.#isFirst = this.#since === undefined;
    this.#value = value;
    this.#since = at;
  }

  /** When it became what it is; undefined before the first look. */
  get since(): Instant | undefined {
    return this.#since;
  }

  /** It was never seen otherwise: it may have been so for longer than we know. */
  get isFirst(): boolean {
    return this.#isFirst;
  }
}
