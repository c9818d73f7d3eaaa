import type { StoreChange } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Alert } from '../../model/alert.ts';
import { type AlertQueue, type AlertQueueStep, updateIncidents, withResolve } from './alert-queue.ts';
import { initialRetryState, type QueuedIncident } from './queued-incident.ts';

/** Alerts that fire now, by key. */
export type FiringAlerts = ReadonlyMap<string, Alert>;

/** Changes to store for the queue of one alert. */
export interface AlertKeyChanges {
  readonly key: string;
  readonly changes: readonly StoreChange[];
}

/** Key of an alert, and the number of one of its incidents. */
export type IncidentKey = Pick<Alert, 'key' | 'episode'>;

/** Identifies an incident in the queues of one receiver. */
export function incidentName({ key, episode }: IncidentKey): string {
  return `${key} ${episode}`;
}

/** Returns the union of two queues of an alert, in the order of the incidents; `queue` has the newer state of an incident that is in both. */
export function mergeQueues(queue: AlertQueue, other: AlertQueue): AlertQueue {
  const known = new Set(queue.incidents.map(({ alert }) => alert.episode));
  const added = other.incidents.filter(({ alert }) => !known.has(alert.episode));
  if (added.length === 0) return queue;
  const incidents = [...queue.incidents, ...added].toSorted((one, two) => one.alert.episode - two.alert.episode);
  return { ...queue, incidents };
}

/**
 * Compares a queue with the alerts that fire: an incident whose alert does not fire is resolved, and one that counts as
 * resolved although its alert fires is open again. For a level-triggered receiver, all incidents of an alert are one: the
 * others are dropped instead, because their end would resolve the one that fires.
 */
export function reconcileQueue(
  queue: AlertQueue,
  firing: FiringAlerts,
  isLevelTriggered: boolean,
  now: Instant,
): AlertQueueStep {
  const alert = firing.get(queue.key);
  const kept = isLevelTriggered ? withoutOthers(queue, alert) : queue;
  const reopened = alert === undefined ? kept : withReopened(kept, alert, now);
  return reopened.incidents.reduce<AlertQueueStep>(
    (step, incident) => {
      if (incident.alert.status !== 'firing' || incident.alert.episode === alert?.episode) return step;
      const next = withResolve(step.queue, asResolved(incident.alert, now), now.wall, now);
      return { queue: next.queue, missed: [...step.missed, ...next.missed] };
    },
    { queue: reopened, missed: [] },
  );
}

function asResolved(alert: Alert, { wall }: Instant): Alert {
  return { ...alert, status: 'resolved', endsAt: Math.max(alert.startsAt, wall) };
}

/**
 * Keeps the incident that fires. The receiver may know the alert from another incident, so its end must be sent in any
 * case.
 */
function withoutOthers(queue: AlertQueue, alert: Alert | undefined): AlertQueue {
  const current = queue.incidents.find((incident) => incident.alert.episode === alert?.episode);
  if (current === undefined || queue.incidents.length === 1) return queue;
  const mayBeOpen = queue.incidents.some(({ deliveryState, over }) => deliveryState !== 'no' && !over);
  const deliveryState = mayBeOpen && current.deliveryState === 'no' ? 'maybe' : current.deliveryState;
  return { ...queue, incidents: [{ ...current, deliveryState }] };
}

function withReopened(queue: AlertQueue, alert: Alert, now: Instant): AlertQueue {
  const isEnded = (incident: QueuedIncident): boolean =>
    incident.alert.episode === alert.episode && incident.alert.status === 'resolved';
  if (!queue.incidents.some(isEnded)) return queue;
  return { ...queue, incidents: queue.incidents.map((known) => (isEnded(known) ? reopen(known, alert, now) : known)) };
}

/** The receiver may have got the end: the trigger is sent again. */
function reopen(ended: QueuedIncident, alert: Alert, now: Instant): QueuedIncident {
  const { endDue: _endDue, ...known } = ended;
  const deliveryState = known.deliveryState === 'no' ? 'no' : 'maybe';
  return { ...known, alert, deliveryState, over: false, ...openedAgain(now) };
}

function openedAgain({ wall, mono }: Instant) {
  return { due: wall, openedAt: wall, parked: undefined, deferred: undefined, retry: initialRetryState(mono) };
}

/**
 * Repeats the triggers of the incidents that fire and of which another recipient was notified. Their next notifications must
 * not refer to a message that the former one got. If it is unknown who was notified, nothing is repeated.
 */
export function withRecipient(queue: AlertQueue, recipient: string, now: Instant): AlertQueue {
  return updateIncidents(queue, (incident) => {
    const isOpen = incident.alert.status === 'firing' && incident.deliveryState !== 'no';
    if (!isOpen || incident.recipient === recipient) return incident;
    const { reference: _, ...known } = incident;
    if (known.recipient === undefined) return { ...incident, recipient };
    return { ...known, recipient, deliveryState: 'maybe', ...openedAgain(now) };
  });
}
