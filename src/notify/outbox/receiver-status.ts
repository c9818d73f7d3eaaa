import type { Instant } from '../../kernel/time.ts';
import type { IncidentDelivery, NotificationRecord } from '../../model/delivery.ts';
import type { ReceiverView } from '../../model/situation.ts';
import { type AlertQueue, emptyAlertQueue, incidentOf, nextPending, type Trigger } from './alert-queue.ts';
import type { AlertQueues } from './alert-queues.ts';
import { entryAbout, incidentDelivery, isHeartbeat } from './delivery-log.ts';
import { asFiring, isPage, type QueuedIncident } from './queued-incident.ts';
import { failingSince, type ReceiverHealth } from './receiver-health.ts';
import type { IncidentKey } from './reconcile-queue.ts';

/** Status of a receiver, apart from its queues. */
export interface ReceiverStatus {
  readonly receiver: string;
  readonly health: ReceiverHealth;
  /** Number of incidents that the next digest reports. */
  readonly missed: number;
  /** Monotonic time at which the rate limit allows the next request. */
  readonly allowedAt: number;
}

/** Returns a function that gives the wall time of the earliest next attempt for an incident. */
export function nextAttemptAt(
  { health, allowedAt }: ReceiverStatus,
  now: Instant,
): (incident: QueuedIncident) => number {
  return (incident) => {
    const pausedUntil = isPage(incident) ? health.pagesPausedUntil : health.pausedUntil;
    return now.wall + Math.max(0, Math.max(incident.retry.from, pausedUntil, allowedAt) - now.mono);
  };
}

/** Queues of a receiver, and its status. */
interface QueuesWithStatus {
  readonly queues: AlertQueues;
  status(): ReceiverStatus;
}

/**
 * Returns the latest notification of an incident to a receiver; undefined if the receiver is not notified of it. Without
 * an attempt, the reason is that of the receiver.
 */
export function deliveryOf(queue: QueuesWithStatus, key: IncidentKey, now: Instant): IncidentDelivery | undefined {
  const incident = incidentOf(queue.queues.get(key.key) ?? emptyAlertQueue(key.key), key);
  if (incident === undefined) return queue.queues.finished(key);
  const status = queue.status();
  const { receiver, health } = status;
  const delivery = incidentDelivery(receiver, incident);
  if (delivery.state !== 'pending') return delivery;
  const failure = delivery.attempts === 0 ? health.failure : undefined;
  return { ...delivery, ...failure, nextAttemptAt: nextAttemptAt(status, now)(incident) };
}

/** Returns the notifications that were not attempted yet. */
export function unattempted(queue: QueuesWithStatus, now: Instant): readonly NotificationRecord[] {
  const status = queue.status();
  const { receiver, health } = status;
  const incidents = queue.queues.values().flatMap((one) => one.incidents);
  return incidents.flatMap((incident): readonly NotificationRecord[] => {
    const pending = incident.progress?.pending;
    if (pending === undefined || pending.attempts > 0 || incident.parked !== undefined) return [];
    if (isHeartbeat(incident)) return [];
    const entry = entryAbout(receiver, incident, pending);
    return [{ ...entry, ...health.failure, nextAttemptAt: nextAttemptAt(status, now)(incident) }];
  });
}

/** Returns the status of a receiver. */
export function receiverView(
  { receiver, health, missed }: ReceiverStatus,
  queues: readonly AlertQueue[],
  now: Instant,
): ReceiverView {
  const dues = queues.flatMap((queue) => nextPending(queue)?.incident.due ?? []);
  const incidents = queues.flatMap((queue) => queue.incidents);
  const parked = incidents.flatMap((incident) => incident.parked?.at ?? []);
  const rejected = incidents.filter(isRejected);
  const rejectedSince = rejected.flatMap(({ retry }) => retry.rejectedSince ?? []);
  const outageSince = failingSince(health, now.wall);
  const since = outageSince ?? earliest([...parked, ...rejectedSince, health.rejectedRecipient?.since]);
  const reason = outageSince === undefined ? firstReason(rejected) : (health.failure?.reason ?? firstReason(incidents));
  const oldestDue = earliest(dues);
  return {
    receiver,
    failing: since !== undefined,
    result: health.result,
    ...(health.rejectedRecipient === undefined ? {} : { rejectedRecipient: health.rejectedRecipient.reason }),
    ...(since === undefined ? {} : { failingSince: since }),
    ...(since !== undefined && outageSince === undefined && { rejected: rejected.length }),
    ...(since !== undefined && reason !== undefined && { reason }),
    ...(oldestDue === undefined ? {} : { oldestDue }),
    depth: dues.length + (missed > 0 ? 1 : 0),
    parked: parked.length,
  };
}

/** Whether the receiver rejected the latest notification of an incident. */
function isRejected({ parked, retry, suppressed }: QueuedIncident): boolean {
  return parked !== undefined || (suppressed !== true && retry.rejectedSince !== undefined);
}

/** Returns why the receiver did not accept a notification of one of these incidents. */
function firstReason(incidents: readonly QueuedIncident[]): string | undefined {
  return incidents.flatMap(({ progress }) => progress?.pending?.failure?.reason ?? [])[0];
}

/** Returns the number of firing incidents with a pending notification. */
export function openIncidentCount(queues: Iterable<AlertQueue>): number {
  return [...queues].filter((queue) => nextPending(queue)?.incident.alert.status === 'firing').length;
}

/** A trigger for the fallback receiver, because this receiver does not accept it. */
export interface Undelivered {
  readonly fallback: string;
  readonly trigger: Trigger;
}

/** Returns the triggers for fallback receivers: all pending ones if the receiver is failing, otherwise the parked and rejected ones. */
export function undeliveredTriggers(
  health: ReceiverHealth,
  queues: readonly AlertQueue[],
  now: Instant,
): readonly Undelivered[] {
  const isFailing = failingSince(health, now.wall) !== undefined;
  return queues.flatMap(({ incidents }) =>
    incidents.flatMap(({ alert, deliveryState, suppressed, parked, fallback, group, due, retry }) => {
      const isMissing = alert.status === 'firing' && deliveryState !== 'yes' && suppressed !== true;
      const isHeldUp = isFailing || parked !== undefined || retry.rejectedSince !== undefined;
      if (!isMissing || fallback === undefined || !isHeldUp) return [];
      const to = { receiver: fallback, group, groupWait: 0 };
      return [{ fallback, trigger: { alert: asFiring(alert), again: false, to, due } }];
    }),
  );
}

/** Returns the earliest of some times; undefined without any. */
export function earliest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce((first, at) => (first === undefined || (at !== undefined && at < first) ? at : first), undefined);
}
