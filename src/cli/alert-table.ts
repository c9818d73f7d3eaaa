import type { AlertReport, SilenceReport } from '../api/alerts.ts';
import { describeDelivery } from '../app/incidents/delivery-report.ts';
import { formatElapsed } from '../kernel/duration.ts';
import { replaceControlCharacters } from '../kernel/visible-text.ts';
import { formatTable, formatTimeCell, type Terminal } from './table.ts';

/** Labels that repeat the content of another column. */
const hiddenLabels = new Set(['alertname', 'severity', 'cluster_name', 'cluster']);

/** Alerts as a table in the given order, those that are suppressed last, and below it the events of the past that other alerts report. */
export function alertTable(alerts: readonly AlertReport[], now: number, terminal?: Terminal): string {
  const states = alerts.filter(({ event }) => !event).toSorted(suppressedLast);
  const events = alerts.filter(({ event }) => event);
  const causes = new Map(alerts.map((alert) => [alert.key, `${alert.rule} ${alertLabels(alert)}`.trim()]));
  const header = ['SEVERITY', 'SINCE', 'STATE', 'SUMMARY', 'NOTIFIED', 'INCIDENT', 'CLUSTER', 'RULE', 'LABELS'];
  const rows = states.map((alert) => [
    alert.severity,
    elapsedSince(alert, now),
    alert.state,
    ...commonCells(alert, causes, now),
  ]);
  const table = formatTable([header, ...rows.map((row) => row.map(replaceControlCharacters))], terminal);
  return (states.length === 0 ? 'no alerts\n' : table) + (events.length === 0 ? '' : eventTable(events, now, terminal));
}

function suppressedLast(one: AlertReport, other: AlertReport): number {
  return Number(one.state === 'suppressed') - Number(other.state === 'suppressed');
}

/** Events as a table: an event has an age instead of a state. */
function eventTable(events: readonly AlertReport[], now: number, terminal?: Terminal): string {
  const header = ['EVENT', 'SUMMARY', 'NOTIFIED', 'INCIDENT', 'CLUSTER', 'RULE', 'LABELS'];
  const rows = events.map((alert) => [`${elapsedSince(alert, now)} ago`, ...commonCells(alert, new Map(), now)]);
  return `\n${formatTable([header, ...rows.map((row) => row.map(replaceControlCharacters))], terminal)}`;
}

/** Silences as a table. */
export function silenceTable(silences: readonly SilenceReport[], now: number, terminal?: Terminal): string {
  if (silences.length === 0) return 'no silences\n';
  const header = ['ID', 'STARTS', 'ENDS', 'MATCHERS', 'AUTHOR', 'REASON'];
  const rows = silences.map(({ id, startsAt, endsAt, author, matchers, reason }) => [
    id,
    Date.parse(startsAt) > now ? formatTimeCell(startsAt) : 'active',
    formatTimeCell(endsAt),
    matchers.join(' '),
    author,
    reason,
  ]);
  return formatTable([header, ...rows.map((row) => row.map(replaceControlCharacters))], terminal);
}

/** Names of the alerts that inhibit others, by key. */
type AlertNames = ReadonlyMap<string, string>;

function commonCells(alert: AlertReport, causes: AlertNames, now: number): readonly string[] {
  const { incident, cluster, rule, annotations } = alert;
  return [
    annotations.summary ?? '',
    alertDeliveries(alert, causes, now),
    incident === '' ? '-' : incident,
    cluster === '' ? '(graphwarden)' : cluster,
    rule,
    alertLabels(alert),
  ];
}

function elapsedSince({ startsAt }: AlertReport, now: number): string {
  return formatElapsed(Math.max(0, now - Date.parse(startsAt)));
}

/** Receivers with the state of their latest notification, after the reason why no further one is sent. */
function alertDeliveries(alert: AlertReport, causes: AlertNames, now: number): string {
  const { deliveries, unrouted, acknowledgement } = alert;
  const parts = [
    suppression(alert, causes),
    acknowledgement === null ? '' : `acknowledged by ${acknowledgement.author}`,
    unrouted ? 'no receiver' : '',
    ...describeDeliveries(deliveries, now),
  ].filter(Boolean);
  return parts.length === 0 ? '-' : parts.join('; ');
}

/** Describes notifications, with the receivers that have the same result together. */
function describeDeliveries(deliveries: AlertReport['deliveries'], now: number): readonly string[] {
  const groups = Map.groupBy(deliveries, (one) => describeDelivery({ ...one, receiver: '' }, now));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const receiver = [first, ...others].map((one) => one.receiver).join(', ');
    return describeDelivery({ ...first, receiver }, now);
  });
}

function suppression({ state, silencedBy, inhibitedBy, maintenance }: AlertReport, causes: AlertNames): string {
  if (state !== 'suppressed') return '';
  if (silencedBy !== null) return `silenced by ${silencedBy}`;
  if (maintenance !== null) return `maintenance window ${maintenance}`;
  return `inhibited by ${causes.get(inhibitedBy ?? '') ?? 'another alert'}`;
}

function alertLabels({ labels }: AlertReport): string {
  const shown = Object.entries(labels).filter(([name, value]) => !hiddenLabels.has(name) && value !== '');
  return shown.map(([name, value]) => `${name}=${value}`).join(' ');
}
