import type { AlertView } from '../../alert/alert-view.ts';
import type { Acknowledgement, Silence } from '../../alert/alerting.ts';
import { formatMatcher } from '../../alert/matcher.ts';
import { type AlertReport, alertPhases, type SilenceReport } from '../../api/alerts.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { severities, shortIncidentId } from '../../model/alert.ts';

/** Returns alerts as the API shows them: firing before pending before resolved, then by severity, the newest first. */
export function reportAlerts(views: readonly AlertView[]): readonly AlertReport[] {
  return views.toSorted((one, other) => rank(one) - rank(other) || other.startsAt - one.startsAt).map(reportAlert);
}

/** Returns a silence as the API shows it. */
export function reportSilence({ id, matchers, startsAt, endsAt, author, reason }: Silence): SilenceReport {
  const times = { startsAt: formatTimestamp(startsAt), endsAt: formatTimestamp(endsAt) };
  return { id, matchers: matchers.map(formatMatcher), ...times, author, reason };
}

function reportAcknowledgement({ at, ...acknowledgement }: Acknowledgement): AlertReport['acknowledgement'] {
  return { ...acknowledgement, at: formatTimestamp(at) };
}

function reportAlert(view: AlertView): AlertReport {
  const { key, episode, rule, severity, phase, labels, annotations, startsAt, endsAt, acknowledgement } = view;
  return {
    key,
    episode,
    incident: episode === 0 ? '' : shortIncidentId(view),
    cluster: labels.cluster_name ?? '',
    rule,
    severity,
    phase,
    labels,
    annotations,
    startsAt: formatTimestamp(startsAt),
    endsAt: endsAt === undefined ? null : formatTimestamp(endsAt),
    silencedBy: view.silencedBy ?? null,
    inhibitedBy: view.inhibitedBy ?? null,
    maintenance: view.maintenance ?? null,
    unrouted: view.unrouted ?? false,
    acknowledgement: acknowledgement === undefined ? null : reportAcknowledgement(acknowledgement),
  };
}

function rank({ phase, severity }: AlertView): number {
  return alertPhases.indexOf(phase) * severities.length + severities.indexOf(severity);
}
