import type { StoreChange } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import type { DeliveryCounters } from './delivery-metrics.ts';
import type { Notifier } from './notifier.ts';
import type { DeliveryWorker } from './outbox/delivery-worker.ts';
import type { NotificationQueue } from './outbox/notification-queue.ts';
import { type AlertKeyChanges, withTriggersRepeated } from './outbox/reconcile-queue.ts';
import { hasOtherRecipient } from './recipient.ts';
import type { ReceiverSettings } from './settings.ts';

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

/** Continues with other settings. Another recipient gets the open incidents again. Returns the changes to store. */
export function replaceSettings(
  { queue, worker }: ReceiverDelivery,
  [before, after]: readonly [ReceiverSettings | undefined, ReceiverSettings],
  notifier: Notifier,
  now: Instant,
): readonly StoreChange[] {
  worker.replaceNotifier(notifier);
  return hasOtherRecipient(before, after, notifier.traits.recipientKeys)
    ? queue.queues.saveEach((one) => withTriggersRepeated(one, now), now)
    : [];
}
