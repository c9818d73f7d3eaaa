import type { Evidence, Finding } from '../evidence.ts';
import { type IncidentNotification, notificationsTo } from './notified-incidents.ts';
import type { StatusSpan } from './served-statuses.ts';

/** Receiver that is notified of all incidents. It gets those that end before their notification is sent in a digest. */
export interface DigestReceiver {
  readonly receiver: string;
  /** Receivers that use the same incident ids. */
  readonly others: readonly string[];
}

/** Returns incidents that other receivers were notified of, and that no line of the receiver with digests contains. */
export function missingIncidents({ receiver, others }: DigestReceiver, evidence: Evidence): readonly Finding[] {
  const reported = new Set(acceptedBy(receiver, evidence).map(({ incident }) => incident));
  const byOthers = others.flatMap((other) => acceptedBy(other, evidence));
  const missing = new Map(byOthers.filter(({ incident }) => !reported.has(incident)).map((one) => [one.incident, one]));
  return [...missing.values()].map(({ incident, notification }) => ({
    kind: 'not in the digest' as const,
    about: `${receiver} got no notification of ${incident}, and ${notification.receiver} got one`,
  }));
}

/** Returns outages of an instance of which the receiver with digests got no notification. */
export function missingOutages(
  instance: string,
  spans: readonly StatusSpan[],
  { receiver }: DigestReceiver,
  evidence: Evidence,
): readonly Finding[] {
  const incidents = episodesOf(acceptedBy(receiver, evidence), instance);
  const findings: Finding[] = [];
  let from = 0;
  for (const outage of outagesOf(spans)) {
    const mayBe = (incident: IncidentSpan, index: number): boolean =>
      index >= from || mayContinue(incident, outage, evidence);
    const found = incidents.findIndex((incident, index) => mayBe(incident, index) && overlaps(incident, outage));
    if (found === -1) findings.push({ kind: 'not in the digest', about: findingText(receiver, instance, outage) });
    // The daemon opens a new incident after each outage that it saw end.
    else from = Math.max(from, found + 1);
  }
  return findings;
}

interface OutageSpan {
  readonly from: number;
  readonly until: number;
}

interface IncidentSpan extends OutageSpan {
  /** Time at which it began to fire. */
  readonly number: number;
}

/** Time in which the daemon evaluates the rules at least once. */
const evaluationTime = 2000;

/**
 * Whether an outage continues an incident of a state directory that came late: the daemon did not know the incident when the
 * former outage ended, and adopts it as firing until its first evaluation after that.
 */
function mayContinue({ number }: IncidentSpan, outage: OutageSpan, evidence: Evidence): boolean {
  return evidence.disturbances.some(
    (one) =>
      one.kind === 'disk' &&
      one.isLate &&
      number < one.from &&
      outage.from >= one.from &&
      outage.from <= firstEvaluation(one.until, evidence),
  );
}

/** Returns when the daemon must have evaluated the rules after `from`, also in a later run if it was killed before. */
function firstEvaluation(from: number, { runs, statusReplies }: Evidence): number {
  for (const [index, { killedAt = Number.POSITIVE_INFINITY }] of runs.entries()) {
    const firstPoll = statusReplies.find(({ run }) => run === index)?.requestedAt ?? killedAt;
    const evaluated = Math.max(from, firstPoll) + evaluationTime;
    if (killedAt > from && evaluated < killedAt) return evaluated;
  }
  return Number.POSITIVE_INFINITY;
}

/** Returns the spans from the first unhealthy status to the next healthy one that the daemon must have noticed. */
function outagesOf(spans: readonly StatusSpan[]): readonly OutageSpan[] {
  const outages: OutageSpan[] = [];
  let isHealthy = true;
  for (const { status, from, until } of spans) {
    if (status !== healthyStatus && isHealthy) outages.push({ from, until });
    isHealthy = status === healthyStatus;
  }
  return outages;
}

const healthyStatus = 'Online';

function acceptedBy(receiver: string, { notifications, runs }: Evidence): readonly IncidentNotification[] {
  return notificationsTo(receiver, notifications, runs).filter(({ notification }) => notification.isAccepted);
}

/** Returns the incidents in the order of their numbers, with the times of the lines, which have whole seconds. */
function episodesOf(notifications: readonly IncidentNotification[], instance: string): readonly IncidentSpan[] {
  const known = new Map<number, OutageSpan>();
  for (const { episode, instance: own, notification, action, incident } of notifications) {
    if (own !== instance || (action === 'resolve' && known.has(episode))) continue;
    const span = spanIn(notification.body, incident);
    if (span !== undefined) known.set(episode, span);
  }
  return [...known].toSorted(([one], [other]) => one - other).map(([number, span]) => ({ ...span, number }));
}

const time = String.raw`(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC`;

/** `(ID, TIME to TIME)` in a digest, `since TIME` before the id in an alert of its own. */
function spanIn(body: string, incident: string): OutageSpan | undefined {
  const reported = new RegExp(
    String.raw`\(${incident}, ${time} to ${time}\)|since ${time}(?:, until ${time})? · ${incident}`,
  );
  const [, from, until, since, ended] = reported.exec(body) ?? [];
  const begin = momentOf(from ?? since);
  if (begin === undefined) return undefined;
  return { from: begin, until: (momentOf(until ?? ended) ?? Number.POSITIVE_INFINITY) + 1000 };
}

function momentOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(`${text.replace(' ', 'T')}Z`);
}

function overlaps(episode: OutageSpan, outage: OutageSpan): boolean {
  return episode.from <= outage.until && episode.until >= outage.from;
}

function findingText(receiver: string, instance: string, { from }: OutageSpan): string {
  return `${receiver} got no notification of the outage of ${instance} from ${new Date(from).toISOString()}`;
}
