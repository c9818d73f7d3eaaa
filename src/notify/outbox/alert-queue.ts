import type { Instant } from '../../kernel/time.ts';
import type { Alert } from '../../model/alert.ts';
import {
  type AlertOutcome,
  type AttemptStart,
  acknowledgeIncident,
  afterAttempt,
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
export interface Attempt extends AttemptStart {
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
  const isChange = trigger.changed === true;
  const isKnown = known.deliveryState === 'yes';
  const reported: QueuedIncident = {
    ...withEarlierSend(known, trigger, now),
    alert,
    due: isKnown && (again || isChange) ? trigger.due : known.due,
    again: known.again || (isKnown && again),
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
  return { queue: updateIncident(queue, episode, (known) => withEarlierSend(known, trigger, now)), missed: [] };
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
  return { queue: replaceIncident(queue, acknowledgeIncident(known, alert, change)), missed: [] };
}

/** Resolves an incident. A receiver that did not get its trigger does not get its end either. */
export function withResolve(queue: AlertQueue, alert: Alert, due: number, now: Instant): AlertQueueStep {
  const known = queue.incidents.find((incident) => incident.alert.episode === alert.episode);
  if (known === undefined || known.alert.status === 'resolved') return { queue, missed: [] };
  return withoutMissed(replaceIncident(queue, resolveIncident(known, alert, due, now)));
}

/** Returns the queue with the attempted incident marked as sent. */
export function withAttemptStarted(queue: AlertQueue, { episode }: Attempt): AlertQueue {
  return updateIncident(queue, episode, markSent);
}

/** Returns the queue after an attempt. A level-triggered receiver keeps a finished incident, because its end is refreshed for a while. */
export function withAttemptOutcome(
  queue: AlertQueue,
  attempt: Attempt,
  { outcome, isLevelTriggered }: { readonly outcome: AlertOutcome; readonly isLevelTriggered: boolean },
  now: Instant,
): AlertQueueStep {
  const after = updateIncident(queue, attempt.episode, (known) => afterAttempt(known, attempt, outcome, now));
  return withoutMissed(after, ({ over }) => !over || isLevelTriggered);
}

/** Parks the notifications that were due before wall time `before`, because the receiver accepts no request. */
export function withOverdueParked(queue: AlertQueue, before: number, now: Instant): AlertQueue {
  const incidents = queue.incidents.map((incident) => {
    const action = pendingAction(incident);
    return action === undefined || incident.due > before ? incident : park(incident, action, 'hopeless', now);
  });
  return { ...queue, incidents };
}

/** Whether a notification is parked because the receiver failed for too long. */
export function hasGivenUp({ incidents }: AlertQueue): boolean {
  return incidents.some(({ parked }) => parked?.why === 'hopeless');
}

/** Returns the incident of an attempt; undefined if it is no longer in the queue. */
export function incidentOf(
  { incidents }: AlertQueue,
  { episode }: Pick<Attempt, 'episode'>,
): QueuedIncident | undefined {
  return incidents.find(({ alert }) => alert.episode === episode);
}

/** Retries the notifications that were parked because the receiver failed for too long. */
export function withParkedRetried(queue: AlertQueue, now: Instant): AlertQueue {
  const incidents = queue.incidents.map((incident) =>
    incident.parked?.why === 'hopeless'
      ? unpark(incident, now)
      : { ...incident, retry: retryImmediately(incident, now) },
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
 * the state folder became available late several times, or if the receiver loses every request.
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
  return { queue: { ...queue, incidents }, missed: queue.incidents.filter(isMissed) };
}

function replaceIncident(queue: AlertQueue, next: QueuedIncident): AlertQueue {
  return updateIncident(queue, next.alert.episode, () => next);
}

function updateIncident(
  queue: AlertQueue,
  episode: number,
  change: (known: QueuedIncident) => QueuedIncident,
): AlertQueue {
  const incidents = queue.incidents.map((known) => (known.alert.episode === episode ? change(known) : known));
  return incidents.every((one, at) => one === queue.incidents[at]) ? queue : { ...queue, incidents };
}
