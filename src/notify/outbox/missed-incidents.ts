import { clusterOfAlert } from '../../model/alert.ts';
import type { MissedIncident } from '../notifier.ts';
import type { QueuedIncident } from './queued-incident.ts';
import { incidentName } from './reconcile-queue.ts';

/** Incidents that a receiver was not notified of individually. */
export interface MissedIncidents {
  /** The newest of them, oldest first. */
  readonly newest: readonly MissedIncident[];
  readonly count: number;
}

/** No missed incidents. */
export const noMissedIncidents: MissedIncidents = { newest: [], count: 0 };

const maxListed = 50;
const maxSummaryLength = 300;

/** Adds an incident that began and ended before its trigger was sent. */
export function withMissed({ newest, count }: MissedIncidents, { alert }: QueuedIncident): MissedIncidents {
  const { key, episode, severity, startsAt } = alert;
  const summary = (alert.annotations.summary ?? '').slice(0, maxSummaryLength);
  const endsAt = alert.endsAt ?? startsAt;
  const cluster = clusterOfAlert(alert);
  const entry = { key, episode, ...(cluster !== '' && { cluster }), summary, severity, startsAt, endsAt };
  return { newest: [...newest, entry].slice(-maxListed), count: count + 1 };
}

/** Returns the union of two lists of missed incidents; incidents that are in both count once. */
export function mergeMissed(one: MissedIncidents, other: MissedIncidents): MissedIncidents {
  const known = new Set(one.newest.map(incidentName));
  const added = other.newest.filter((incident) => !known.has(incidentName(incident)));
  const unlisted = other.count - other.newest.length;
  const newest = [...added, ...one.newest].toSorted((first, second) => first.endsAt - second.endsAt);
  return { newest: newest.slice(-maxListed), count: one.count + added.length + unlisted };
}

/** Returns the missed incidents of some clusters only; unlisted ones count as incidents of graphwarden itself. */
export function missedOf({ newest, count }: MissedIncidents, isOwn: (cluster: string) => boolean): MissedIncidents {
  const kept = newest.filter(({ cluster = '' }) => isOwn(cluster));
  const unlisted = isOwn('') ? Math.max(0, count - newest.length) : 0;
  return { newest: kept, count: kept.length + unlisted };
}

/**
 * Returns the incidents that a digest with `reported` does not contain. They can be older than the reported ones, if
 * the state directory became available while the digest was sent.
 */
export function missedSince(current: MissedIncidents, reported: MissedIncidents): MissedIncidents {
  const known = new Set(reported.newest.map(incidentName));
  const newest = current.newest.filter((incident) => !known.has(incidentName(incident)));
  return { newest, count: current.count - reported.count };
}
