import type { AlertReport } from '../../src/api/alerts.ts';
import type { NotificationReport } from '../../src/api/notifications.ts';

/** Earlier or later incident of the same alert, by its notifications. */
export interface PastIncident {
  readonly incident: string;
  /** When its first notification was due. */
  readonly startsAt: string;
  /** When the notification of its end was due; null if none is known. */
  readonly endsAt: string | null;
  readonly summary: string;
}

/** Labels that may differ between incidents of one alert. */
const changingLabels = new Set(['severity']);

/** Returns the other incidents with the labels of `alert`, the newest first. `log` is the delivery log, the newest first. */
export function otherIncidents(
  { labels, incident }: Pick<AlertReport, 'labels' | 'incident'>,
  log: readonly NotificationReport[],
): readonly PastIncident[] {
  const identity = identityOf(labels);
  const same = log.filter((entry) => entry.incident !== incident && identityOf(entry.labels) === identity);
  return [...Map.groupBy(same, (entry) => entry.incident)].flatMap(([id, own]) => {
    const first = own.findLast(({ action }) => action === 'trigger') ?? own.at(-1);
    if (id === '' || first === undefined) return [];
    const end = own.find(({ action }) => action === 'resolve');
    const endsAt = end === undefined ? null : (end.queuedAt ?? end.at);
    return [{ incident: id, startsAt: first.queuedAt ?? first.at, endsAt, summary: first.summary || first.alertname }];
  });
}

function identityOf(labels: AlertReport['labels']): string {
  const kept = Object.entries(labels).filter(([name, value]) => value !== '' && !changingLabels.has(name));
  return JSON.stringify(kept.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
