import type { AlertReport, SilenceReport } from '../api/alerts.ts';
import { describeDelivery } from '../app/incidents/delivery-report.ts';
import { formatElapsed } from '../kernel/duration.ts';
import { replaceControlCharacters } from '../kernel/visible-text.ts';
import { formatTable, formatTimeCell, type Terminal } from './table.ts';

/** Labels that repeat the content of another column. */
const hiddenLabels = new Set(['alertname', 'severity', 'cluster_name', 'cluster']);

/** Alerts as a table, in the given order. */
export function alertTable(alerts: readonly AlertReport[], now: number, terminal?: Terminal): string {
  if (alerts.length === 0) return 'no alerts\n';
  const header = ['SINCE', 'STATE', 'SEVERITY', 'CLUSTER', 'RULE', 'LABELS', 'INCIDENT', 'NOTIFIED', 'SUMMARY'];
  const causes = new Map(alerts.map((alert) => [alert.key, `${alert.rule} ${alertLabels(alert)}`.trim()]));
  return formatTable(
    [header, ...alerts.map((alert) => alertRow(alert, causes, now).map(replaceControlCharacters))],
    terminal,
  );
}

/** Silences as a table. */
export function silenceTable(silences: readonly SilenceReport[], now: number, terminal?: Terminal): string {
  if (silences.length === 0) return 'no silences\n';
  const header = ['ID', 'STARTS', 'ENDS', 'AUTHOR', 'MATCHERS', 'REASON'];
  const rows = silences.map(({ id, startsAt, endsAt, author, matchers, reason }) => [
    id,
    Date.parse(startsAt) > now ? formatTimeCell(startsAt) : 'active',
    formatTimeCell(endsAt),
    author,
    matchers.join(' '),
    reason,
  ]);
  return formatTable([header, ...rows.map((row) => row.map(replaceControlCharacters))], terminal);
}

/** Names of the alerts that inhibit others, by key. */
type AlertNames = ReadonlyMap<string, string>;

function alertRow(alert: AlertReport, causes: AlertNames, now: number): readonly string[] {
  const { incident, severity, cluster, rule, annotations, startsAt } = alert;
  return [
    formatElapsed(now - Date.parse(startsAt)),
    alertState(alert, causes),
    severity,
    cluster === '' ? '(graphwarden)' : cluster,
    rule,
    alertLabels(alert),
    incident === '' ? '-' : incident,
    alertDeliveries(alert, now),
    annotations.summary ?? '',
  ];
}

function alertDeliveries({ deliveries, unrouted }: AlertReport, now: number): string {
  if (deliveries.length === 0) return unrouted ? 'no receiver' : '-';
  return deliveries.map((delivery) => describeDelivery(delivery, now)).join('; ');
}

function alertLabels({ labels }: AlertReport): string {
  const shown = Object.entries(labels).filter(([name, value]) => !hiddenLabels.has(name) && value !== '');
  return shown.map(([name, value]) => `${name}=${value}`).join(' ');
}

/** State of an alert, with the reason why no notification is sent for it. */
function alertState(alert: AlertReport, causes: AlertNames): string {
  const { phase, recoveringSince, silencedBy, inhibitedBy, maintenance, unrouted, acknowledgement } = alert;
  if (phase !== 'firing') return phase;
  if (silencedBy !== null) return `silenced (${silencedBy})`;
  if (maintenance !== null) return `maintenance (${maintenance})`;
  if (inhibitedBy !== null) return `inhibited by ${causes.get(inhibitedBy) ?? 'another alert'}`;
  if (recoveringSince !== null) return 'recovering (condition over)';
  if (unrouted) return 'firing, sent to no receiver';
  return acknowledgement === null ? 'firing' : `acknowledged (${acknowledgement.author})`;
}
