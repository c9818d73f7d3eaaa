import type { AttemptFailure } from '../../model/delivery.ts';
import { singleLine, truncate } from '../notification-text.ts';
import type { ReceiverResponse } from '../notifier.ts';
import type { AlertOutcome } from './alert-outcome.ts';
import type { AlertQueue } from './alert-queue.ts';
import { type NotificationAction, pendingAction, type QueuedIncident } from './queued-incident.ts';

const maxReasonLength = 300;

/** An attempt for one incident, with the response to its request. */
export interface IncidentAttempt {
  readonly episode: number;
  readonly action: NotificationAction;
  readonly outcome: AlertOutcome;
  readonly response: ReceiverResponse;
}

/** Returns a queue whose incidents record what is pending. A notification with another action than before has no attempt yet. */
export function withPendingRecorded(queue: AlertQueue): AlertQueue {
  const incidents = queue.incidents.map(recordPending);
  return incidents.every((one, at) => one === queue.incidents[at]) ? queue : { ...queue, incidents };
}

function recordPending(incident: QueuedIncident): QueuedIncident {
  if (incident.parked !== undefined) return incident;
  const { pending, ...rest } = incident.progress ?? {};
  const action = pendingAction(incident);
  if (pending?.action === action) return incident;
  const added = action === undefined ? {} : { pending: { action, since: incident.due, attempts: 0 } };
  return { ...incident, progress: { ...rest, ...added } };
}

/** Returns a queue whose attempted incident records the result of the attempt; `now` is wall time. */
export function withAttemptRecorded(queue: AlertQueue, attempt: IncidentAttempt, now: number): AlertQueue {
  const incidents = queue.incidents.map((known) =>
    known.alert.episode === attempt.episode ? recordAttempt(known, attempt, now) : known,
  );
  return { ...queue, incidents };
}

function recordAttempt(incident: QueuedIncident, attempt: IncidentAttempt, now: number): QueuedIncident {
  const { action, outcome } = attempt;
  if (action === 'refresh') return incident;
  const { pending } = incident.progress ?? {};
  if (outcome.kind === 'accepted') {
    const reason = failureOf(attempt).reason;
    const accepted = { action, at: now, ...(reason !== '' && { reason }) };
    if (incident.deferred === undefined) return { ...incident, progress: { accepted } };
    const attempts = (pending?.action === action ? pending.attempts : 0) + 1;
    return {
      ...incident,
      progress: { accepted, pending: { action, since: incident.due, attempts, failure: { reason } } },
    };
  }
  // The incident may have changed while the request was in flight.
  if (pending?.action !== action) return incident;
  const failed = { ...pending, attempts: pending.attempts + 1, failure: failureOf(attempt) };
  return { ...incident, progress: { ...incident.progress, pending: failed } };
}

/** Returns why an attempt failed, or why some recipients did not accept the notification. */
export function failureOf({ outcome, response }: Pick<IncidentAttempt, 'outcome' | 'response'>): AttemptFailure {
  const { status } = response;
  const message = response.kind === 'accepted' ? (response.but ?? '') : response.message;
  const reason = outcome.kind === 'other_rejected' ? `another alert of the request was rejected: ${message}` : message;
  return { reason: boundedReason(reason), ...(status === undefined ? {} : { status }) };
}

/** Returns a text of a receiver as one line of bounded length. */
export function boundedReason(text: string): string {
  return truncate(singleLine(text), maxReasonLength);
}
