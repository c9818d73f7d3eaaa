import type { Instant, Millis } from '../../kernel/time.ts';
import type { AcknowledgementChange, Alert, Destination } from '../../model/alert.ts';
import type { DeliveryProgress, LoggedAction } from '../../model/delivery.ts';
import type { Detail } from '../notifier.ts';
import type { AlertOutcome } from './alert-outcome.ts';
import {
  backoff,
  brokenPause,
  isGivenUp,
  type Outage,
  outageAfterFailure,
  pageRetryAt,
} from './retry-and-rate-limit.ts';

/** Whether a receiver knows of an incident. `maybe` means that a request was sent and its result is unknown. */
export const deliveryStates = ['no', 'maybe', 'yes'] as const;

/** One of {@link deliveryStates}. */
export type DeliveryState = (typeof deliveryStates)[number];

/** Why a notification is parked: the receiver rejected it, or accepted nothing for too long. */
type ParkReason = 'refused' | 'outage';

/** One incident in the queue of one receiver. Times are wall times. */
export interface QueuedIncident {
  /** Latest state of the alert: firing or resolved. */
  readonly alert: Alert;
  readonly deliveryState: DeliveryState;
  /** When it was opened at the receiver, or opened again after its end. Absent if an earlier version stored it. */
  readonly openedAt?: number;
  /** Digest of the recipient that was notified last. Absent if an earlier version stored it. */
  readonly recipient?: string;
  /** Time since which the pending notification is due. */
  readonly due: number;
  /** Time since which the notification of the end is due. */
  readonly endDue?: number;
  /** Whether a reminder is pending. */
  readonly again: boolean;
  /** Change of the acknowledgement that is still to be sent. */
  readonly acknowledgement?: PendingAcknowledgement | undefined;
  /** Whether an update is pending: the alert changed since the receiver accepted it. */
  readonly changed?: true | undefined;
  /** Set while a silence, a maintenance window or an inhibition withholds its trigger, reminders and updates. */
  readonly suppressed?: true;
  /** Whether the receiver accepted the end. A level-triggered receiver gets the end again for a while. */
  readonly over: boolean;
  readonly group: Readonly<Record<string, string>>;
  readonly groupWait: Millis;
  readonly fallback?: string;
  /** Reference that the receiver returned for the first accepted notification, such as the id of a message. */
  readonly reference?: string;
  /** Recipients behind the receiver that still need the last notification. A later one goes to all recipients instead. */
  readonly deferred?: DeferredNotification | undefined;
  readonly outage?: Outage | undefined;
  /** Set if the notification is no longer retried. */
  readonly parked?: { readonly why: ParkReason; readonly at: number } | undefined;
  /** For the delivery log. */
  readonly progress?: DeliveryProgress;
  readonly retry: RetryState;
}

/** Notification that the receiver accepted, except for some recipients behind it, which may accept it later. */
export interface DeferredNotification {
  readonly action: PendingAction;
  readonly recipients: readonly string[];
}

/** Change of an acknowledgement that is still to be sent. */
export interface PendingAcknowledgement {
  readonly change: AcknowledgementChange;
  /** ms since the epoch. */
  readonly due: number;
}

/** Retry state, not stored. */
export interface RetryState {
  /** Monotonic time of the earliest attempt. */
  readonly from: number;
  readonly failures: number;
  readonly detail: Detail;
  /** Maximum number of alerts in a request with this one; a refused request is split. */
  readonly maxBatch: number;
  /** Wall time since which the receiver rejects it for a reason that an operator must fix. */
  readonly rejectedSince?: number;
}

/** Kind of a notification; a `refresh` repeats the state for a level-triggered receiver. */
export type NotificationAction = PendingAction | 'refresh';

/** Kind of a notification that is sent until the receiver accepts it. */
export type PendingAction = Exclude<LoggedAction, 'digest'>;

const withoutFailures = { outage: undefined, parked: undefined } as const;
const withoutChanges = { again: false, changed: undefined, acknowledgement: undefined, deferred: undefined } as const;
const reducedDetail = { full: 'short', short: 'minimal', minimal: undefined } as const;

/** Returns the retry state before the first attempt. */
export function initialRetryState(from: number): RetryState {
  return { from, failures: 0, detail: 'full', maxBatch: Number.POSITIVE_INFINITY };
}

/** Destination of a trigger in the queue of its receiver. */
export interface QueueDestination extends Destination {
  /** How long the first attempt waits; `groupWait` if absent. */
  readonly wait?: Millis;
}

/** Returns an incident that the receiver does not know of. */
export function newQueuedIncident(
  alert: Alert,
  { group, groupWait, fallback, wait = groupWait }: QueueDestination,
  due: number,
  now: Instant,
): QueuedIncident {
  const rest = fallback === undefined ? {} : { fallback };
  const reported = { deliveryState: 'no', again: false, over: false } as const;
  const retry = initialRetryState(now.mono + wait);
  return { alert, ...reported, due, openedAt: now.wall, group, groupWait, ...rest, retry };
}

/** Returns the number of changes of an alert. */
export function revisionOf({ revision = 0 }: Alert): number {
  return revision;
}

/** Returns the pending action for an incident; undefined if it has none. */
export function pendingAction(incident: QueuedIncident): PendingAction | undefined {
  const { deliveryState, acknowledgement, suppressed = false } = incident;
  if (incident.parked !== undefined || incident.over) return undefined;
  if (incident.alert.status === 'resolved' && (suppressed || deliveryState === 'yes')) return 'resolve';
  if (deliveryState !== 'yes') return suppressed ? undefined : 'trigger';
  if (incident.changed === true && !suppressed) return 'update';
  if (acknowledgement !== undefined) return 'acknowledge';
  if (suppressed) return undefined;
  return incident.again ? 'remind' : incident.deferred?.action;
}

/**
 * Changes the acknowledgement of an open incident; without `change`, the receiver is not notified of it. An acknowledged
 * incident needs no reminder. A receiver that knows nothing of the acknowledgement is not notified of its withdrawal.
 */
export function acknowledgeIncident(
  incident: QueuedIncident,
  alert: Alert,
  change: PendingAcknowledgement | undefined,
): QueuedIncident {
  const isAcknowledged = change?.change === 'acknowledged';
  const acknowledgement = isAcknowledged || incident.deliveryState !== 'no' ? change : undefined;
  const isPending =
    acknowledgement !== undefined && incident.deliveryState === 'yes' ? { due: acknowledgement.due } : {};
  return { ...incident, alert, again: !isAcknowledged && incident.again, acknowledgement, ...isPending };
}

/** Returns the alert as firing, for its first notification, also if it is resolved by now. */
export function asFiring(alert: Alert): Alert {
  const { endsAt: _, ...rest } = alert;
  return { ...rest, status: 'firing' };
}

/** Marks an incident as resolved. A parked incident is retried, because the receiver may have it open. */
export function resolveIncident(incident: QueuedIncident, alert: Alert, due: number, now: Instant): QueuedIncident {
  const isNext = incident.deliveryState === 'yes' || incident.suppressed === true;
  const retry = initialRetryState(now.mono + (isNext ? incident.groupWait : 0));
  const isPending = isNext ? { due } : {};
  return { ...incident, ...withoutFailures, ...withoutChanges, alert, endDue: due, ...isPending, retry };
}

/** Whether an incident ended before its trigger was sent; only a digest reports such an incident. */
export function isMissed({ alert, deliveryState }: QueuedIncident): boolean {
  return deliveryState === 'no' && alert.status === 'resolved';
}

/** Marks an incident as sent to a recipient: the receiver may know of it from now on. */
export function markSent(incident: QueuedIncident, recipient?: string): QueuedIncident {
  if (incident.deliveryState !== 'no') return incident;
  return { ...incident, deliveryState: 'maybe', ...(recipient === undefined ? {} : { recipient }) };
}

/** Returns whether the notification is a page: its alert is critical. */
export function isPage({ alert }: QueuedIncident): boolean {
  return alert.severity === 'critical';
}

/** State of an incident at the start of an attempt. */
export interface AttemptStart {
  readonly action: NotificationAction;
  /** Delivery state before the attempt. */
  readonly before: DeliveryState;
  /** The change that the request reports. */
  readonly acknowledgement?: PendingAcknowledgement | undefined;
  /** Revision of the alert that the request contains; absent for the first one. */
  readonly revision?: number;
}

/** Returns the incident after an attempt. */
export function afterAttempt(
  incident: QueuedIncident,
  tried: AttemptStart,
  outcome: AlertOutcome,
  now: Instant,
): QueuedIncident {
  if (outcome.kind === 'accepted') return afterAccepted(withReference(incident, outcome.reference), tried, now);
  if (outcome.kind === 'lost') return afterLost(incident, tried.action, outcome, now);
  if (outcome.kind === 'other_rejected') return incident;
  const deliveryState = deliveryStateAfter(incident, tried);
  if (outcome.kind === 'not_accepted') return { ...incident, deliveryState };
  if (outcome.kind === 'rejected') return retryLater({ ...incident, deliveryState }, tried.action, outcome, now);
  return afterRefused(incident, tried, outcome.batchSize, now);
}

/** Keeps the reference of the first accepted notification, because later ones update its message. */
function withReference(incident: QueuedIncident, reference: string | undefined): QueuedIncident {
  return reference === undefined || incident.reference !== undefined ? incident : { ...incident, reference };
}

function afterAccepted(known: QueuedIncident, tried: AttemptStart, now: Instant): QueuedIncident {
  const { action, acknowledgement, revision = 0 } = tried;
  // The alert may have changed while the request was in flight.
  const changed = known.alert.status === 'firing' && revisionOf(known.alert) > revision ? (true as const) : undefined;
  const incident = { ...known, ...withoutFailures, changed, deferred: undefined };
  const retry = initialRetryState(now.mono);
  if (action === 'remind') return { ...incident, again: false, retry };
  if (action === 'refresh' || action === 'update') return { ...incident, retry };
  if (action === 'acknowledge') return { ...withoutAcknowledgement(incident, acknowledgement), retry };
  // Reopened while its resolve was in flight: the receiver has resolved it, so the trigger is sent again.
  if (action === 'resolve' && incident.alert.status === 'firing') return { ...incident, retry };
  if (action !== 'trigger') return { ...incident, over: true, retry };
  const due = incident.endDue ?? incident.acknowledgement?.due ?? incident.due;
  return { ...incident, deliveryState: 'yes', due, retry };
}

/** Removes the change that was sent; one that came up during the request stays. */
function withoutAcknowledgement(incident: QueuedIncident, sent: PendingAcknowledgement | undefined): QueuedIncident {
  return incident.acknowledgement === sent ? { ...incident, acknowledgement: undefined } : incident;
}

function afterLost(
  incident: QueuedIncident,
  action: NotificationAction,
  { answered, chance, startedAt }: Extract<AlertOutcome, { kind: 'lost' }>,
  now: Instant,
): QueuedIncident {
  if (action === 'refresh') return incident;
  const outage = outageAfterFailure(incident.outage, answered, now.wall);
  if (isGivenUp(outage, now.wall)) return park({ ...incident, outage }, action, 'outage', now);
  const failures = incident.retry.failures + 1;
  const from = now.mono + backoff(incident.retry.failures, chance);
  return { ...incident, outage, retry: { ...incident.retry, from: retryTime(incident, from, startedAt), failures } };
}

/** Returns when an incident is tried again at the latest, if it would be at `from`. */
export function retryTime(incident: QueuedIncident, from: number, startedAt: number): number {
  return isPage(incident) ? pageRetryAt(from, startedAt) : from;
}

/** Other notifications are tried before it is tried again: the reason may be its route, and not the receiver. */
function retryLater(
  incident: QueuedIncident,
  action: NotificationAction,
  { startedAt }: Extract<AlertOutcome, { kind: 'rejected' }>,
  now: Instant,
): QueuedIncident {
  if (action === 'refresh') return incident;
  const { retry } = incident;
  const from = retryTime(incident, now.mono + brokenPause, startedAt);
  const rejectedSince = retry.rejectedSince ?? now.wall;
  return { ...incident, retry: { ...retry, from, failures: retry.failures + 1, rejectedSince } };
}

/** Splits a rejected request until the rejected alert is alone, then retries that one with less and less detail. */
function afterRefused(incident: QueuedIncident, tried: AttemptStart, batchSize: number, now: Instant): QueuedIncident {
  const { retry } = incident;
  if (batchSize > 1) return { ...incident, retry: { ...retry, maxBatch: Math.ceil(batchSize / 2) } };
  const deliveryState = deliveryStateAfter(incident, tried);
  const detail = reducedDetail[retry.detail];
  if (detail !== undefined) return { ...incident, deliveryState, retry: { ...retry, detail } };
  return park({ ...incident, deliveryState }, tried.action, 'refused', now);
}

function deliveryStateAfter({ deliveryState }: QueuedIncident, { action, before }: AttemptStart): DeliveryState {
  return action === 'trigger' ? before : deliveryState;
}

/** Stops the retries of an incident; only a trigger and a resolve are parked, the rest is dropped. */
export function park(
  incident: QueuedIncident,
  action: NotificationAction,
  why: ParkReason,
  now: Instant,
): QueuedIncident {
  const retry = initialRetryState(now.mono);
  // The next reminder follows after the repeat interval, with all changes.
  if (action !== 'trigger' && action !== 'resolve') return { ...incident, ...withoutChanges, retry };
  return { ...incident, parked: { why, at: now.wall }, retry };
}

/** Retries a parked incident. */
export function unpark(incident: QueuedIncident, now: Instant): QueuedIncident {
  return { ...incident, ...withoutFailures, retry: initialRetryState(now.mono) };
}
