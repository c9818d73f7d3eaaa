import { deepEqual } from '../../kernel/deep-equal.ts';
import type { Instant } from '../../kernel/time.ts';
import { type AcknowledgementChange, type Alert, severities } from '../../model/alert.ts';
import type { AlertsRequest, Detail, NotificationRequest, NotifierTraits } from '../notifier.ts';
import { type AlertQueue, type DeliveryAttempt, nextPending } from './alert-queue.ts';
import { withFiringLabels } from './firing-labels.ts';
import { asFiring, type NotificationAction, type QueuedIncident, revisionOf } from './queued-incident.ts';
import type { RetryPreference } from './receiver-health.ts';
import { earliest } from './receiver-status.ts';
import {
  groupCount,
  groupKey,
  maxSeparateGroups,
  maxSummarized,
  type SubjectNotification,
  Summaries,
} from './summaries.ts';

/** The next request to one receiver, with the attempts that it contains. */
export interface SelectedRequest {
  readonly request: NotificationRequest;
  readonly detail: Detail;
  /** By alert key, in the order of the request. */
  readonly attempts: ReadonlyMap<string, DeliveryAttempt>;
  readonly notifications: readonly SubjectNotification[];
}

/** A request, or the monotonic time of the next check; without a time, no notification is pending. */
export type Selection = SelectedRequest | { readonly at: number | undefined };

interface Candidate {
  readonly key: string;
  readonly incident: QueuedIncident;
  readonly action: NotificationAction;
}

const refreshInterval = 60_000;
/** A refresh includes the incidents that are due within this time, which reduces the number of requests. */
const refreshWindow = 30_000;

interface SelectionOptions {
  readonly preference?: RetryPreference;
  /** Recent requests of the receiver. */
  readonly summaries?: Summaries;
}

/** Selects the next request from the queues: the highest severity first, then the oldest. */
export function selectRequest(
  queues: Iterable<AlertQueue>,
  traits: NotifierTraits,
  now: Instant,
  { preference = 'fresh', summaries = new Summaries() }: SelectionOptions = {},
): Selection {
  const { pending, refreshes } = candidatesOf(queues, traits.isLevelTriggered);
  const delays =
    traits.summarizes === true ? summaries.delays(pending.filter(isSummarizable).map(notificationOf), now) : noDelays;
  const dueAt = (one: Candidate): number => Math.max(one.incident.retry.from, delayOf(one, delays));
  const first = firstCandidate(
    pending.filter((one) => dueAt(one) <= now.mono),
    preference,
  );
  const all = [...pending, ...refreshes];
  if (first !== undefined) return withLabels(requestFor(first, pending, traits, now), all, traits);
  const times = refreshes.map(({ incident }) => incident.retry.from + refreshInterval);
  if (times.some((at) => at <= now.mono)) return withLabels(refreshRequest(refreshes, traits, now), all, traits);
  return { at: earliest([...pending.map(dueAt), ...times]) };
}

/** Adapts a request to a receiver that identifies alerts by their labels to all alerts that it knows. */
function withLabels(
  chosen: SelectedRequest,
  all: readonly Candidate[],
  { isLevelTriggered }: NotifierTraits,
): SelectedRequest {
  const { request } = chosen;
  if (!isLevelTriggered || request.kind === 'digest') return chosen;
  return { ...chosen, request: { ...request, alerts: withFiringLabels(request.alerts, all.map(alertToSend)) } };
}

const noDelays: ReadonlyMap<string, number> = new Map();

function delayOf(candidate: Candidate, delays: ReadonlyMap<string, number>): number {
  const delay = delays.size === 0 ? undefined : delays.get(notificationOf(candidate).subject);
  return delay === undefined || !isSummarizable(candidate) ? Number.NEGATIVE_INFINITY : delay;
}

/**
 * Returns whether a summary may include an incident. One with its own message at the receiver is updated and ends
 * there.
 */
function isSummarizable({ incident }: Candidate): boolean {
  return incident.reference === undefined;
}

function notificationOf(candidate: Candidate): SubjectNotification {
  const { rule, status, formerCause } = alertToSend(candidate);
  const { group, due } = candidate.incident;
  // An incident keeps the subject of its first cause.
  return { subject: `${requestKind(candidate)} ${status} ${formerCause?.rule ?? rule}`, group, due };
}

function candidatesOf(
  queues: Iterable<AlertQueue>,
  isLevelTriggered: boolean,
): Record<'pending' | 'refreshes', readonly Candidate[]> {
  const pending: Candidate[] = [];
  const refreshes: Candidate[] = [];
  for (const queue of queues) {
    const head = nextPending(queue);
    const last = queue.incidents.at(-1);
    if (head !== undefined) pending.push({ key: queue.key, ...head });
    else if (isLevelTriggered && last !== undefined && isRefreshed(last)) {
      refreshes.push({ key: queue.key, incident: last, action: 'refresh' });
    }
  }
  return { pending, refreshes };
}

/** Returns whether the state is repeated: the trigger of a suppressed incident that may be unknown is not. */
function isRefreshed({ parked, suppressed, deliveryState, over }: QueuedIncident): boolean {
  return parked === undefined && (suppressed === undefined || deliveryState === 'yes' || over);
}

function firstCandidate(candidates: readonly Candidate[], preference: RetryPreference): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (first, other) => (first === undefined || comesBefore(other, first, preference) ? other : first),
    undefined,
  );
}

function comesBefore(one: Candidate, other: Candidate, preference: RetryPreference): boolean {
  const [failures, others] = [one.incident.retry.failures, other.incident.retry.failures];
  if (failures === others) return byUrgency(one, other) < 0;
  return preference === 'fresh' ? failures < others : others === 0;
}

function byUrgency(one: Candidate, other: Candidate): number {
  const rank = severityRank(one) - severityRank(other);
  return rank === 0 ? one.incident.due - other.incident.due : rank;
}

function severityRank({ incident }: Candidate): number {
  return severities.indexOf(incident.alert.severity);
}

function requestFor(
  first: Candidate,
  pending: readonly Candidate[],
  traits: NotifierTraits,
  now: Instant,
): SelectedRequest {
  const summary = traits.summarizes === true ? summaryOf(first, pending, now) : undefined;
  if (summary !== undefined) return summary;
  const fits = companionFilter(first, traits.isLevelTriggered, now);
  const together = [first, ...pending.filter((other) => other !== first && fits(other)).toSorted(byUrgency)];
  return toRequest(limitBatch(together, traits.maxBatch));
}

/** Returns a summary of all groups with a notification about the same rule; undefined if these are few. */
function summaryOf(first: Candidate, pending: readonly Candidate[], now: Instant): SelectedRequest | undefined {
  if (!isSummarizable(first)) return undefined;
  const { subject } = notificationOf(first);
  const fits = companionFilter(first, true, now);
  const others = pending.filter(
    (other) => other !== first && fits(other) && isSummarizable(other) && notificationOf(other).subject === subject,
  );
  const chosen = toRequest(limitBatch([first, ...others.toSorted(byUrgency)], maxSummarized));
  if (groupCount(chosen.notifications) <= maxSeparateGroups || chosen.request.kind === 'digest') return undefined;
  return { ...chosen, request: { ...chosen.request, group: {}, isSummary: true } };
}

/** Returns the filter for the candidates that fit into a request with `first`: the same group, recipients and detail, and not in backoff. */
function companionFilter(first: Candidate, isLevelTriggered: boolean, now: Instant): (other: Candidate) => boolean {
  const group = groupKey(first.incident.group);
  return (other) => {
    const { retry, deferred } = other.incident;
    if (!deepEqual(deferred?.recipients, first.incident.deferred?.recipients)) return false;
    if (requestKind(other) !== requestKind(first) || retry.detail !== first.incident.retry.detail) return false;
    return (
      (retry.failures === 0 || retry.from <= now.mono) && (isLevelTriggered || groupKey(other.incident.group) === group)
    );
  };
}

type RequestKind = 'state' | 'reminder' | 'update' | AcknowledgementChange;

/** Reminders, updates and acknowledgements have requests of their own; triggers, resolves and refreshes share one. */
function requestKind({ action, incident }: Candidate): RequestKind {
  if (action === 'remind') return 'reminder';
  if (action === 'update') return 'update';
  return (action === 'acknowledge' ? incident.acknowledgement?.change : undefined) ?? 'state';
}

function changeOf(kind: Exclude<RequestKind, 'state'>): Partial<AlertsRequest> {
  if (kind === 'reminder') return {};
  return kind === 'update' ? { isUpdate: true } : { acknowledgement: kind };
}

function limitBatch(candidates: readonly Candidate[], batch: number): readonly Candidate[] {
  let capacity = Math.max(1, batch);
  const taken: Candidate[] = [];
  for (const candidate of candidates) {
    capacity = Math.min(capacity, Math.max(1, candidate.incident.retry.maxBatch));
    if (taken.length >= capacity) break;
    taken.push(candidate);
  }
  return taken;
}

function refreshRequest(refreshes: readonly Candidate[], { maxBatch }: NotifierTraits, now: Instant): SelectedRequest {
  const due = refreshes.filter(({ incident }) => incident.retry.from + refreshInterval - refreshWindow <= now.mono);
  const longest = due.toSorted((one, other) => one.incident.retry.from - other.incident.retry.from);
  const [first] = longest;
  return toRequest(
    limitBatch(
      longest.filter(({ incident }) => incident.retry.detail === first?.incident.retry.detail),
      maxBatch,
    ),
  );
}

function toRequest(candidates: readonly Candidate[]): SelectedRequest {
  const [first] = candidates;
  const kind = first === undefined ? 'state' : requestKind(first);
  const group = first?.incident.group ?? {};
  const reference = candidates.length === 1 ? first?.incident.reference : undefined;
  const { recipients } = first?.incident.deferred ?? {};
  const alerts = {
    kind: 'alerts',
    group,
    alerts: candidates.map(alertToSend),
    isReminder: kind === 'reminder',
    openedAt: candidates.map(({ incident }) => incident.openedAt),
    ...(reference === undefined ? {} : { reference }),
    ...(recipients === undefined ? {} : { recipients }),
  } as const;
  const due = Math.max(...candidates.map(({ incident }) => incident.due));
  const request = kind === 'state' ? alerts : { ...alerts, ...changeOf(kind), due };
  const detail = first?.incident.retry.detail ?? 'full';
  const attempts = new Map(candidates.map(attemptEntry));
  return { request, detail, attempts, notifications: candidates.map(notificationOf) };
}

/** Returns the alert to send; a trigger reports the alert as firing even if it is resolved by now. */
function alertToSend({ incident, action }: Candidate): Alert {
  return action === 'trigger' ? asFiring(incident.alert) : incident.alert;
}

function attemptEntry({ key, incident, action }: Candidate): readonly [string, DeliveryAttempt] {
  const { alert, deliveryState: before, acknowledgement } = incident;
  const change = action === 'acknowledge' ? { acknowledgement } : {};
  return [key, { action, episode: alert.episode, before, revision: revisionOf(alert), ...change }];
}
