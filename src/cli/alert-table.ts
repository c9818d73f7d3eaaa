import type { AlertReport, SilenceReport } from '../app/alert-report.ts';
import { formatDuration } from '../kernel/duration.ts';
import { aligned, printable } from './aligned.ts';

/** Labels that have a column of their own, or say in other words what one says. */
const elsewhere = new Set(['alertname', 'severity', 'cluster_name', 'cluster']);

/** Alerts as people look at them, in the order in which they came. */
export function alertTable(alerts: readonly AlertReport[], now: number): string {
  if (alerts.length === 0) return 'no alerts\n';
  const header = ['SINCE', 'STATE', 'SEVERITY', 'CLUSTER', 'RULE', 'WHERE', 'SUMMARY'];
  const causes = new Map(alerts.map((alert) => [alert.key, `${alert.rule} ${whereOf(alert)}`.trim()]));
  return aligned([header, ...alerts.map((alert) => rowOf(alert, causes, now).map(printable))]);
}

/** Silences as people look at them. */
export function silenceTable(silences: readonly SilenceReport[], now: number): string {
  if (silences.length === 0) return 'no silences\n';
  const header = ['ID', 'BEGINS', 'ENDS', 'AUTHOR', 'MATCH', 'REASON'];
  const rows = silences.map(({ id, startsAt, endsAt, author, match, reason }) => [
    id,
    Date.parse(startsAt) > now ? moment(startsAt) : 'holds',
    moment(endsAt),
    author,
    Object.entries(match)
      .map(([name, values]) => `${name}=${values.join('|')}`)
      .join(' '),
    reason,
  ]);
  return aligned([header, ...rows.map((row) => row.map(printable))]);
}

/** What alerts are called that explain others, by key. */
type Causes = ReadonlyMap<string, string>;

function rowOf(alert: AlertReport, causes: Causes, now: number): readonly string[] {
  const { severity, cluster, rule, annotations, startsAt } = alert;
  return [
    lengthOf(now - Date.parse(startsAt)),
    stateOf(alert, causes),
    severity,
    cluster === '' ? '(graphwarden)' : cluster,
    rule,
    whereOf(alert),
    annotations.summary ?? '',
  ];
}

function whereOf({ labels }: AlertReport): string {
  const where = Object.entries(labels).filter(([name, value]) => !elsewhere.has(name) && value !== '');
  return where.map(([name, value]) => `${name}=${value}`).join(' ');
}

/** Whether anybody was told is what people want to know of what fires. */
function stateOf({ phase, silencedBy, inhibitedBy, maintenance }: AlertReport, causes: Causes): string {
  if (phase !== 'firing') return phase;
  if (silencedBy !== null) return `silenced (${silencedBy})`;
  if (maintenance !== null) return `maintenance (${maintenance})`;
  return inhibitedBy === null ? 'firing' : `explained by ${causes.get(inhibitedBy) ?? 'another'}`;
}

/** In the two largest units. */
function lengthOf(millis: number): string {
  const length = formatDuration(Math.max(0, Math.floor(millis / 1000)) * 1000);
  return /^(?:\d+[a-z]+){1,2}/.exec(length)?.[0] ?? length;
}

function moment(text: string): string {
  return `${text.slice(0, 19).replace('T', ' ')}Z`;
}
