import { deepEqual } from '../kernel/deep-equal.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Store, StoreChange } from '../kernel/store.ts';
import type { Random } from '../kernel/system.ts';
import type { Clock, Instant } from '../kernel/time.ts';
import type { Sample } from '../metric/metric.ts';
import type { AlertNotification } from '../model/alert.ts';
import type { ReceiverView } from '../model/situation.ts';
import type { Deliverer, DeliveryPlan } from './deliverer.ts';
import { DeliveryCounters } from './delivery-metrics.ts';
import type { DeliveryResult, Notifier } from './notifier.ts';
import type { AttemptOutcome } from './outbox/delivery-attempt.ts';
import { type DeliveryListener, DeliveryWorker } from './outbox/delivery-worker.ts';
import { NotificationQueue } from './outbox/notification-queue.ts';
import { receiverDeletion, restoreOutbox, type StoredOutbox } from './outbox/outbox-store.ts';
import type { DeliverySettings, ReceiverSettings } from './settings.ts';

/** Dependencies of the deliverer. */
export interface DelivererPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly log: Logger;
  readonly openNotifier: (receiver: ReceiverSettings, settings: DeliverySettings) => Notifier;
}

/** One receiver with its notification queue, delivery worker and counters. */
interface ReceiverDelivery {
  readonly queue: NotificationQueue;
  readonly worker: DeliveryWorker;
  readonly metrics: DeliveryCounters;
}

/** Creates the deliverer: it stores each notification that alerting emits and retries until the receiver accepts it. */
export function createDeliverer(settings: DeliverySettings, ports: DelivererPorts): Deliverer {
  return new Outbox(settings, ports);
}

/** A change of one receiver's notification queue. */
interface QueueOperation {
  readonly post: ReceiverDelivery;
  readonly take: (queue: NotificationQueue) => readonly StoreChange[];
}

class Outbox implements Deliverer {
  readonly #ports: DelivererPorts;
  readonly #deliveries = new Map<string, ReceiverDelivery>();
  #settings: DeliverySettings;
  #stored: StoredOutbox = new Map();
  #isStarted = false;

  constructor(settings: DeliverySettings, ports: DelivererPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  async restore(): Promise<void> {
    this.#stored = await restoreOutbox(this.#ports.store);
    await this.reconfigure(this.#settings);
  }

  start(): void {
    this.#isStarted = true;
    for (const { worker } of this.#deliveries.values()) worker.start();
  }

  async stop(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#deliveries.values()].map(({ worker }) => worker.stop(signal)));
  }

  plan(notices: readonly AlertNotification[], now: Instant): DeliveryPlan {
    const held: (readonly [ReceiverDelivery, key: string])[] = [];
    const changes = notices.flatMap((notice) => {
      const queue = notice.alert.key;
      return this.#operationsFor(notice, now).flatMap(({ post, take }) => {
        const made = take(post.queue);
        if (made.length > 0) {
          post.queue.hold(queue);
          held.push([post, queue]);
        }
        return made;
      });
    });
    return { changes, release: () => releaseAll(held.splice(0)) };
  }

  async reconfigure(settings: DeliverySettings): Promise<void> {
    const { receivers, externalUrl } = this.#settings;
    const before = new Map(receivers.map((receiver) => [receiver.name, receiver]));
    this.#settings = settings;
    const wanted = new Set(settings.receivers.map(({ name }) => name));
    for (const receiver of settings.receivers) {
      const known = this.#deliveries.get(receiver.name);
      if (known === undefined) this.#open(receiver);
      else if (externalUrl !== settings.externalUrl || !deepEqual(receiver, before.get(receiver.name)))
        known.worker.replaceNotifier(this.#ports.openNotifier(receiver, settings));
    }
    const gone = [...this.#deliveries.keys(), ...this.#stored.keys()].filter((name) => !wanted.has(name));
    for (const receiver of new Set(gone)) await this.#removeReceiver(receiver);
  }

  views(now: Instant): readonly ReceiverView[] {
    return [...this.#deliveries.values()].map(({ queue }) => queue.view(now));
  }

  *samples(now: Instant): Generator<Sample> {
    for (const { queue, metrics } of this.#deliveries.values()) yield* metrics.samples(queue.view(now));
  }

  #open(settings: ReceiverSettings): void {
    const { name } = settings;
    const notifier = this.#ports.openNotifier(settings, this.#settings);
    const kept = this.#stored.get(name);
    const queue = new NotificationQueue(name, notifier.traits, kept?.queues, kept?.standing);
    const metrics = new DeliveryCounters(name);
    const settled: DeliveryListener['settled'] = (endings, now) => {
      for (const ending of endings) metrics.record(ending, now.wall);
      return this.#fallBack(queue, endings, now);
    };
    const worker = new DeliveryWorker(queue, notifier, { settled }, this.#ports);
    this.#deliveries.set(name, { queue, worker, metrics });
    if (this.#isStarted) worker.start();
  }

  /** Returns the queue operations that a notification requires, one for each receiver. */
  #operationsFor(notice: AlertNotification, now: Instant): readonly QueueOperation[] {
    const { alert, due } = notice;
    if (notice.kind === 'resolve') {
      return [...this.#deliveries.values()].map((post) => ({
        post,
        take: (queue) => queue.enqueueResolve(alert, due, now),
      }));
    }
    if (notice.kind === 'acknowledge') {
      return [...this.#deliveries.values()].map((post) => ({
        post,
        take: (queue) => queue.enqueueAcknowledgement(alert, { change: notice.change, due }, now),
      }));
    }
    const { isReminder, isUpdate = false } = notice;
    return notice.to.flatMap((to) => {
      const trigger = { alert, again: isReminder, changed: isUpdate, to, due };
      const post = this.#deliveries.get(to.receiver);
      const isLost = to.fallback !== undefined && post?.queue.isFailing(now) !== false;
      const other = isLost ? this.#deliveries.get(to.fallback) : undefined;
      const instead = { ...trigger, to: { receiver: to.fallback ?? '', group: to.group, groupWait: 0 } };
      return [
        ...operationOn(post, (queue) => queue.enqueueTrigger(trigger, now)),
        ...operationOn(other, (queue) => queue.enqueueTrigger(instead, now)),
      ];
    });
  }

  /** Enqueues undelivered triggers once for the fallback receiver. */
  #fallBack(queue: NotificationQueue, endings: readonly AttemptOutcome[], now: Instant): readonly StoreChange[] {
    if (!queue.isFailing(now) && endings.every(({ result }) => !heldUpResults.has(result))) return [];
    return queue.undelivered(now).flatMap(({ fallback, trigger }) => {
      const post = this.#deliveries.get(fallback);
      if (post === undefined) return [];
      const changes = post.queue.enqueueFallback(trigger, now);
      if (changes.length > 0) post.worker.wake();
      return changes;
    });
  }

  async #removeReceiver(receiver: string): Promise<void> {
    const post = this.#deliveries.get(receiver);
    const queues = post?.queue.view(this.#ports.clock.now()).depth ?? this.#stored.get(receiver)?.queues.length ?? 0;
    this.#deliveries.delete(receiver);
    this.#stored.delete(receiver);
    await post?.worker.stop(AbortSignal.abort());
    await this.#ports.store.commit([receiverDeletion(receiver)]);
    if (queues > 0)
      this.#ports.log.warn('receiver removed, dropping pending notifications', { receiver, pending: queues });
  }
}

/** Results after which a notification waits long enough to be sent to the fallback receiver. */
const heldUpResults: ReadonlySet<string> = new Set<DeliveryResult>(['parked', 'broken']);

function operationOn(post: ReceiverDelivery | undefined, take: QueueOperation['take']): readonly QueueOperation[] {
  return post === undefined ? [] : [{ post, take }];
}

function releaseAll(held: readonly (readonly [ReceiverDelivery, key: string])[]): void {
  for (const [{ queue, worker }, key] of held) {
    queue.unhold(key);
    worker.wake();
  }
}
