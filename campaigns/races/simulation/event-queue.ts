import type { Millis } from '../../../src/kernel/time.ts';

interface ScheduledEvent {
  readonly at: Millis;
  readonly serial: number;
  readonly run: () => void;
}

/** Event queue in simulated time. Events of the same instant run in the order in which they were scheduled. */
export class EventQueue {
  now: Millis = 0;
  readonly #heap: ScheduledEvent[] = [];
  #serial = 0;

  /** Schedules an event `after` ms from now, in whole milliseconds. */
  schedule(after: Millis, run: () => void): void {
    this.#serial += 1;
    this.#heap.push({ at: this.now + Math.max(0, Math.ceil(after)), serial: this.#serial, run });
    this.#siftUp(this.#heap.length - 1);
  }

  /** Runs events until `end`. */
  runUntil(end: Millis): void {
    for (let next = this.#heap[0]; next !== undefined && next.at <= end; next = this.#heap[0]) {
      this.#popFirst();
      this.now = next.at;
      next.run();
    }
    this.now = end;
  }

  #popFirst(): void {
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

  #siftUp(from: number): void {
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
