import type { StoreChange } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import { heartbeatRule } from '../../model/alert.ts';
import type { IncidentDelivery, NotificationRecord, PendingNotification } from '../../model/delivery.ts';
import { endedUnsent, singleLine, truncate } from '../notification-text.ts';
import type { ReceiverResponse } from '../notifier.ts';
import type { AlertQueue, AlertQueueStep } from './alert-queue.ts';
import { boundedReason, failureOf, type IncidentAttempt } from './delivery-progress.ts';
import type { MissedIncidents } from './missed-incidents.ts';
import { notificationInsert } from './notification-rows.ts';
import type { QueuedIncident } from './queued-incident.ts';

const maxSummaryLength = 300;

/** An attempt to log. */
export interface LoggedAttempt extends IncidentAttempt {
  /** Returns the wall time of the earliest next attempt. */
  readonly nextAttemptAt: (incident: QueuedIncident) => number;
}

/** A change of a queue to log. */
export interface QueueChange {
  readonly receiver: string;
  readonly before: AlertQueue;
  /** The queue after the change, and the missed incidents. */
  readonly step: AlertQueueStep;
  /** The attempt that caused the change. */
  readonly attempt: LoggedAttempt | undefined;
  readonly now: Instant;
}

/** One incident before and after a change of its queue. */
interface IncidentChange extends Omit<QueueChange, 'before' | 'step'> {
  readonly before: QueuedIncident;
  /** Absent if it left the queue. */
  readonly after: QueuedIncident | undefined;
  readonly isMissed: boolean;
}

/** Returns the entries of the delivery log that follow from a change of a queue. A heartbeat has entries only if it fails. */
export function logEntries(change: QueueChange): readonly NotificationRecord[] {
  const { before, step, attempt } = change;
  return before.incidents.flatMap((known) => {
    const { episode } = known.alert;
    const after = step.queue.incidents.find(({ alert }) => alert.episode === episode);
    if (after === known && attempt?.episode !== episode) return [];
    const isMissed = step.missed.some(({ alert }) => alert.episode === episode);
    const own = attempt?.episode === episode ? attempt : undefined;
    const incident = { ...change, before: known, after, isMissed, attempt: own };
    return [...attemptEntries(incident), ...stateEntries(incident)];
  });
}

/** Returns the changes that store entries of the log. */
export function logChanges(entries: readonly NotificationRecord[]): readonly StoreChange[] {
  return entries.map(notificationInsert);
}

function attemptEntries(change: IncidentChange): readonly NotificationRecord[] {
  const { before, after, attempt } = change;
  if (attempt === undefined) return [];
  const { action, outcome, nextAttemptAt } = attempt;
  if (action === 'refresh') return [];
  const pending = pendingOf(before, action);
  if (outcome.kind === 'accepted') return acceptedEntries(change, attempt, pending);
  if (isParkedNow(change) || before.progress?.pending?.action !== action) return [];
  const isRetried = after?.progress?.pending?.action === action;
  const result = isRejection(attempt) ? 'rejected' : 'deferred';
  const failed = { ...pending, attempts: pending.attempts + 1, failure: failureOf(attempt) };
  const entry = entryOf(change, failed, result);
  return [isRetried ? { ...entry, nextAttemptAt: nextAttemptAt(after) } : entry];
}

function acceptedEntries(
  change: IncidentChange,
  { response, nextAttemptAt }: LoggedAttempt,
  pending: PendingNotification,
): readonly NotificationRecord[] {
  if (isHeartbeat(change.before) && pending.attempts === 0) return [];
  const { after } = change;
  const { status, proof = '' } = response;
  const { but, reference = '' } = response.kind === 'accepted' ? response : {};
  const reason = boundedReason(but ?? pending.failure?.reason ?? '');
  const accepted = entryOf(change, { ...pending, attempts: pending.attempts + 1 }, 'accepted');
  const entry = after?.deferred === undefined ? accepted : { ...accepted, nextAttemptAt: nextAttemptAt(after) };
  const evidence = {
    reason,
    ...(but !== undefined && { isPartial: true as const }),
    proof: boundedReason(proof === '' ? reference : proof),
  };
  return [{ ...entry, ...evidence, ...(status === undefined ? {} : { status }) }];
}

/** Whether the receiver rejected this alert, and not a request with several alerts. */
function isRejection({ outcome }: IncidentAttempt): boolean {
  return outcome.kind === 'rejected' || (outcome.kind === 'refused' && outcome.batchSize === 1);
}

/** Returns the entries of a notification that is parked, withdrawn or superseded by the change. */
function stateEntries(change: IncidentChange): readonly NotificationRecord[] {
  const { before, after } = change;
  if (isParkedNow(change)) return [entryOf(change, parkedNotification(after ?? before), 'parked')];
  if (isHeartbeat(before)) return [];
  const reason = lossReason(change);
  if (reason === undefined) return [];
  const pending = before.progress?.pending ?? pendingOf(before, 'resolve');
  return [
    {
      ...entryOf(change, pending, isWithdrawn(change) ? 'withdrawn' : 'superseded'),
      reason: withFailure(reason, pending),
    },
  ];
}

/** Returns why a notification is no longer pending although the receiver did not accept it; undefined if none is lost. */
function lossReason({ before, after, isMissed, attempt }: IncidentChange): string | undefined {
  if (isMissed) return 'the incident ended before the notification was sent';
  if (after === undefined && before.suppressed === true && before.deliveryState === 'no') return undefined;
  const isAccepted = attempt?.outcome.kind === 'accepted';
  if (after === undefined) {
    const isFinished = before.over || before.parked !== undefined || isAccepted;
    return isFinished ? undefined : 'a later incident of the same alert replaced it';
  }
  const was = before.progress?.pending?.action;
  const is = after.progress?.pending?.action;
  if (was === undefined || was === is || attempt?.action === was) return undefined;
  if (isSuppressedNow({ before, after })) return suppressedReason;
  if (was === 'resolve') return 'the alert fires again';
  if (was === 'trigger' || (is !== undefined && is !== 'resolve' && is !== 'trigger')) return undefined;
  return is === 'resolve' ? 'the incident ended' : 'a later change of the incident made it needless';
}

const suppressedReason = 'a silence, a maintenance window or an inhibition suppresses the alert';

function isSuppressedNow({ before, after }: Pick<IncidentChange, 'before' | 'after'>): boolean {
  return before.suppressed !== true && after?.suppressed === true;
}

function isWithdrawn(change: IncidentChange): boolean {
  return change.isMissed || isSuppressedNow(change);
}

function withFailure(reason: string, { failure }: PendingNotification): string {
  return failure === undefined ? reason : boundedReason(`${reason}; last failure: ${failure.reason}`);
}

function isParkedNow({ before, after }: IncidentChange): boolean {
  return before.parked === undefined && after?.parked !== undefined;
}

/**
 * Returns the notification that is parked. It may have no failure of its own, if other notifications failed for too
 * long.
 */
function parkedNotification(incident: QueuedIncident): PendingNotification {
  const pending = incident.progress?.pending ?? pendingOf(incident, 'trigger');
  return { ...pending, failure: pending.failure ?? { reason: 'the receiver has accepted no request for too long' } };
}

function pendingOf({ progress, due }: QueuedIncident, action: PendingNotification['action']): PendingNotification {
  const { pending } = progress ?? {};
  return pending?.action === action ? pending : { action, since: due, attempts: 0 };
}

function entryOf(
  { receiver, before, now }: Pick<IncidentChange, 'receiver' | 'before' | 'now'>,
  pending: PendingNotification,
  result: NotificationRecord['result'],
): NotificationRecord {
  return { ...entryAbout(receiver, before, pending), result, at: now.wall };
}

/** Returns the entry of a notification that is pending. */
export function entryAbout(
  receiver: string,
  { alert }: QueuedIncident,
  { action, since, attempts, failure }: PendingNotification,
): NotificationRecord {
  const { key, episode, severity, labels, annotations } = alert;
  const about = {
    key,
    episode,
    severity,
    labels,
    summary: truncate(singleLine(annotations.summary ?? ''), maxSummaryLength),
  };
  const status = failure?.status === undefined ? {} : { status: failure.status };
  return {
    receiver,
    ...about,
    action,
    result: 'pending',
    at: since,
    queuedAt: since,
    attempts,
    reason: failure?.reason ?? '',
    ...status,
    proof: '',
  };
}

/** A response to a digest of `reported`, which was due since wall time `since`. */
export interface SettledDigest {
  readonly receiver: string;
  readonly reported: MissedIncidents;
  readonly response: ReceiverResponse;
  readonly since: number | undefined;
  readonly now: Instant;
}

/** An attempt to send a digest; `isFinished` if it is not sent again. */
interface DigestAttempt extends SettledDigest {
  readonly isFinished: boolean;
  readonly attempts: number;
}

/** Returns the entry of an attempt to send a digest, which is about no single incident. */
export function digestEntry(digest: DigestAttempt): NotificationRecord {
  const { receiver, reported, response, isFinished, since, attempts, now } = digest;
  const { newest, count } = reported;
  const retried = response.kind === 'broken' || response.kind === 'refused' ? 'rejected' : 'deferred';
  const failure = isFinished ? 'parked' : retried;
  const result = response.kind === 'accepted' ? 'accepted' : failure;
  const listed = newest.map(({ summary }) => summary).join('; ');
  const failed = response.kind === 'accepted' ? (response.but ?? '') : response.message;
  return {
    receiver,
    key: '',
    episode: 0,
    severity: '',
    labels: {},
    action: 'digest',
    result,
    at: now.wall,
    attempts,
    summary: truncate(singleLine(`${endedUnsent(count)}: ${listed}`), maxSummaryLength),
    reason: boundedReason(failed),
    proof: boundedReason(response.proof ?? ''),
    ...(since === undefined ? {} : { queuedAt: since }),
    ...(response.status === undefined ? {} : { status: response.status }),
  };
}

/** Whether an incident is the heartbeat, which is sent every minute. */
export function isHeartbeat({ alert }: QueuedIncident): boolean {
  return alert.rule === heartbeatRule;
}

/** Returns the latest notification of an incident to a receiver. */
export function incidentDelivery(receiver: string, incident: QueuedIncident): IncidentDelivery {
  const { progress = {}, parked, over } = incident;
  const { accepted, pending } = progress;
  const acceptedAt = accepted === undefined ? {} : { acceptedAt: accepted.at };
  if (pending === undefined && incident.suppressed === true && incident.deliveryState !== 'yes')
    return { receiver, state: 'withdrawn', action: 'trigger', attempts: 0, reason: suppressedReason };
  if (pending === undefined) {
    const action = accepted?.action ?? (over ? 'resolve' : 'trigger');
    return { receiver, state: 'accepted', action, ...acceptedAt, attempts: 0, reason: accepted?.reason ?? '' };
  }
  const { action, since, attempts, failure } = pending;
  const state = parked === undefined ? 'pending' : 'parked';
  return { receiver, state, action, queuedAt: since, ...acceptedAt, attempts, ...(failure ?? { reason: '' }) };
}

/** Returns the state of an incident that left its queue with this entry of the log. */
export function finalDelivery(entry: NotificationRecord): IncidentDelivery {
  const { receiver, result, action, queuedAt, at, attempts, status } = entry;
  const reason = result === 'accepted' && entry.isPartial !== true ? '' : entry.reason;
  const state = result === 'accepted' || result === 'withdrawn' || result === 'parked' ? result : 'superseded';
  return {
    receiver,
    state,
    action,
    attempts,
    reason,
    ...(state === 'accepted' ? { acceptedAt: at } : queuedAt === undefined ? {} : { queuedAt }),
    ...(status === undefined ? {} : { status }),
  };
}
