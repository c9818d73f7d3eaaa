import type { Instant } from '../../kernel/time.ts';
import type { Alert } from '../../model/alert.ts';
import type { AlertOutcome } from './alert-outcome.ts';
import { afterResponse, withoutDeferred } from './deferred-notification.ts';
import {
  type AttemptStart,
  acknowledgeIncident,
  isMissed,
  markSent,
  type NotificationAction,
  newQueuedIncident,
  type PendingAcknowledgement,
  park,
  pendingAction,
  type QueueDestination,
  type QueuedIncident,
  resolveIncident,
  revisionOf,
  unpark,
} from './queued-incident.ts';

/**
 * Queue of one receiver's notifications for one alert key: first the unfinished incidents that the receiver may know
 * of, then the newest incident that it does not know of. The queue sends one incident after the other.
 */
export interface AlertQueue {
  readonly key: string;
  readonly incidents: readonly QueuedIncident[];
}

/** Result of a change: the new queue, and the missed incidents, which only a digest reports. */
export interface AlertQueueStep {
  readonly queue: AlertQueue;
  readonly missed: readonly QueuedIncident[];
}

/** An attempt to send the head of a queue. */
export interface DeliveryAttempt extends AttemptStart {
  readonly episode: number;
}

/** Returns a queue without incidents. */
export function emptyAlertQueue(key: string): AlertQueue {
  return { key, incidents: [] };
}

/** Returns the first incident with a pending action; undefined if the queue has none. */
export function nextPending(
  queue: AlertQueue,
): { readonly incident: QueuedIncident; readonly action: NotificationAction } | undefined {
  for (const incident of queue.incidents) {
    const action = pendingAction(incident);
    if (action !== undefined) return { incident, action };
  }
  return undefined;
}

/** Adds the trigger of a new incident, or a reminder or an update of a known one. */
export function withTrigger(queue: AlertQueue, trigger: Trigger, now: Instant): AlertQueueStep {
  const { alert, again } = trigger;
  const known = queue.incidents.find((incident) => incident.alert.episode === alert.episode);
  if (known === undefined) return withNewIncident(queue, trigger, now);
  if (known.alert.status === 'resolved') return { queue, missed: [] };
  const isKnown = known.deliveryState === 'yes';
  // After a receiver is renamed, the trigger for its new name is an update of what the receiver knows.
  const isNewer = isKnown && !again && revisionOf(alert) > revisionOf(known.alert);
  const isChange = trigger.changed === true || isNewer;
  // An update is no reason to notify a receiver to which the routes no longer lead.
  if (known.suppressed === true && isChange && !isKnown) return { queue, missed: [] };
  const scheduled = rescheduled(isKnown && (again || isChange) ? withoutDeferred(known) : known, trigger, now);
  const reported: QueuedIncident = {
    ...scheduled,
    alert,
    due: isKnown && (again || isChange) ? trigger.due : scheduled.due,
    again: known.again || (isKnown && again),
    group: isKnown && again ? trigger.to.group : scheduled.group,
    changed: isKnown && isChange ? true : known.changed,
  };
  // A parked notification is retried at each repeat interval and after each change.
  const isRetried = (again || isChange) && known.parked !== undefined;
  return { queue: replaceIncident(queue, isRetried ? unpark(reported, now) : reported), missed: [] };
}

/** Adds an incident that another receiver does not accept. If the incident is already in the queue, only its group wait can become shorter. */
export function withFallbackTrigger(queue: AlertQueue, trigger: Trigger, now: Instant): AlertQueueStep {
  const { episode } = trigger.alert;
  if (queue.incidents.every(({ alert }) => alert.episode !== episode)) return withNewIncident(queue, trigger, now);
  return { queue: updateIncident(queue, episode, (known) => rescheduled(known, trigger, now)), missed: [] };
}

/** Applies a trigger of a known incident to the time of its next attempt. A trigger ends the suppression. */
function rescheduled(known: QueuedIncident, trigger: Trigger, now: Instant): QueuedIncident {
  const { suppressed, ...incident } = known;
  if (suppressed === undefined) return withEarlierSend(known, trigger, now);
  const { alert, to, due } = trigger;
  if (known.deliveryState !== 'no') return { ...unpark(incident, now), due };
  return { ...newQueuedIncident(alert, to, due, now), acknowledgement: known.acknowledgement };
}

/** If two routes lead to the same receiver, applies the shorter group wait until the first attempt. */
function withEarlierSend(known: QueuedIncident, { to }: Trigger, now: Instant): QueuedIncident {
  const { deliveryState, retry } = known;
  const from = now.mono + to.groupWait;
  return deliveryState === 'no' && retry.failures === 0 && from < retry.from
    ? { ...known, retry: { ...retry, from } }
    : known;
}

/** A trigger for one receiver. */
export interface Trigger {
  readonly alert: Alert;
  readonly again: boolean;
  readonly changed?: boolean;
  readonly to: QueueDestination;
  readonly due: number;
}

/** Adds a change of the acknowledgement of an open incident; undefined if the receiver is not notified of it. */
export function withAcknowledgement(
  queue: AlertQueue,
  alert: Alert,
  change: PendingAcknowledgement | undefined,
): AlertQueueStep {
  const known = queue.incidents.find((incident) => incident.alert.episode === alert.episode);
  if (known === undefined || known.alert.status === 'resolved') return { queue, missed: [] };
  const incident = change === undefined ? known : withoutDeferred(known);
  return { queue: replaceIncident(queue, acknowledgeIncident(incident, alert, change)), missed: [] };
}

/**
 * Withholds the trigger, the reminder and the update of an open incident until its next trigger. Meanwhile, a
 * level-triggered receiver gets the present alert.
 */
export function withSuppression(queue: AlertQueue, alert: Alert): AlertQueueStep {
  const suppress = (known: QueuedIncident): QueuedIncident =>
    known.alert.status === 'resolved' || known.suppressed === true
      ? known
      : { ...withoutUpdate(known, alert), suppressed: true };
  return { queue: updateIncident(queue, alert.episode, suppress), missed: [] };
}

/** Replaces the alert of an open incident, and sends nothing: the next notification contains it. */
export function withCurrentAlert(queue: AlertQueue, alert: Alert): AlertQueueStep {
  const replace = (known: QueuedIncident): QueuedIncident =>
    known.alert.status === 'resolved' ? known : withoutUpdate(known, alert);
  return { queue: updateIncident(queue, alert.episode, replace), missed: [] };
}

/** Returns an incident with the present alert. Its revision stays the one that the receiver was notified of. */
function withoutUpdate(known: QueuedIncident, current: Alert): QueuedIncident {
  const { revision: _, ...alert } = current;
  const { revision } = known.alert;
  return { ...known, alert: { ...alert, ...(revision !== undefined && { revision }) } };
}

/** Resolves an incident. A receiver that did not get its trigger does not get its end either. */
export function withResolve(queue: AlertQueue, alert: Alert, due: number, now: Instant): AlertQueueStep {
  const known = queue.incidents.find((incident) => incident.alert.episode === alert.episode);
  if (known === undefined || known.alert.status === 'resolved') return { queue, missed: [] };
  return withoutMissed(replaceIncident(queue, resolveIncident(known, alert, due, now)));
}

/** Returns the queue with the attempted incident marked as sent. */
export function withAttemptStarted(queue: AlertQueue, { episode }: DeliveryAttempt, recipient?: string): AlertQueue {
  return updateIncident(queue, episode, (known) => markSent(known, recipient));
}

/** Returns the queue after an attempt. A level-triggered receiver keeps a finished incident, because its end is refreshed for a while. */
export function withAttemptOutcome(
  queue: AlertQueue,
  attempt: DeliveryAttempt,
  { outcome, isLevelTriggered }: { readonly outcome: AlertOutcome; readonly isLevelTriggered: boolean },
  now: Instant,
): AlertQueueStep {
  const after = updateIncident(queue, attempt.episode, (known) => afterResponse(known, attempt, outcome, now));
  return withoutMissed(after, ({ over }) => !over || isLevelTriggered);
}

/** Parks the notifications that were due before wall time `before`, because the receiver accepts no request. */
export function withOverdueParked(queue: AlertQueue, before: number, now: Instant): AlertQueue {
  const incidents = queue.incidents.map((incident) => {
    const action = pendingAction(incident);
    return action === undefined || incident.due > before ? incident : park(incident, action, 'outage', now);
  });
  return { ...queue, incidents };
}

/** Whether a notification is parked because the receiver failed for too long. */
export function hasGivenUp({ incidents }: AlertQueue): boolean {
  return incidents.some(({ parked }) => parked?.why === 'outage');
}

/** Returns the incident of an attempt; undefined if it is no longer in the queue. */
export function incidentOf(
  { incidents }: AlertQueue,
  { episode }: Pick<DeliveryAttempt, 'episode'>,
): QueuedIncident | undefined {
  return incidents.find(({ alert }) => alert.episode === episode);
}

/** Retries the notifications that were parked because the receiver failed for too long. */
export function withParkedRetried(queue: AlertQueue, now: Instant): AlertQueue {
  const incidents = queue.incidents.map((incident) =>
    incident.parked?.why === 'outage' ? unpark(incident, now) : { ...incident, retry: retryImmediately(incident, now) },
  );
  return { ...queue, incidents };
}

/** Retries failed notifications at once. */
export function withImmediateRetry(queue: AlertQueue, now: Instant): AlertQueue {
  return {
    ...queue,
    incidents: queue.incidents.map((incident) => ({ ...incident, retry: retryImmediately(incident, now) })),
  };
}

/** Drops the incidents that need no further attempt at wall time `now`: those refreshed for long enough after their end, and those parked for a day. */
export function withoutExpired(queue: AlertQueue, now: number): AlertQueue {
  const incidents = queue.incidents.filter((incident) => !isExpired(incident, now));
  return incidents.length === queue.incidents.length ? queue : { ...queue, incidents };
}

const resolvedRefreshPeriod = 900_000;
const parkedRetention = 86_400_000;

function isExpired({ over, parked, alert, endDue }: QueuedIncident, now: number): boolean {
  if (over) return now >= Math.max(alert.endsAt ?? 0, endDue ?? 0) + resolvedRefreshPeriod;
  return alert.status === 'resolved' && parked !== undefined && now >= parked.at + parkedRetention;
}

function retryImmediately({ retry }: QueuedIncident, now: Instant): QueuedIncident['retry'] {
  return retry.failures === 0 ? retry : { ...retry, failures: 0, from: now.mono };
}

/**
 * Maximum number of earlier incidents of one alert that the receiver may have open. More than two of them exist only if
 * the state directory became available late several times, or if the receiver loses every request.
 */
const maxUnconfirmed = 20;

/** Adds a new incident; an earlier incident of the same alert counts as resolved even without its resolve. */
function withNewIncident(queue: AlertQueue, { alert, to, due }: Trigger, now: Instant): AlertQueueStep {
  const before = queue.incidents.map((incident) =>
    incident.alert.status === 'resolved'
      ? incident
      : resolveIncident(incident, resolvedByNext(incident, alert), due, now),
  );
  const step = withoutMissed({ ...queue, incidents: before }, ({ over, parked }) => !over && parked?.why !== 'refused');
  const rest = step.queue.incidents.slice(-maxUnconfirmed);
  return { ...step, queue: { ...queue, incidents: [...rest, newQueuedIncident(alert, to, due, now)] } };
}

function resolvedByNext({ alert }: QueuedIncident, next: Alert): Alert {
  return { ...alert, status: 'resolved', endsAt: Math.max(alert.startsAt, next.startsAt) };
}

function withoutMissed(queue: AlertQueue, keeps: (incident: QueuedIncident) => boolean = () => true): AlertQueueStep {
  const incidents = queue.incidents.filter((incident) => !isMissed(incident) && keeps(incident));
  // A digest does not report what a silence or a maintenance window hides.
  const missed = queue.incidents.filter((incident) => isMissed(incident) && incident.suppressed !== true);
  return { queue: { ...queue, incidents }, missed };
}

function replaceIncident(queue: AlertQueue, next: QueuedIncident): AlertQueue {
  return updateIncident(queue, next.alert.episode, () => next);
}

function updateIncident(
  queue: AlertQueue,
  episode: number,
  change: (known: QueuedIncident) => QueuedIncident,
): AlertQueue {
  return updateIncidents(queue, (known) => (known.alert.episode === episode ? change(known) : known));
}

/** Returns the queue with changed incidents; the same object if none changes. */
export function updateIncidents(queue: AlertQueue, change: (known: QueuedIncident) => QueuedIncident): AlertQueue {
  const incidents = queue.incidents.map(change);
  return incidents.every((one, at) => one === queue.incidents[at]) ? queue : { ...queue, incidents };
}
