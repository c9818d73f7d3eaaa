import type { DeliveryReport, NotificationReport } from '../../api/notifications.ts';
import { formatMoment, formatTimeOfDay, formatTimestamp } from '../../kernel/timestamp.ts';
import { shortIncidentId } from '../../model/alert.ts';
import type { IncidentDelivery, LoggedAction, NotificationRecord } from '../../model/delivery.ts';

/** Returns an entry of the delivery log as the API shows it. */
export function reportNotification(entry: NotificationRecord): NotificationReport {
  const { at, receiver, key, severity, labels, summary, action, result, attempts, reason, proof } = entry;
  const acceptedAt = result === 'accepted' ? at : undefined;
  return {
    at: formatTimestamp(at),
    receiver,
    action,
    attempts,
    reason,
    result,
    severity,
    labels,
    summary,
    proof,
    incident: key === '' ? '' : shortIncidentId(entry),
    alertname: labels.alertname ?? '',
    cluster: labels.cluster_name ?? '',
    ...reportTimes({ ...entry, ...(acceptedAt === undefined ? {} : { acceptedAt }) }),
  };
}

/** Returns the latest notification of an incident to a receiver as the API shows it. */
export function reportDelivery(delivery: IncidentDelivery): DeliveryReport {
  const { receiver, action, attempts, reason, state } = delivery;
  return { receiver, action, attempts, reason, state, ...reportTimes(delivery) };
}

type Times = Pick<IncidentDelivery, 'queuedAt' | 'acceptedAt' | 'nextAttemptAt' | 'status'>;

function reportTimes({ queuedAt, acceptedAt, nextAttemptAt, status }: Times) {
  const times = { queuedAt: timestampOf(queuedAt), acceptedAt: timestampOf(acceptedAt) };
  return { ...times, nextAttemptAt: timestampOf(nextAttemptAt), status: status ?? null };
}

function timestampOf(time: number | undefined): string | null {
  return time === undefined ? null : formatTimestamp(time);
}

const nouns: Readonly<Record<LoggedAction, string>> = {
  trigger: 'trigger',
  update: 'update',
  acknowledge: 'acknowledgement',
  resolve: 'resolve',
  remind: 'reminder',
  digest: 'digest',
};

/**
 * Returns `oncall accepted the trigger 09:13:04 UTC` or `chat: trigger pending since 09:13:04 UTC: the receiver replied with
 * status 503, next attempt 09:14:10 UTC`. Times of more than a day before wall time `now` have a date.
 */
export function describeDelivery(delivery: DeliveryReport, now: number): string {
  const { receiver, state, action, queuedAt, acceptedAt, reason, nextAttemptAt } = delivery;
  const noun = nouns[action];
  const accepted = acceptedAt === null ? '' : ` ${describeTime(acceptedAt, now)}`;
  if (state === 'accepted')
    return `${receiver} accepted the ${noun}${accepted}${reason === '' ? '' : `, but ${reason}`}`;
  const because = reason === '' ? '' : `: ${reason}`;
  if (state !== 'pending' && state !== 'parked') return `${receiver}: ${noun} ${state}${because}`;
  const since = queuedAt === null ? '' : ` since ${describeTime(queuedAt, now)}`;
  const next = nextAttemptAt === null ? '' : `, next attempt ${describeTime(nextAttemptAt, now)}`;
  const earlier = acceptedAt === null ? ':' : ` accepted${accepted};`;
  return `${receiver}${earlier} ${noun} ${state}${since}${because}${next}`;
}

const day = 86_400_000;

function describeTime(timestamp: string, now: number): string {
  const time = Date.parse(timestamp);
  return Math.abs(now - time) < day ? `${formatTimeOfDay(time)} UTC` : formatMoment(time);
}
