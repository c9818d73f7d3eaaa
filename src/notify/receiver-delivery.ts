import type { StoreChange } from '../kernel/store.ts';
import type { DeliveryCounters } from './delivery-metrics.ts';
import type { DeliveryWorker } from './outbox/delivery-worker.ts';
import type { NotificationQueue } from './outbox/notification-queue.ts';
import type { AlertKeyChanges } from './outbox/reconcile-queue.ts';

/** One receiver with its notification queue, delivery worker and counters. */
export interface ReceiverDelivery {
  readonly queue: NotificationQueue;
  readonly worker: DeliveryWorker;
  readonly metrics: DeliveryCounters;
}

/** A queue that is held until its changes are stored. */
export type HeldQueue = readonly [ReceiverDelivery, key: string];

/** Holds the changed queues of a receiver, adds them to `held`, and returns the changes to store. */
export function hold(
  delivery: ReceiverDelivery,
  changed: readonly AlertKeyChanges[],
  held: HeldQueue[],
): readonly StoreChange[] {
  return changed.flatMap(({ key, changes }) => {
    if (changes.length === 0) return [];
    delivery.queue.queues.hold(key);
    held.push([delivery, key]);
    return changes;
  });
}

/** Starts to send what was held. */
export function releaseAll(held: readonly HeldQueue[]): void {
  for (const [{ queue, worker }, key] of held) {
    queue.queues.unhold(key);
    worker.wake();
  }
}
