import type { Instant, Millis } from '../kernel/time.ts';
import { formatMoment, formatTimestamp } from '../kernel/timestamp.ts';
import {
  type AcknowledgementChange,
  type Alert,
  type AlertNotification,
  type Destination,
  heartbeatRule,
  type Severity,
  severities,
} from '../model/alert.ts';
import type { Acknowledgement } from './alerting.ts';
import type { Incident, IncidentUpdates, Suppression } from './incident.ts';
import { describeEffects, notifiedLabels, notifiedSeverity } from './incident-content.ts';
import { incidentUrl } from './links.ts';
import type { Target } from './routing.ts';

/** An incident and the notifications to send for it now. */
export interface NotifyResult {
  readonly incident: Incident;
  readonly notifications: readonly AlertNotification[];
}

/** Delay of an update by the kind of the change: several changes within it are one update. */
const updateDelays = { urgent: 5000, change: 30_000 } as const;

/** Shortest time between two notifications of an incident whose changes are not urgent. */
const updateInterval: Millis = 300_000;

/** Inputs of {@link notifyFiring} besides the incident. */
interface NotifyContext {
  readonly now: Instant;
  readonly externalUrl?: string;
  readonly effects?: readonly Incident[];
}

/**
 * Notifies new receivers of an incident, notified receivers of its changes, and reminds receivers whose repeat interval is
 * over, unless it is suppressed.
 */
export function notifyFiring(
  incident: Incident,
  suppression: Suppression | undefined,
  targets: readonly Target[],
  { now, externalUrl, effects = [] }: NotifyContext,
): NotifyResult {
  if (suppression !== undefined && isSuppressedAlike(incident, suppression)) return { incident, notifications: [] };
  const { suppression: before, uninhibitedSince = now, waitingSince } = incident;
  const free = withoutSuppression(incident);
  if (suppression?.kind === 'awaited_cause')
    return { incident: { ...free, suppression, waitingSince: suppression.since }, notifications: [] };
  const waited = waitingSince === undefined ? {} : { waitingSince };
  if (suppression !== undefined) return { incident: { ...free, ...waited, suppression }, notifications: [] };
  // After the inhibiting alert ends, the inhibited incident gets its `for` duration again to end by itself.
  const mayEnd = now.mono - uninhibitedSince.mono < incident.for || incident.recoveringSince !== undefined;
  if (before?.kind === 'inhibition' && mayEnd) {
    return { incident: { ...free, suppression: before, uninhibitedSince }, notifications: [] };
  }
  const due = dueNotifications(incident, targets, now);
  const routed = markUnrouted(withReleased(free, targets), targets);
  const count = due.added.length + due.withheld.length + due.changed.length + due.again.length;
  if (count === 0) return { incident: routed, notifications: [] };
  const alert = firingAlert(incident, externalUrl, effects);
  const notice = (to: readonly Destination[], more: { isReminder: boolean; isUpdate?: true }) =>
    to.length === 0 ? [] : [{ kind: 'trigger', alert, ...more, to, due: now.wall } as const];
  const receivers = [...due.added, ...due.changed, ...due.again].map(({ receiver }) => receiver);
  return {
    incident: withNotified(routed, receivers, now),
    notifications: [
      ...notice([...due.added, ...due.withheld].map(destinationOf), { isReminder: false }),
      ...notice(due.changed, { isReminder: false, isUpdate: true }),
      ...notice(due.again.map(destinationOf), { isReminder: true }),
    ],
  };
}

function markUnrouted(incident: Incident, targets: readonly Target[]): Incident {
  const isNotified = targets.length > 0 || Object.keys(incident.notified).length > 0;
  const unrouted = !isNotified && incident.rule !== heartbeatRule;
  return unrouted === (incident.unrouted ?? false) ? incident : { ...incident, unrouted };
}

/** Returns an incident without what belongs to a suppression; the same object if it has nothing of that. */
function withoutSuppression(incident: Incident): Incident {
  const isFree =
    incident.suppression === undefined &&
    incident.waitingSince === undefined &&
    incident.uninhibitedSince === undefined;
  if (isFree) return incident;
  const { suppression: _, uninhibitedSince: __, waitingSince: ___, ...free } = incident;
  return free;
}

/** Returns whether an incident is suppressed as before. The check is cheap, because there can be thousands of effects. */
function isSuppressedAlike({ suppression: before, uninhibitedSince }: Incident, suppression: Suppression): boolean {
  if (before === undefined || uninhibitedSince !== undefined || suppression.kind === 'awaited_cause') return false;
  return before.kind === suppression.kind && suppressorOf(before) === suppressorOf(suppression);
}

function suppressorOf(suppression: Suppression): string {
  if (suppression.kind === 'silence') return suppression.id;
  return suppression.kind === 'maintenance' ? suppression.name : suppression.by;
}

/** Returns an incident whose notifications to its targets are no longer withheld; the same object if none was. */
function withReleased(incident: Incident, targets: readonly Target[]): Incident {
  const withheld = withheldReceivers(incident);
  const kept = withheld.filter((name) => targets.every(({ receiver }) => receiver !== name));
  if (incident.isWithheld !== true && kept.length === withheld.length) return incident;
  const { isWithheld: _, withheldFrom: __, ...released } = incident;
  return kept.length === 0 ? released : { ...released, withheldFrom: kept };
}

/** Returns the receivers whose notifications are withheld. */
function withheldReceivers({ isWithheld, notified, withheldFrom = [] }: Incident): readonly string[] {
  return isWithheld === true ? Object.keys(notified) : withheldFrom;
}

interface DueNotifications {
  readonly added: readonly Target[];
  /** Receivers that were to be notified before the suppression, and may not know of the incident. */
  readonly withheld: readonly Target[];
  readonly changed: readonly Destination[];
  readonly again: readonly Target[];
}

function dueNotifications(incident: Incident, targets: readonly Target[], now: Instant): DueNotifications {
  const withheld = withheldReceivers(incident);
  const isNotified = ({ receiver }: Target) => Object.hasOwn(incident.notified, receiver);
  const added = targets.filter((target) => !isNotified(target));
  const outdated = Object.keys(incident.notified).filter((receiver) => isUpdateDue(incident, receiver, now));
  const changed = outdated.map((receiver): Destination => {
    const target = targets.find((one) => one.receiver === receiver);
    return target === undefined ? { receiver, group: {}, groupWait: 0 } : destinationOf(target);
  });
  const isAcknowledged = incident.acknowledgement !== undefined;
  const again = targets.filter(
    ({ receiver, repeatInterval }) =>
      !isAcknowledged && !outdated.includes(receiver) && isRepeatDue(incident.notified[receiver], repeatInterval, now),
  );
  return { added, withheld: targets.filter(({ receiver }) => withheld.includes(receiver)), changed, again };
}

/**
 * Whether a receiver should get the changes of an incident now. It gets those also if the routes no longer lead to it.
 */
function isUpdateDue(incident: Incident, receiver: string, { wall, mono }: Instant): boolean {
  const { updates, notified, isWithheld, recoveringSince } = incident;
  if (updates === undefined) return false;
  const { revision, raised, urgent, sent, changedAt = mono } = updates;
  const known = sent[receiver] ?? 0;
  if (known >= revision) return false;
  if (known < raised || isWithheld === true) return true;
  if (known < urgent) return mono - changedAt >= updateDelays.urgent;
  // Its resolve follows soon.
  if (recoveringSince !== undefined) return false;
  const since = wall - (notified[receiver] ?? 0);
  return mono - changedAt >= updateDelays.change && (since >= updateInterval || since < 0);
}

/** Records that receivers are notified of an incident as it is now. */
function withNotified(incident: Incident, receivers: readonly string[], { wall, mono }: Instant): Incident {
  const notified = { ...incident.notified, ...Object.fromEntries(receivers.map((name) => [name, wall])) };
  const { updates } = incident;
  if (updates === undefined) return { ...incident, notified };
  const { revision } = updates;
  const sent = { ...updates.sent, ...Object.fromEntries(receivers.map((name) => [name, revision])) };
  const isComplete = Object.keys(notified).every((name) => (sent[name] ?? 0) >= revision);
  return { ...incident, notified, updates: { ...updates, sent, changedAt: isComplete ? undefined : mono } };
}

/** Returns the resolved notification of an incident if any receiver was notified of it. */
export function notifyResolved(
  incident: Incident,
  { now, externalUrl }: { readonly now: Instant; readonly externalUrl?: string },
): readonly AlertNotification[] {
  if (Object.keys(incident.notified).length === 0) return [];
  const alert = resolvedAlert(incident, externalUrl, now);
  return [{ kind: 'resolve', alert, due: now.wall }];
}

/** Returns the resolved alert of an incident. */
export function resolvedAlert(incident: Incident, externalUrl: string | undefined, { wall }: Instant): Alert {
  const alert = firingAlert(incident, externalUrl);
  return { ...alert, ...beginningOf(alert), severity: highestSeverity(alert), status: 'resolved', endsAt: wall };
}

/** Returns the start and the texts of the cause with which an incident began: receivers know the incident by it. */
function beginningOf({ annotations, formerCause }: Alert): Partial<Alert> {
  if (formerCause === undefined) return {};
  const { summary, startsAt } = formerCause;
  return { startsAt, annotations: { ...annotations, summary, title: summary, started: formatTimestamp(startsAt) } };
}

/** Returns the highest severity that receivers know of an incident. */
function highestSeverity({ severity, formerLabels = [] }: Alert): Severity {
  const known = new Set<string | undefined>([severity, ...formerLabels.map(({ labels }) => labels.severity)]);
  return severities.find((one) => known.has(one)) ?? severity;
}

function isRepeatDue(notifiedAt: number | undefined, repeat: number, { wall }: Instant): boolean {
  // A notification time in the future means that the clock was set back: the reminder does not wait for that time.
  return notifiedAt !== undefined && repeat > 0 && (wall - notifiedAt >= repeat || notifiedAt > wall);
}

function destinationOf({ receiver, group, groupWait, groupInterval, fallback }: Target): Destination {
  return {
    receiver,
    group,
    groupWait,
    ...(groupInterval === undefined ? {} : { groupInterval }),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

/** Returns the notification of a changed acknowledgement if any receiver was notified of the incident. */
export function notifyAcknowledged(
  incident: Incident,
  change: AcknowledgementChange,
  { now, externalUrl, effects }: NotifyContext,
): readonly AlertNotification[] {
  if (Object.keys(incident.notified).length === 0) return [];
  return [{ kind: 'acknowledge', change, alert: firingAlert(incident, externalUrl, effects), due: now.wall }];
}

/** Returns `by ada at 2026-09-22 04:53:20 UTC: replacing the disk`. */
function describeAcknowledgement({ author, comment, at }: Acknowledgement): string {
  return `by ${author} at ${formatMoment(at)}${comment === '' ? '' : `: ${comment}`}`;
}

/** Returns the firing alert of an incident: its texts are those of the cause. */
export function firingAlert(
  incident: Incident,
  externalUrl: string | undefined,
  effects: readonly Incident[] = [],
): Alert {
  const { key, number, rule, annotations, startsAt, acknowledgement, updates } = incident;
  const started = formatTimestamp(startsAt);
  const described = describeEffects(incident, effects);
  const acknowledged = acknowledgement && { acknowledgement: describeAcknowledgement(acknowledgement) };
  return {
    key,
    episode: number,
    rule,
    severity: notifiedSeverity(incident),
    labels: notifiedLabels(incident),
    annotations: { ...annotations, ...acknowledged, episode: String(number), started },
    status: 'firing',
    startsAt,
    generatorUrl: incidentUrl(incident, externalUrl),
    ...(described && { effects: described }),
    ...(updates === undefined ? {} : alertUpdates(updates)),
  };
}

function alertUpdates({ revision, formerCause, formerLabels }: IncidentUpdates): Partial<Alert> {
  return {
    ...(revision === 0 ? {} : { revision }),
    ...(formerCause && { formerCause }),
    ...(formerLabels.length === 0 ? {} : { formerLabels }),
  };
}
