import type { Severity } from './alert.ts';

/** Actions of notifications in the delivery log. */
export const loggedActions = ['trigger', 'update', 'acknowledge', 'resolve', 'remind', 'digest'] as const;

/** One of {@link loggedActions}. */
export type LoggedAction = (typeof loggedActions)[number];

/** Results of notifications in the delivery log. */
export const notificationResults = [
  'pending',
  'accepted',
  'deferred',
  'rejected',
  'parked',
  'withdrawn',
  'superseded',
] as const;

/**
 * Result of a notification. `pending`: no attempt was made. `deferred`: the attempt failed and is repeated. `rejected`: the
 * receiver answered that it does not accept it. `parked`: it is no longer retried. `withdrawn`: the incident ended or
 * was suppressed before it was sent. `superseded`: a later notification of the incident or of the alert replaced it.
 */
export type NotificationResult = (typeof notificationResults)[number];

/** A failed attempt. */
export interface AttemptFailure {
  /** Sentence without secrets, at most 300 characters. */
  readonly reason: string;
  /** HTTP status of the answer, if there was one. */
  readonly status?: number;
}

/** Notification of an incident that a receiver has not accepted. */
export interface PendingNotification {
  readonly action: LoggedAction;
  /** Since when it is due, ms since the epoch. */
  readonly since: number;
  readonly attempts: number;
  /** The last failed attempt. */
  readonly failure?: AttemptFailure;
}

/** How far the notifications of one incident to one receiver are. */
export interface DeliveryProgress {
  /**
   * The last accepted notification; `at` is in ms since the epoch, and `reason` says which recipients behind the receiver did
   * not accept it.
   */
  readonly accepted?: { readonly action: LoggedAction; readonly at: number; readonly reason?: string };
  /** The notification that is pending or parked. */
  readonly pending?: PendingNotification;
}

/** One entry of the delivery log. Times are ms since the epoch. */
export interface NotificationRecord {
  /** When the result was known. */
  readonly at: number;
  readonly receiver: string;
  /** Key and number of the incident; `''` and 0 for a digest. */
  readonly key: string;
  readonly episode: number;
  readonly severity: Severity | '';
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly action: LoggedAction;
  readonly result: NotificationResult;
  /** Since when the notification was due; absent in entries of earlier versions. */
  readonly queuedAt?: number;
  readonly attempts: number;
  /** Why the last failed attempt failed, or why the notification was not sent. */
  readonly reason: string;
  readonly status?: number;
  /** Response of the receiver that accepted the notification. */
  readonly proof: string;
  /** Whether `reason` names recipients behind the receiver that did not accept the notification. Not stored. */
  readonly isPartial?: true;
  /** Earliest time of the next attempt; absent if there is none. */
  readonly nextAttemptAt?: number;
}

/** States of an incident at one receiver. */
export const deliveryStatuses = ['pending', 'accepted', 'parked', 'withdrawn', 'superseded'] as const;

/** The latest notification of one incident to one receiver. Times are ms since the epoch. */
export interface IncidentDelivery {
  readonly receiver: string;
  readonly state: (typeof deliveryStatuses)[number];
  readonly action: LoggedAction;
  /** Since when the pending or parked notification is due. */
  readonly queuedAt?: number;
  /** When the receiver accepted the last notification; absent if it accepted none, or if the time is unknown. */
  readonly acceptedAt?: number;
  readonly attempts: number;
  readonly reason: string;
  readonly status?: number;
  readonly nextAttemptAt?: number;
}
