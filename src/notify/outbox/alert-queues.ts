import type { StoreChange } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import {
  type AlertQueue,
  emptyAlertQueue,
  hasGivenUp,
  nextPending,
  withOverdueParked,
  withParkedRetried,
} from './alert-queue.ts';
import { alertQueueChange } from './outbox-store.ts';
import { isPage } from './queued-incident.ts';
import { incidentName, mergeQueues } from './reconcile-queue.ts';

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

  /** Whether every incident is resolved at the receiver, or given up. */
  get isFinished(): boolean {
    return this.values().every(({ episodes }) => episodes.every(({ over, parked }) => over || parked !== undefined));
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

  /** Names of all incidents. */
  names(): readonly string[] {
    return this.values().flatMap(({ episodes }) => episodes.map(({ alert }) => incidentName(alert)));
  }

  /** Adds incidents of stored queues, except the known ones. */
  adopt(stored: readonly AlertQueue[], known: ReadonlySet<string>): void {
    for (const { key, episodes } of stored) {
      const added = episodes.filter(({ alert }) => !known.has(incidentName(alert)));
      if (added.length === 0) continue;
      this.save(mergeQueues(this.#queues.get(key) ?? emptyAlertQueue(key), { key, episodes: added }));
    }
  }

  /** Parks the notifications that were due before wall time `before`. */
  parkOverdue(before: number, now: Instant): readonly StoreChange[] {
    return this.saveEach((queue) => {
      const head = nextPending(queue);
      return head === undefined || head.episode.due > before ? queue : withOverdueParked(queue, before, now);
    });
  }

  /** Retries the notifications that were parked because the receiver failed for too long. */
  retryParked(now: Instant): readonly StoreChange[] {
    return this.values().flatMap((queue) => {
      const changes = this.save(withParkedRetried(queue, now));
      return hasGivenUp(queue) ? changes : [];
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
