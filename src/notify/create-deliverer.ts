import { checkedReads } from '../kernel/checked-reads.ts';
import { deepEqual } from '../kernel/deep-equal.ts';
import type { Logger } from '../kernel/logger.ts';
import { type Ownership, soleOwnership } from '../kernel/ownership.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Store, StoreChange } from '../kernel/store.ts';
import type { Random } from '../kernel/system.ts';
import type { Clock, Instant } from '../kernel/time.ts';
import type { Sample } from '../metric/metric.ts';
import type { Alert, AlertNotification } from '../model/alert.ts';
import type { IncidentDelivery, NotificationRecord } from '../model/delivery.ts';
import type { ReceiverView } from '../model/situation.ts';
import type { Deliverer, DeliveryPlan } from './deliverer.ts';
import { DeliveryCounters } from './delivery-metrics.ts';
import { type Destinations, Fallbacks } from './fallbacks.ts';
import type { Notifier } from './notifier.ts';
import { applyToOpenIncident } from './open-incident-change.ts';
import { type DeliveryListener, DeliveryWorker } from './outbox/delivery-worker.ts';
import { NotificationQueue } from './outbox/notification-queue.ts';
import {
  clusterOfQueue,
  mergeReceivers,
  receiverDeletion,
  receiverRows,
  restoreOutbox,
  type StoredOutbox,
  type StoredReceiver,
} from './outbox/outbox-store.ts';
import { deliveryOf, unattempted } from './outbox/receiver-status.ts';
import type { FiringAlerts } from './outbox/reconcile-queue.ts';
import { type HeldQueue, hold, type ReceiverDelivery, releaseAll } from './receiver-delivery.ts';
import { RemovedReceivers } from './removed-receivers.ts';
import type { DeliverySettings, ReceiverSettings } from './settings.ts';

/** Dependencies of the deliverer. */
export interface DelivererPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly log: Logger;
  readonly openNotifier: (receiver: ReceiverSettings, settings: DeliverySettings) => Notifier;
  /** Absent: this process owns all clusters. */
  readonly ownership?: Ownership;
}

/** Creates the deliverer: it stores each notification that alerting emits and retries until the receiver accepts it. */
export function createDeliverer(settings: DeliverySettings, ports: DelivererPorts): Deliverer {
  return new Outbox(settings, ports);
}

/** A change of one receiver's notification queue. */
interface QueueOperation {
  readonly delivery: ReceiverDelivery;
  readonly apply: (queue: NotificationQueue) => readonly StoreChange[];
}

class Outbox implements Deliverer {
  readonly #ports: DelivererPorts;
  readonly #deliveries = new Map<string, ReceiverDelivery>();
  #settings: DeliverySettings;
  readonly #removed: RemovedReceivers;
  readonly #fallbacks: Fallbacks;
  /** Rows of receivers that are not configured, and whose settings are unknown. */
  #stored: StoredOutbox = new Map();
  #isStarted = false;
  /** Deletions of merged rows; undefined if the rows in the store are those in memory. */
  #merged: readonly StoreChange[] | undefined;

  constructor(settings: DeliverySettings, ports: DelivererPorts) {
    this.#settings = settings;
    this.#ports = ports;
    this.#removed = new RemovedReceivers(ports);
    this.#fallbacks = new Fallbacks(this.#deliveries, ports.log);
  }

  async restore(): Promise<void> {
    await this.merge();
    await this.reconfigure(this.#settings);
  }

  async merge(): Promise<void> {
    const known = new Map([...this.#all()].map(({ queue }) => [queue.receiver, queue.incidentNames()]));
    const { store, ownership = soleOwnership } = this.#ports;
    const { receivers, deletions } = await restoreOutbox(store, (cluster) => ownership.owns(cluster));
    if (deletions.length > 0 || known.size > 0) this.#merged = [...(this.#merged ?? []), ...deletions];
    this.#adopt(receivers, known);
  }

  async adopt(clusters: ReadonlySet<string>): Promise<Result<void, string>> {
    const { reads, problem } = checkedReads(this.#ports.store);
    const { receivers } = await restoreOutbox(reads, (cluster) => clusters.has(cluster));
    const error = problem();
    if (error !== undefined) return err(error);
    this.#adopt(receivers, new Map());
    for (const { worker } of this.#all()) worker.wake();
    return ok(undefined);
  }

  async settle(clusters: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#all()].map(({ worker }) => worker.settle(clusters, signal)));
  }

  forget(clusters: ReadonlySet<string>): void {
    for (const { queue } of this.#all()) queue.forget(clusters);
    const others = [...this.#stored].map(([name, { queues, ...rest }]): [string, StoredReceiver] => {
      return [name, { ...rest, queues: queues.filter((queue) => !clusters.has(clusterOfQueue(queue))) }];
    });
    this.#stored = new Map(others.filter(([, { queues }]) => queues.length > 0));
  }

  #adopt(receivers: StoredOutbox, known: ReadonlyMap<string, ReadonlySet<string>>): void {
    for (const [name, stored] of receivers) {
      const delivery = this.#deliveries.get(name) ?? this.#removed.get(name);
      if (delivery !== undefined) delivery.queue.adopt(stored, known.get(name) ?? new Set());
      else this.#stored.set(name, mergeReceivers(stored, this.#stored.get(name) ?? { queues: [] }));
    }
    if (this.#isStarted) this.#removed.keepUnconfigured(this.#stored);
  }

  reconcile(firing: FiringAlerts, now: Instant, destinations: Destinations = new Map()): DeliveryPlan {
    const held: HeldQueue[] = [];
    const ended = [...this.#deliveries.values()].flatMap((delivery) =>
      hold(delivery, delivery.queue.reconcile(firing, now), held),
    );
    const removed = [...this.#removed.values()].flatMap((delivery) => hold(delivery, delivery.queue.retire(now), held));
    const fallbacks = this.#fallbacks.follow(destinations, held, now);
    const merged = this.#merged === undefined ? [] : [...this.#rows(), ...this.#merged];
    this.#merged = undefined;
    return { changes: [...ended, ...removed, ...fallbacks, ...merged], release: () => releaseAll(held.splice(0)) };
  }

  start(): void {
    this.#isStarted = true;
    for (const { worker } of this.#deliveries.values()) worker.start();
  }

  async stop(signal: AbortSignal): Promise<void> {
    this.#removed.stop();
    await Promise.all([...this.#all()].map(({ worker }) => worker.stop(signal)));
  }

  plan(notifications: readonly AlertNotification[], now: Instant): DeliveryPlan {
    const held: HeldQueue[] = [];
    const changes = notifications.flatMap((notification) => {
      const { key } = notification.alert;
      return this.#operationsFor(notification, now).flatMap(({ delivery, apply }) =>
        hold(delivery, [{ key, changes: apply(delivery.queue) }], held),
      );
    });
    return { changes, release: () => releaseAll(held.splice(0)) };
  }

  async reconfigure(settings: DeliverySettings): Promise<void> {
    const { receivers, externalUrl } = this.#settings;
    const before = new Map(receivers.map((receiver) => [receiver.name, receiver]));
    this.#settings = settings;
    const wanted = new Set(settings.receivers.map(({ name }) => name));
    for (const [name, delivery] of this.#deliveries)
      if (!wanted.has(name)) await this.#remove(delivery, before.get(name));
    for (const receiver of settings.receivers) {
      const [known, old] = [this.#deliveries.get(receiver.name), before.get(receiver.name)];
      if (known === undefined) this.#add(receiver);
      else if (externalUrl !== settings.externalUrl || !deepEqual(receiver, old)) {
        known.worker.replaceNotifier(this.#ports.openNotifier(receiver, settings));
      }
    }
    this.#removed.keepUnconfigured(this.#stored);
  }

  deliveries(incident: Pick<Alert, 'key' | 'episode'>, now: Instant): readonly IncidentDelivery[] {
    return [...this.#all()].flatMap(({ queue }) => deliveryOf(queue, incident, now) ?? []);
  }

  unattempted(now: Instant): readonly NotificationRecord[] {
    return [...this.#all()].flatMap(({ queue }) => unattempted(queue, now));
  }

  views(now: Instant): readonly ReceiverView[] {
    return [...this.#deliveries.values()].map(({ queue }) => queue.view(now));
  }

  *samples(now: Instant): Generator<Sample> {
    for (const { queue, metrics } of this.#deliveries.values()) yield* metrics.samples(queue.view(now));
  }

  /** Yields the deliveries to configured and removed receivers. */
  *#all(): Generator<ReceiverDelivery> {
    yield* this.#deliveries.values();
    yield* this.#removed.values();
  }

  /** Yields the changes that store the rows of all receivers. */
  *#rows(): Generator<StoreChange> {
    for (const { queue } of this.#all()) yield* queue.rows();
    for (const [name, stored] of this.#stored) yield* receiverRows(name, stored);
  }

  /** Opens a new receiver, or continues with one that was removed and still has notifications. */
  #add(settings: ReceiverSettings): void {
    const removed = this.#removed.take(settings.name);
    if (removed === undefined) {
      this.#open(settings);
      return;
    }
    this.#deliveries.set(settings.name, removed);
    removed.worker.replaceNotifier(this.#ports.openNotifier(settings, this.#settings));
  }

  #open(settings: ReceiverSettings): void {
    const { name } = settings;
    const notifier = this.#ports.openNotifier(settings, this.#settings);
    const { isShared = false } = this.#ports.ownership ?? {};
    const queue = new NotificationQueue(name, notifier.traits, this.#stored.get(name), isShared);
    this.#stored.delete(name);
    const metrics = new DeliveryCounters(name);
    const settled: DeliveryListener['settled'] = (outcomes, now) => {
      for (const outcome of outcomes) metrics.record(outcome, now.wall);
      return this.#fallbacks.afterAttempt(queue, outcomes, now);
    };
    const worker = new DeliveryWorker(queue, notifier, { settled }, this.#ports);
    this.#deliveries.set(name, { queue, worker, metrics });
    if (this.#isStarted) worker.start();
  }

  /** Returns the queue operations that a notification requires, one for each receiver. */
  #operationsFor(notification: AlertNotification, now: Instant): readonly QueueOperation[] {
    if (notification.kind !== 'trigger') {
      const apply: QueueOperation['apply'] = (queue) => applyToOpenIncident(queue, notification, now);
      return [...this.#deliveries.values()].map((delivery) => ({ delivery, apply }));
    }
    const { alert, due, isReminder, isUpdate = false } = notification;
    return notification.to.flatMap((to) => {
      const trigger = { alert, again: isReminder, changed: isUpdate, to, due };
      const delivery = this.#deliveries.get(to.receiver);
      const needsFallback = to.fallback !== undefined && delivery?.queue.isFailing(now) !== false;
      const other = needsFallback ? this.#deliveries.get(to.fallback) : undefined;
      const instead = { ...trigger, to: { receiver: to.fallback ?? '', group: to.group, groupWait: 0 } };
      return [
        ...operationOn(delivery, (queue) => queue.enqueueTrigger(trigger, now)),
        ...operationOn(other, (queue) => queue.enqueueTrigger(instead, now)),
      ];
    });
  }

  /** Hands the notifications of a removed receiver to the one that has its endpoint now; without one, ends its incidents. */
  async #remove(delivery: ReceiverDelivery, settings: ReceiverSettings | undefined): Promise<void> {
    const { receiver } = delivery.queue;
    const renamed = this.#settings.receivers.find(
      ({ name, ...endpoint }) => !this.#deliveries.has(name) && deepEqual({ ...endpoint, name: receiver }, settings),
    );
    if (renamed !== undefined) return await this.#rename(delivery, renamed);
    this.#deliveries.delete(receiver);
    await this.#removed.add(delivery);
  }

  async #rename(delivery: ReceiverDelivery, settings: ReceiverSettings): Promise<void> {
    await delivery.worker.finish();
    const { receiver } = delivery.queue;
    this.#deliveries.delete(receiver);
    // A receiver of this name may have left the configuration at the start: its incidents are ended as well.
    const stored = this.#stored.get(settings.name) ?? { queues: [] };
    this.#stored.set(settings.name, mergeReceivers(delivery.queue.content(), stored));
    this.#open(settings);
    const rows = this.#deliveries.get(settings.name)?.queue.rows() ?? [];
    const { store, ownership } = this.#ports;
    const clusters = delivery.queue.queues.values().map(clusterOfQueue);
    const deletion = receiverDeletion(receiver, ownership?.isShared === true ? new Set(clusters) : undefined);
    await store.commit([...deletion, ...rows]);
    this.#ports.log.info('receiver renamed', { receiver, name: settings.name });
  }
}

function operationOn(
  delivery: ReceiverDelivery | undefined,
  apply: QueueOperation['apply'],
): readonly QueueOperation[] {
  return delivery === undefined ? [] : [{ delivery, apply }];
}
