import { formatElapsed } from '../kernel/duration.ts';
import { formatMoment } from '../kernel/timestamp.ts';
import { type Alert, shortIncidentId } from '../model/alert.ts';
import { type AlertList, type AlertText, formatLabels, headline, singleLine, truncate } from './notification-text.ts';
import type { Detail } from './notifier.ts';

/** Most incidents that a summary lists, and most clusters that it names. */
const maxListed = 20;
const maxClusters = 100;
const maxItemLength = 200;

/** Returns the text about incidents of one rule in several groups: their number, clusters and common labels. */
export function summaryText(alerts: readonly Alert[], state: string, detail: Detail): AlertText {
  const [first] = alerts;
  const clusters = clustersOf(alerts);
  const id = first === undefined ? '' : `${shortIncidentId(first)}, and ${alerts.length - 1} more`;
  const parts = { state, headline: summaryHeadline(alerts), period: periodOf(alerts), id };
  if (detail !== 'full') return { ...parts, paragraphs: [], lists: [], labels: '', links: [] };
  const runbook = first?.annotations.runbook_url ?? '';
  return {
    ...parts,
    paragraphs: clusters.length > 1 ? [`Clusters: ${listed(clusters, maxClusters).join(', ')}.`] : [],
    lists: [incidentList(alerts)],
    labels: '',
    links: runbook === '' ? [] : [{ text: 'Runbook', url: runbook }],
  };
}

/** Returns the title of a summary: `GraphdbNodeUnreachable (node=m3): 50 incidents in 50 clusters`. */
export function summaryHeadline(alerts: readonly Alert[]): string {
  const [first] = alerts;
  const clusters = clustersOf(alerts);
  const [cluster = ''] = clusters;
  const scopeText =
    clusters.length > 1 ? ` in ${clusters.length} clusters` : cluster === '' ? '' : ` in cluster ${cluster}`;
  const common = formatLabels(commonLabels(alerts), ['alertname', 'severity', 'cluster_name']);
  const details = common === '' ? '' : ` (${truncate(common, maxItemLength)})`;
  const alertname = first === undefined ? '' : (firstLabels(first).alertname ?? first.rule);
  return `${alertname}${details}: ${alerts.length} incidents${scopeText}`;
}

/** Returns the labels of the first cause of an incident, by which receivers know it. */
function firstLabels({ rule, labels, formerCause, formerLabels = [] }: Alert): Alert['labels'] {
  // The first cause may be the present one again.
  const isPresent = formerCause === undefined || formerCause.rule === rule;
  return isPresent ? labels : (formerLabels[0]?.labels ?? labels);
}

function clustersOf(alerts: readonly Alert[]): readonly string[] {
  const names = new Set(alerts.map(({ labels }) => labels.cluster_name ?? '').filter((name) => name !== ''));
  return [...names].toSorted(inNaturalOrder);
}

const { compare: inNaturalOrder } = new Intl.Collator('en', { numeric: true });

function commonLabels(alerts: readonly Alert[]): Alert['labels'] {
  const [first, ...others] = alerts;
  const own = Object.entries(first === undefined ? {} : firstLabels(first));
  return Object.fromEntries(own.filter(([name, value]) => others.every((other) => firstLabels(other)[name] === value)));
}

function incidentList(alerts: readonly Alert[]): AlertList {
  const items = alerts.map(
    (alert) => `${headline(alert, 'full', maxItemLength)}${endOf(alert)} (${shortIncidentId(alert)})`,
  );
  return { title: `Incidents (${alerts.length})`, items: listed(items, maxListed) };
}

/** Returns how long a resolved incident lasted and the state now; `''` for a firing one. */
function endOf({ startsAt, endsAt, annotations }: Alert): string {
  if (endsAt === undefined) return '';
  const current = truncate(singleLine(annotations.current_state ?? ''), maxItemLength).replace(/\.$/, '');
  return `, resolved after ${formatElapsed(endsAt - startsAt)}${current === '' ? '' : `: ${current}`}`;
}

function listed(items: readonly string[], most: number): readonly string[] {
  return items.length > most ? [...items.slice(0, most), `… and ${items.length - most} more`] : items;
}

function periodOf(alerts: readonly Alert[]): string {
  const from = Math.min(...alerts.map(({ startsAt }) => startsAt));
  const ends = alerts.flatMap(({ endsAt }) => endsAt ?? []);
  if (ends.length < alerts.length) return `since ${formatMoment(from)}`;
  const until = Math.max(...ends);
  return `since ${formatMoment(from)}, until ${formatMoment(until)} (${formatElapsed(until - from)})`;
}
