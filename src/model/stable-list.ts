/**
 * List that is compared with its previous version while it is built, and is the same object if nothing differs: long
 * lists hardly ever change between polls, and comparing the objects is then enough.
 */
export class StableList<T> {
  readonly #previous: readonly T[];
  readonly #same: (one: T, other: T) => boolean;
  #length = 0;
  /** Absent while nothing differs. */
  #changed: T[] | undefined;

  /** `same` compares items that are not the same object. */
  constructor(before: readonly T[] = [], same: (one: T, other: T) => boolean = () => false) {
    this.#previous = before;
    this.#same = same;
  }

  /** Adds an item; keeps the previous item at its place if both are the same. */
  add(item: T): void {
    const known = this.#previous[this.#length];
    const isKnown = known !== undefined && (known === item || this.#same(known, item));
    if (!isKnown) this.#changed ??= this.#previous.slice(0, this.#length);
    this.#changed?.push(isKnown ? known : item);
    this.#length += 1;
  }

  /** All added items. */
  get items(): readonly T[] {
    if (this.#changed !== undefined) return this.#changed;
    return this.#length === this.#previous.length ? this.#previous : this.#previous.slice(0, this.#length);
  }

  /** Number of added items. */
  get length(): number {
    return this.#length;
  }
}
