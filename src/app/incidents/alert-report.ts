import type { AlertView } from '../../alert/alert-view.ts';
import type { Acknowledgement, Silence } from '../../alert/alerting.ts';
import { formatMatcher } from '../../alert/matcher.ts';
import { queryAborted } from '../../alert/rules/query-aborted.ts';
import { type AlertReport, alertPhases, type SilenceReport } from '../../api/alerts.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { severities, shortIncidentId } from '../../model/alert.ts';
import type { IncidentDelivery } from '../../model/delivery.ts';
import { reportDelivery } from './delivery-report.ts';

/** Returns the latest notification of an incident to each of its receivers. */
export type DeliveryLookup = (incident: Pick<AlertView, 'key' | 'episode'>) => readonly IncidentDelivery[];

/** Returns alerts as the API shows them: firing before pending before resolved, then by severity, the newest first. */
export function reportAlerts(views: readonly AlertView[], deliveriesOf: DeliveryLookup): readonly AlertReport[] {
  const sorted = views.toSorted((one, other) => rank(one) - rank(other) || other.startsAt - one.startsAt);
  return sorted.map((view) => reportAlert(view, deliveriesOf(view)));
}

/** Orders alerts of several replicas like {@link reportAlerts}. */
export function compareAlerts(one: AlertReport, other: AlertReport): number {
  return rank(one) - rank(other) || Date.parse(other.startsAt) - Date.parse(one.startsAt);
}

/** Returns a silence as the API shows it. */
export function reportSilence({ id, matchers, startsAt, endsAt, author, reason }: Silence): SilenceReport {
  const times = { startsAt: formatTimestamp(startsAt), endsAt: formatTimestamp(endsAt) };
  return { id, matchers: matchers.map(formatMatcher), ...times, author, reason };
}

function reportAcknowledgement({ at, ...acknowledgement }: Acknowledgement): AlertReport['acknowledgement'] {
  return { ...acknowledgement, at: formatTimestamp(at) };
}

function reportAlert(view: AlertView, deliveries: readonly IncidentDelivery[]): AlertReport {
  const { key, episode, rule, severity, phase, labels, annotations, startsAt, endsAt, acknowledgement } = view;
  return {
    key,
    episode,
    incident: episode === 0 ? '' : shortIncidentId(view),
    cluster: labels.cluster_name ?? '',
    rule,
    severity,
    phase,
    state: stateOf(view),
    event: rule === queryAborted.name,
    labels,
    annotations,
    startsAt: formatTimestamp(startsAt),
    endsAt: endsAt === undefined ? null : formatTimestamp(endsAt),
    recoveringSince: view.recoveringSince === undefined ? null : formatTimestamp(view.recoveringSince),
    silencedBy: view.silencedBy ?? null,
    inhibitedBy: view.inhibitedBy ?? null,
    maintenance: view.maintenance ?? null,
    unrouted: view.unrouted ?? false,
    deliveries: deliveries.map(reportDelivery),
    acknowledgement: acknowledgement === undefined ? null : reportAcknowledgement(acknowledgement),
  };
}

function stateOf({ phase, silencedBy, maintenance, inhibitedBy, recoveringSince }: AlertView): AlertReport['state'] {
  if (phase !== 'firing') return phase;
  if ((silencedBy ?? maintenance ?? inhibitedBy) !== undefined) return 'suppressed';
  return recoveringSince === undefined ? 'firing' : 'recovering';
}

function rank({ phase, severity }: Pick<AlertView, 'phase' | 'severity'>): number {
  return alertPhases.indexOf(phase) * severities.length + severities.indexOf(severity);
}
