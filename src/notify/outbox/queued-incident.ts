import type { Instant, Millis } from '../../kernel/time.ts';
import type { AcknowledgementChange, Alert, Destination } from '../../model/alert.ts';
import type { DeliveryProgress, LoggedAction } from '../../model/delivery.ts';
import type { Detail } from '../notifier.ts';
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

/** One incident in the queue of one receiver. Times are wall times. */
export interface QueuedIncident {
  /** Latest state of the alert: firing or resolved. */
  readonly alert: Alert;
  readonly deliveryState: DeliveryState;
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
  /** Whether the receiver accepted the end. A level-triggered receiver gets the end again for a while. */
  readonly over: boolean;
  readonly group: Readonly<Record<string, string>>;
  readonly groupWait: Millis;
  readonly fallback?: string;
  /** What the receiver returned for the first notification that it accepted, such as the id of a message. */
  readonly reference?: string;
  readonly outage?: Outage | undefined;
  /** Set if the notification is no longer retried. */
  readonly parked?: { readonly why: 'refused' | 'hopeless'; readonly at: number } | undefined;
  /** For the delivery log. */
  readonly progress?: DeliveryProgress;
  readonly effort: RetryState;
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
  readonly together: number;
  /** Wall time since which the receiver rejects it for a reason that an operator must fix. */
  readonly rejectedSince?: number;
}

/** Kind of a notification; a `refresh` repeats the state for a level-triggered receiver. */
export type NotificationAction = PendingAction | 'refresh';

/** Kind of a notification that is sent until the receiver accepts it. */
type PendingAction = Exclude<LoggedAction, 'digest'>;

/** Outcome of a request for one of its incidents. */
export type AlertOutcome =
  | { readonly kind: 'accepted'; readonly reference?: string }
  /** The receiver may have accepted it or not. `chance` is uniform in [0, 1); `startedAt` is monotonic. */
  | { readonly kind: 'lost'; readonly answered: boolean; readonly chance: number; readonly startedAt: number }
  /** The receiver did not accept it, for a reason that is not in the alert. */
  | { readonly kind: 'untaken' }
  /** The receiver did not accept it, for a reason that an operator must fix. */
  | { readonly kind: 'rejected'; readonly startedAt: number }
  /** The receiver rejected another alert of the same request and may have accepted this one. */
  | { readonly kind: 'spared' }
  /** The receiver rejected it, or another alert of a request with `batchSize` alerts. */
  | { readonly kind: 'refused'; readonly batchSize: number };

const withoutFailures = { outage: undefined, parked: undefined } as const;
const withoutPendingChanges = { again: false, changed: undefined, acknowledgement: undefined } as const;
const reducedDetail = { full: 'short', short: 'minimal', minimal: undefined } as const;

/** Returns the retry state before the first attempt. */
export function initialRetryState(from: number): RetryState {
  return { from, failures: 0, detail: 'full', together: Number.POSITIVE_INFINITY };
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
  const effort = initialRetryState(now.mono + wait);
  return { alert, ...reported, due, group, groupWait, ...rest, effort };
}

/** Returns the number of changes of an alert. */
export function revisionOf({ revision = 0 }: Alert): number {
  return revision;
}

/** Returns the pending action for an incident; undefined if it has none. */
export function pendingAction({
  alert,
  deliveryState,
  again,
  changed,
  over,
  acknowledgement,
  parked,
}: QueuedIncident): PendingAction | undefined {
  if (parked !== undefined || over) return undefined;
  if (deliveryState !== 'yes') return 'trigger';
  if (alert.status === 'resolved') return 'resolve';
  if (changed === true) return 'update';
  if (acknowledgement !== undefined) return 'acknowledge';
  return again ? 'remind' : undefined;
}

/**
 * Changes the acknowledgement of an open incident; without `change`, the receiver is not notified of it. An acknowledged
 * incident needs no reminder. A receiver that knows nothing of the acknowledgement is not notified of its withdrawal.
 */
export function acknowledgeIncident(
  episode: QueuedIncident,
  alert: Alert,
  change: PendingAcknowledgement | undefined,
): QueuedIncident {
  const isAcknowledged = change?.change === 'acknowledged';
  const acknowledgement = isAcknowledged || episode.deliveryState !== 'no' ? change : undefined;
  const isPending =
    acknowledgement !== undefined && episode.deliveryState === 'yes' ? { due: acknowledgement.due } : {};
  return { ...episode, alert, again: !isAcknowledged && episode.again, acknowledgement, ...isPending };
}

/** Returns the alert as firing, for its first notification, also if it is resolved by now. */
export function asFiring(alert: Alert): Alert {
  const { endsAt: _, ...rest } = alert;
  return { ...rest, status: 'firing' };
}

/** Marks an incident as resolved. A parked incident is retried, because the receiver may have it open. */
export function resolveIncident(episode: QueuedIncident, alert: Alert, due: number, now: Instant): QueuedIncident {
  const effort = initialRetryState(now.mono + (episode.deliveryState === 'yes' ? episode.groupWait : 0));
  const isPending = episode.deliveryState === 'yes' ? { due } : {};
  return { ...episode, ...withoutFailures, ...withoutPendingChanges, alert, endDue: due, ...isPending, effort };
}

/** Whether an incident ended before its trigger was sent; only a digest reports such an incident. */
export function isMissed({ alert, deliveryState }: QueuedIncident): boolean {
  return deliveryState === 'no' && alert.status === 'resolved';
}

/** Marks an incident as sent: the receiver may know of it from now on. */
export function markSent(episode: QueuedIncident): QueuedIncident {
  return episode.deliveryState === 'no' ? { ...episode, deliveryState: 'maybe' } : episode;
}

/** Whether the notification wakes a person. */
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
  episode: QueuedIncident,
  tried: AttemptStart,
  verdict: AlertOutcome,
  now: Instant,
): QueuedIncident {
  if (verdict.kind === 'accepted') return afterAccepted(withReference(episode, verdict.reference), tried, now);
  if (verdict.kind === 'lost') return afterLost(episode, tried.action, verdict, now);
  if (verdict.kind === 'spared') return episode;
  const deliveryState = deliveryStateAfter(episode, tried);
  if (verdict.kind === 'untaken') return { ...episode, deliveryState };
  if (verdict.kind === 'rejected') return retryLater({ ...episode, deliveryState }, tried.action, verdict, now);
  return afterRefused(episode, tried, verdict.batchSize, now);
}

/** Later notifications update the message of the first one. */
function withReference(episode: QueuedIncident, reference: string | undefined): QueuedIncident {
  return reference === undefined || episode.reference !== undefined ? episode : { ...episode, reference };
}

function afterAccepted(known: QueuedIncident, tried: AttemptStart, now: Instant): QueuedIncident {
  const { action, acknowledgement, revision = 0 } = tried;
  // The alert may have changed while the request was in flight.
  const isChanged = known.alert.status === 'firing' && revisionOf(known.alert) > revision;
  const episode = { ...known, ...withoutFailures, changed: isChanged ? (true as const) : undefined };
  const effort = initialRetryState(now.mono);
  if (action === 'remind') return { ...episode, again: false, effort };
  if (action === 'refresh' || action === 'update') return { ...episode, effort };
  if (action === 'acknowledge') return { ...withoutAcknowledgement(episode, acknowledgement), effort };
  if (action !== 'trigger') return { ...episode, over: true, effort };
  const due = episode.endDue ?? episode.acknowledgement?.due ?? episode.due;
  return { ...episode, deliveryState: 'yes', due, effort };
}

/** Removes the change that was sent; one that came up during the request stays. */
function withoutAcknowledgement(episode: QueuedIncident, sent: PendingAcknowledgement | undefined): QueuedIncident {
  return episode.acknowledgement === sent ? { ...episode, acknowledgement: undefined } : episode;
}

function afterLost(
  episode: QueuedIncident,
  action: NotificationAction,
  { answered, chance, startedAt }: Extract<AlertOutcome, { kind: 'lost' }>,
  now: Instant,
): QueuedIncident {
  if (action === 'refresh') return episode;
  const outage = outageAfterFailure(episode.outage, answered, now.wall);
  if (isGivenUp(outage, now.wall)) return park({ ...episode, outage }, action, 'hopeless', now);
  const failures = episode.effort.failures + 1;
  const from = now.mono + backoff(episode.effort.failures, chance);
  return { ...episode, outage, effort: { ...episode.effort, from: retryTime(episode, from, startedAt), failures } };
}

function retryTime(episode: QueuedIncident, from: number, startedAt: number): number {
  return isPage(episode) ? pageRetryAt(from, startedAt) : from;
}

/** Other notifications are tried before it is tried again: the reason may be its route, and not the receiver. */
function retryLater(
  episode: QueuedIncident,
  action: NotificationAction,
  { startedAt }: Extract<AlertOutcome, { kind: 'rejected' }>,
  now: Instant,
): QueuedIncident {
  if (action === 'refresh') return episode;
  const { effort } = episode;
  const from = retryTime(episode, now.mono + brokenPause, startedAt);
  const rejectedSince = effort.rejectedSince ?? now.wall;
  return { ...episode, effort: { ...effort, from, failures: effort.failures + 1, rejectedSince } };
}

/** Splits a rejected request until the rejected alert is alone, then retries that one with less and less detail. */
function afterRefused(episode: QueuedIncident, tried: AttemptStart, batchSize: number, now: Instant): QueuedIncident {
  const { effort } = episode;
  if (batchSize > 1) return { ...episode, effort: { ...effort, together: Math.ceil(batchSize / 2) } };
  const deliveryState = deliveryStateAfter(episode, tried);
  const detail = reducedDetail[effort.detail];
  if (detail !== undefined) return { ...episode, deliveryState, effort: { ...effort, detail } };
  return park({ ...episode, deliveryState }, tried.action, 'refused', now);
}

function deliveryStateAfter({ deliveryState }: QueuedIncident, { action, before }: AttemptStart): DeliveryState {
  return action === 'trigger' ? before : deliveryState;
}

/** Stops the retries of an incident; only a trigger and a resolve are parked, the rest is dropped. */
export function park(
  episode: QueuedIncident,
  action: NotificationAction,
  why: 'refused' | 'hopeless',
  now: Instant,
): QueuedIncident {
  const effort = initialRetryState(now.mono);
  // The next reminder follows after the repeat interval, with all changes.
  if (action !== 'trigger' && action !== 'resolve') return { ...episode, ...withoutPendingChanges, effort };
  return { ...episode, parked: { why, at: now.wall }, effort };
}

/** Retries a parked incident. */
export function unpark(episode: QueuedIncident, now: Instant): QueuedIncident {
  return { ...episode, ...withoutFailures, effort: initialRetryState(now.mono) };
}
