/**
 * A list that is compared with that of last time while it comes into being, and is the same object where nothing
 * differs: long lists hardly ever change from one reading to the next, and whoever compares them sees so at once.
 */
export class SteadyList<T> {
  readonly #before: readonly T[];
  readonly #same: (one: T, other: T) => boolean;
  #length = 0;
  /** Absent while nothing differs. */
  #own: T[] | undefined;

  /** `same` is asked about items that are not the same object. */
  constructor(before: readonly T[] = [], same: (one: T, other: T) => boolean = () => false) {
    this.#before = before;
    this.#same = same;
  }

  /** Adds an item; in its stead, the one that was at its place before, where they are the same. */
  add(item: T): void {
    const known = this.#before[this.#length];
    const isKnown = known !== undefined && (known === item || this.#same(known, item));
    if (!isKnown) this.#own ??= this.#before.slice(0, this.#length);
    this.#own?.push(isKnown ? known : item);
    this.#length += 1;
  }

  /** All that was added. */
  get items(): readonly T[] {
    if (this.#own !== undefined) return this.#own;
    return this.#length === this.#before.length ? this.#before : this.#before.slice(0, this.#length);
  }

  /** How many were added. */
  get length(): number {
    return this.#length;
  }
}
