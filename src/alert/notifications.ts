import type { Instant } from '../kernel/time.ts';
import { formatMoment, formatTimestamp } from '../kernel/timestamp.ts';
import type { AcknowledgementChange, Alert, AlertNotification, Destination } from '../model/alert.ts';
import type { Acknowledgement } from './alerting.ts';
import type { Incident, Suppression } from './incident.ts';
import type { Target } from './routing.ts';

/** An incident and the notifications to send for it now. */
export interface NotifyResult {
  readonly incident: Incident;
  readonly notifications: readonly AlertNotification[];
}

/** Notifies new receivers of an incident and reminds receivers whose repeat interval is over, unless it is suppressed. */
export function notifyFiring(
  episode: Incident,
  suppression: Suppression | undefined,
  targets: readonly Target[],
  { now, externalUrl }: { readonly now: Instant; readonly externalUrl?: string },
): NotifyResult {
  const { suppression: before, uninhibitedSince = now.mono, ...free } = episode;
  if (suppression !== undefined) return { incident: { ...free, suppression }, notifications: [] };
  // After the inhibiting alert ends, the inhibited incident gets its `for` duration again to end by itself.
  if (before?.kind === 'inhibition' && now.mono - uninhibitedSince < episode.for) {
    return { incident: { ...free, suppression: before, uninhibitedSince }, notifications: [] };
  }
  const added = targets.filter(({ receiver }) => !Object.hasOwn(episode.notified, receiver));
  const isAcknowledged = episode.acknowledgement !== undefined;
  const again = targets.filter(
    ({ receiver, repeatInterval }) => !isAcknowledged && isRepeatDue(episode.notified[receiver], repeatInterval, now),
  );
  if (added.length + again.length === 0) return { incident: free, notifications: [] };
  const alert = firingAlert(episode, externalUrl);
  const notice = (to: readonly Target[], isAgain: boolean): readonly AlertNotification[] =>
    to.length === 0 ? [] : [{ kind: 'trigger', alert, isReminder: isAgain, to: to.map(destinationOf), due: now.wall }];
  const at = Object.fromEntries([...added, ...again].map(({ receiver }) => [receiver, now.wall]));
  return {
    incident: { ...free, notified: { ...free.notified, ...at } },
    notifications: [...notice(added, false), ...notice(again, true)],
  };
}

/** Returns the resolved notification of an incident if any receiver was notified of it. */
export function notifyResolved(
  episode: Incident,
  { now, externalUrl }: { readonly now: Instant; readonly externalUrl?: string },
): readonly AlertNotification[] {
  if (Object.keys(episode.notified).length === 0) return [];
  const alert = resolvedAlert(episode, externalUrl, now);
  return [{ kind: 'resolve', alert, due: now.wall }];
}

/** Returns the resolved alert of an incident. */
export function resolvedAlert(episode: Incident, externalUrl: string | undefined, { wall }: Instant): Alert {
  return { ...firingAlert(episode, externalUrl), status: 'resolved', endsAt: wall };
}

function isRepeatDue(notifiedAt: number | undefined, repeat: number, { wall }: Instant): boolean {
  // A notification time in the future means that the clock was set back: the reminder does not wait for that time.
  return notifiedAt !== undefined && repeat > 0 && (wall - notifiedAt >= repeat || notifiedAt > wall);
}

function destinationOf({ receiver, group, groupWait, fallback }: Target): Destination {
  return { receiver, group, groupWait, ...(fallback === undefined ? {} : { fallback }) };
}

/** Returns the notification of a changed acknowledgement if any receiver was notified of the incident. */
export function notifyAcknowledged(
  episode: Incident,
  change: AcknowledgementChange,
  { now, externalUrl }: { readonly now: Instant; readonly externalUrl?: string },
): readonly AlertNotification[] {
  if (Object.keys(episode.notified).length === 0) return [];
  return [{ kind: 'acknowledge', change, alert: firingAlert(episode, externalUrl), due: now.wall }];
}

/** Returns `by ada at 2026-09-22 04:53:20 UTC: replacing the disk`. */
function describeAcknowledgement({ author, comment, at }: Acknowledgement): string {
  return `by ${author} at ${formatMoment(at)}${comment === '' ? '' : `: ${comment}`}`;
}

/** Returns the firing alert of an incident. */
export function firingAlert(episode: Incident, externalUrl: string | undefined): Alert {
  const { key, number, rule, severity, labels, annotations, startsAt, acknowledgement } = episode;
  const started = formatTimestamp(startsAt);
  const acknowledged = acknowledgement && { acknowledgement: describeAcknowledgement(acknowledgement) };
  return {
    key,
    episode: number,
    rule,
    severity,
    labels,
    annotations: { ...annotations, ...acknowledged, episode: String(number), started },
    status: 'firing',
    startsAt,
    generatorUrl: externalUrl ?? '',
  };
}
