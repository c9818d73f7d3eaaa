import type { Millis } from '../../src/kernel/time.ts';

interface Entry {
  readonly at: Millis;
  readonly serial: number;
  readonly run: () => void;
}

/** Simulated time: what is to happen, in order. What is put down for one instant happens in the order of putting. */
export class Agenda {
  now: Millis = 0;
  readonly #heap: Entry[] = [];
  #serial = 0;

  /** Puts something down for `after` ms from now; whole milliseconds. */
  in(after: Millis, run: () => void): void {
    this.#serial += 1;
    this.#heap.push({ at: this.now + Math.max(0, Math.ceil(after)), serial: this.#serial, run });
    this.#rise(this.#heap.length - 1);
  }

  /** Lets time go by until `end`. */
  runUntil(end: Millis): void {
    for (let next = this.#heap[0]; next !== undefined && next.at <= end; next = this.#heap[0]) {
      this.#takeFirst();
      this.now = next.at;
      next.run();
    }
    this.now = end;
  }

  #takeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    for (let at = 0; ; ) {
      const least = [2 * at + 1, 2 * at + 2].reduce((best, child) => (this.#isBefore(child, best) ? child : best), at);
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a === undefined || b === undefined) return false;
    return a.at < b.at || (a.at === b.at && a.serial < b.serial);
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a === undefined || b === undefined) return;
    this.#heap[one] = b;
    this.#heap[other] = a;
  }
}
