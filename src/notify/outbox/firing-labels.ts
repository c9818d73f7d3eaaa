import type { Alert } from '../../model/alert.ts';

/**
 * Returns alerts for a receiver that identifies alerts by their labels and keeps the latest state of these, such as
 * Alertmanager. Labels that fire in `all` must not be resolved by another incident that has or had them: incidents can
 * exchange their causes.
 */
export function withFiringLabels(alerts: readonly Alert[], all: readonly Alert[]): readonly Alert[] {
  if (!alerts.some(mayResolve)) return alerts;
  const firing = new Set(all.flatMap(firingLabels));
  return alerts.map((alert) => (mayResolve(alert) ? withoutResolved(alert, firing) : alert));
}

function mayResolve({ status, formerLabels }: Alert): boolean {
  return status === 'resolved' || formerLabels !== undefined;
}

/** Returns the keys of the labels that fire according to an alert. */
function firingLabels({ status, labels, formerLabels = [] }: Alert): readonly string[] {
  if (status === 'resolved') return [];
  return [labels, ...formerLabels.filter(({ endsAt }) => endsAt === undefined).map((one) => one.labels)].map(labelsKey);
}

function withoutResolved(alert: Alert, firing: ReadonlySet<string>): Alert {
  const { endsAt, ...rest } = alert;
  const ends = endsAt === undefined ? {} : { endsAt };
  const formerLabels = (alert.formerLabels ?? [])
    .map((one) => ({ ...ends, ...one }))
    .filter((one) => one.endsAt === undefined || !firing.has(labelsKey(one.labels)));
  const isFiring = alert.status === 'resolved' && firing.has(labelsKey(alert.labels));
  return isFiring ? { ...rest, status: 'firing', formerLabels } : { ...alert, formerLabels };
}

function labelsKey(labels: Alert['labels']): string {
  return JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
