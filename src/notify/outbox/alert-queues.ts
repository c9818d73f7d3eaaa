import type { StoreChange } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import type { IncidentDelivery, NotificationRecord } from '../../model/delivery.ts';
import {
  type AlertQueue,
  type AlertQueueStep,
  emptyAlertQueue,
  hasGivenUp,
  nextPending,
  withOverdueParked,
  withParkedRetried,
} from './alert-queue.ts';
import { finalDelivery, incidentDelivery, type LoggedAttempt, logChanges, logEntries } from './delivery-log.ts';
import { withPendingRecorded } from './delivery-progress.ts';
import { alertQueueChange, clusterOfQueue } from './outbox-store.ts';
import { isPage } from './queued-incident.ts';
import { type IncidentKey, incidentName, mergeQueues } from './reconcile-queue.ts';

/** Number of incidents that left the queues whose last state is kept for the API. */
const maxFinished = 1000;

/** Alert queues of one receiver by alert key. A queue whose changes are not stored yet is held: nothing of it is sent. */
export class AlertQueues {
  readonly #receiver: string;
  readonly #queues: Map<string, AlertQueue>;
  readonly #held = new Map<string, number>();
  /** Last states of incidents that left the queues, by name, the oldest first. Not stored. */
  readonly #finished = new Map<string, IncidentDelivery>();

  constructor(receiver: string, queues: readonly AlertQueue[]) {
    this.#receiver = receiver;
    this.#queues = new Map(queues.map((queue) => [queue.key, withPendingRecorded(queue)]));
  }

  get size(): number {
    return this.#queues.size;
  }

  /** Whether every incident is resolved at the receiver, or given up. */
  get isFinished(): boolean {
    return this.values().every(({ incidents }) => incidents.every(({ over, parked }) => over || parked !== undefined));
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
      if (head !== undefined && isPage(head.incident)) yield queue;
    }
  }

  /** Returns the last state of an incident that left the queues. */
  finished(incident: IncidentKey): IncidentDelivery | undefined {
    return this.#finished.get(incidentName(incident));
  }

  /** Replaces a queue, or removes an empty one, and returns the changes to store: the queue and the entries of the delivery log. */
  save({ queue, missed }: AlertQueueStep, now: Instant, attempt?: LoggedAttempt): readonly StoreChange[] {
    const before = this.#queues.get(queue.key) ?? emptyAlertQueue(queue.key);
    const next = this.#put(queue);
    const entries = logEntries({ receiver: this.#receiver, before, step: { queue: next, missed }, attempt, now });
    this.#keepFinished(before, next, entries);
    const cluster = clusterOfQueue(next.incidents.length > 0 ? next : before);
    return [alertQueueChange(this.#receiver, next, cluster), ...logChanges(entries)];
  }

  /** Replaces the queues that `change` changes, and returns the changes to store. */
  saveEach(change: (queue: AlertQueue) => AlertQueue, now: Instant): readonly StoreChange[] {
    return this.values().flatMap((queue) => {
      const next = change(queue);
      return next === queue ? [] : this.save({ queue: next, missed: [] }, now);
    });
  }

  /** Returns the changes that store all queues. */
  rows(): readonly StoreChange[] {
    return this.values().map((queue) => alertQueueChange(this.#receiver, queue, clusterOfQueue(queue)));
  }

  /** Names of all incidents. */
  names(): readonly string[] {
    return this.values().flatMap(({ incidents }) => incidents.map(({ alert }) => incidentName(alert)));
  }

  /** Adds incidents of stored queues, except the known ones. */
  adopt(stored: readonly AlertQueue[], known: ReadonlySet<string>): void {
    for (const { key, incidents } of stored) {
      const added = incidents.filter(({ alert }) => !known.has(incidentName(alert)));
      if (added.length === 0) continue;
      this.#put(mergeQueues(this.#queues.get(key) ?? emptyAlertQueue(key), { key, incidents: added }));
    }
  }

  /** Removes the queues of clusters that have another owner. */
  forget(clusters: ReadonlySet<string>): void {
    for (const queue of this.values()) if (clusters.has(clusterOfQueue(queue))) this.#queues.delete(queue.key);
  }

  /** Parks the notifications that were due before wall time `before`. */
  parkOverdue(before: number, now: Instant): readonly StoreChange[] {
    const parkQueue = (queue: AlertQueue): AlertQueue => {
      const head = nextPending(queue);
      return head === undefined || head.incident.due > before ? queue : withOverdueParked(queue, before, now);
    };
    return this.saveEach(parkQueue, now);
  }

  /** Retries the notifications that were parked because the receiver failed for too long. */
  retryParked(now: Instant): readonly StoreChange[] {
    return this.values().flatMap((queue) => {
      const changes = this.save({ queue: withParkedRetried(queue, now), missed: [] }, now);
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

  #put(queue: AlertQueue): AlertQueue {
    const next = withPendingRecorded(queue);
    if (queue.incidents.length === 0) this.#queues.delete(queue.key);
    else this.#queues.set(queue.key, next);
    return next;
  }

  #keepFinished(before: AlertQueue, { incidents }: AlertQueue, entries: readonly NotificationRecord[]): void {
    for (const known of before.incidents) {
      const { episode } = known.alert;
      if (incidents.some(({ alert }) => alert.episode === episode)) continue;
      const entry = entries.findLast((one) => one.episode === episode);
      const last = entry === undefined ? incidentDelivery(this.#receiver, known) : finalDelivery(entry);
      this.#finished.set(incidentName(known.alert), last);
    }
    for (const name of this.#finished.keys()) {
      if (this.#finished.size <= maxFinished) return;
      this.#finished.delete(name);
    }
  }
}
