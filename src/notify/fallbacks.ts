import type { Logger } from '../kernel/logger.ts';
import type { StoreChange } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import type { Destination } from '../model/alert.ts';
import type { DeliveryResult } from './notifier.ts';
import { type AlertQueue, updateIncidents } from './outbox/alert-queue.ts';
import type { AttemptOutcome } from './outbox/delivery-attempt.ts';
import type { NotificationQueue } from './outbox/notification-queue.ts';
import { type HeldQueue, hold, type ReceiverDelivery } from './receiver-delivery.ts';

/** Destinations of the firing alerts by key, according to the current routes. */
export type Destinations = ReadonlyMap<string, readonly Destination[]>;

/** Results after which a notification waits long enough to be sent to the fallback receiver. */
const heldUpResults: ReadonlySet<string> = new Set<DeliveryResult>(['parked', 'broken']);

/** Sends the triggers that a receiver does not accept to the fallback receivers of the routes. */
export class Fallbacks {
  readonly #deliveries: ReadonlyMap<string, ReceiverDelivery>;
  readonly #log: Logger;
  /** Receivers and their missing fallbacks that were logged since the last change of the routes. */
  readonly #logged = new Set<string>();

  constructor(deliveries: ReadonlyMap<string, ReceiverDelivery>, log: Logger) {
    this.#deliveries = deliveries;
    this.#log = log;
  }

  /** Enqueues the undelivered triggers of a receiver once, after an attempt. Returns the changes to store. */
  afterAttempt(queue: NotificationQueue, outcomes: readonly AttemptOutcome[], now: Instant): readonly StoreChange[] {
    if (!queue.isFailing(now) && outcomes.every(({ result }) => !heldUpResults.has(result))) return [];
    return this.#enqueued(queue, now).flatMap(({ delivery, changes }) => {
      delivery.worker.wake();
      return changes;
    });
  }

  /**
   * Replaces the fallbacks of queued notifications by those of the current routes, and enqueues undelivered triggers there. The
   * changed queues are added to `held`. Returns the changes to store.
   */
  follow(destinations: Destinations, held: HeldQueue[], now: Instant): readonly StoreChange[] {
    this.#logged.clear();
    const replaced = [...this.#deliveries.values()].flatMap(({ queue: { receiver, queues } }) =>
      queues.saveEach((one) => this.#withCurrent(one, receiver, destinations), now),
    );
    const enqueued = [...this.#deliveries.values()].flatMap(({ queue }) => this.#enqueued(queue, now));
    return [...replaced, ...enqueued.flatMap(({ delivery, ...changed }) => hold(delivery, [changed], held))];
  }

  /** A receiver to which no route leads any more keeps its fallback, and so does a route whose fallback is not configured. */
  #withCurrent(queue: AlertQueue, receiver: string, destinations: Destinations): AlertQueue {
    const destination = destinations.get(queue.key)?.find((one) => one.receiver === receiver);
    if (destination === undefined) return queue;
    return updateIncidents(queue, (incident) => {
      const { fallback: before, ...rest } = incident;
      const isMissing = before !== undefined && !this.#deliveries.has(before);
      const fallback = destination.fallback ?? (isMissing ? before : undefined);
      if (incident.alert.status !== 'firing' || fallback === before) return incident;
      return fallback === undefined ? rest : { ...rest, fallback };
    });
  }

  #enqueued(queue: NotificationQueue, now: Instant) {
    return queue.undelivered(now).flatMap(({ fallback, trigger }) => {
      const delivery = this.#deliveries.get(fallback);
      if (delivery === undefined) {
        this.#logMissing(queue.receiver, fallback);
        return [];
      }
      const changes = delivery.queue.enqueueFallback(trigger, now);
      return changes.length === 0 ? [] : [{ delivery, key: trigger.alert.key, changes }];
    });
  }

  #logMissing(receiver: string, fallback: string): void {
    const name = `${receiver} ${fallback}`;
    if (this.#logged.has(name)) return;
    this.#logged.add(name);
    const advice = 'configure a fallback in the route of the alert';
    this.#log.warn('fallback receiver not configured', { receiver, fallback, advice });
  }
}
