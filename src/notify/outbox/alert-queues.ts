import type { StoreChange } from '../../kernel/store.ts';
import { type AlertQueue, nextPending } from './alert-queue.ts';
import { alertQueueChange } from './outbox-store.ts';
import { isPage } from './queued-incident.ts';

/** Alert queues of one receiver by alert key. A queue whose changes are not stored yet is held: nothing of it is sent. */
export class AlertQueues {
  readonly #receiver: string;
  readonly #queues: Map<string, AlertQueue>;
  readonly #held = new Map<string, number>();

  constructor(receiver: string, queues: readonly AlertQueue[]) {
    this.#receiver = receiver;
    this.#queues = new Map(queues.map((queue) => [queue.key, queue]));
  }

  get size(): number {
    return this.#queues.size;
  }

  get hasHeld(): boolean {
    return this.#held.size > 0;
  }

  get(key: string): AlertQueue | undefined {
    return this.#queues.get(key);
  }

  values(): readonly AlertQueue[] {
    return [...this.#queues.values()];
  }

  /** Queues that are not held. */
  *sendable(): Generator<AlertQueue> {
    for (const queue of this.#queues.values()) if (!this.#held.has(queue.key)) yield queue;
  }

  /** Queues that are not held and whose next notification is a page. */
  *pages(): Generator<AlertQueue> {
    for (const queue of this.sendable()) {
      const head = nextPending(queue);
      if (head !== undefined && isPage(head.episode)) yield queue;
    }
  }

  /** Replaces a queue, or removes an empty one, and returns the changes to store. */
  save(queue: AlertQueue): readonly StoreChange[] {
    if (queue.episodes.length === 0) this.#queues.delete(queue.key);
    else this.#queues.set(queue.key, queue);
    return [alertQueueChange(this.#receiver, queue)];
  }

  /** Replaces the queues that `change` changes, and returns the changes to store. */
  saveEach(change: (queue: AlertQueue) => AlertQueue): readonly StoreChange[] {
    return this.values().flatMap((queue) => {
      const next = change(queue);
      return next === queue ? [] : this.save(next);
    });
  }

  /** Holds the queue of an alert key until as many calls of {@link unhold}. */
  hold(key: string): void {
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
  }

  /** Reverts one call of {@link hold}. */
  unhold(key: string): void {
    const times = (this.#held.get(key) ?? 0) - 1;
    if (times > 0) this.#held.set(key, times);
    else this.#held.delete(key);
  }
}
