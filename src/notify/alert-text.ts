import { formatElapsed } from '../kernel/duration.ts';
import { formatMoment, formatTimeOfDay } from '../kernel/timestamp.ts';
import { type Alert, type AlertEffect, severities, shortIncidentId } from '../model/alert.ts';
import {
  type AlertLink,
  type AlertList,
  type AlertText,
  formatLabels,
  headline,
  isHttpUrl,
  singleLine,
  truncate,
} from './notification-text.ts';
import type { AlertsRequest, Detail } from './notifier.ts';
import { summaryText } from './summary-text.ts';

/** Properties of a request that determine the wording about its alerts. */
export type Occasion = Pick<AlertsRequest, 'isReminder' | 'isUpdate' | 'acknowledgement'>;

const maxHeadlineLength = 1000;
const maxParagraphLength = 2000;
const maxItemLength = 200;

/** Returns the text about an alert. A shorter detail has the headline and the period, and for a resolve the state now. */
export function alertText(alert: Alert, occasion: Occasion, detail: Detail): AlertText {
  const parts = {
    state: `${stateLabel(alert, occasion)} ${alert.severity}${lastingOf(alert)}`,
    headline: headline(alert, detail, maxHeadlineLength),
    period: periodOf(alert),
    id: shortIncidentId(alert),
  };
  if (detail !== 'full')
    return { ...parts, paragraphs: endParagraphs(alert, detail), lists: [], labels: '', links: [] };
  return {
    ...parts,
    paragraphs: paragraphsOf(alert, occasion).map((text) => truncate(singleLine(text), maxParagraphLength)),
    lists: listsOf(alert),
    labels: formatLabels(alert.labels, ['alertname', 'severity']),
    links: linksOf(alert),
  };
}

/** Returns the texts about the alerts of a request, one for a summary: firing before resolved, then the most severe, then the oldest. */
export function alertTexts(request: AlertsRequest, detail: Detail): readonly AlertText[] {
  const sorted = sortAlerts(request.alerts);
  if (request.isSummary === true) return [summaryText(sorted, requestState(request), detail)];
  return sorted.map((alert) => alertText(alert, request, detail));
}

/** Returns alerts in the order of texts. */
export function sortAlerts(alerts: readonly Alert[]): readonly Alert[] {
  return alerts.toSorted(
    (one, other) =>
      Number(one.status === 'resolved') - Number(other.status === 'resolved') ||
      severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
      one.startsAt - other.startsAt,
  );
}

/**
 * Returns the state of a request for a title: `FIRING critical`, or for several alerts
 * `FIRING 1 critical, 2 warning, RESOLVED 1`. If all are resolved, it has the duration of the longest incident.
 */
export function requestState(request: AlertsRequest): string {
  const sorted = sortAlerts(request.alerts);
  const [first] = sorted;
  if (first === undefined) return '';
  if (sorted.length === 1) return `${stateLabel(first, request)} ${first.severity}${lastingOf(first)}`;
  const firing = sorted.filter(({ status }) => status === 'firing');
  const resolved = sorted.length - firing.length;
  if (firing.length === 0) return `RESOLVED ${countSeverities(sorted)}${lastingOf(longest(sorted, first))}`;
  return `${stateLabel(first, request)} ${countSeverities(firing)}${resolved === 0 ? '' : `, RESOLVED ${resolved}`}`;
}

/** Returns the alert that lasted longest. */
function longest(alerts: readonly Alert[], first: Alert): Alert {
  return alerts.reduce((longer, one) => (durationOf(one) > durationOf(longer) ? one : longer), first);
}

function durationOf({ startsAt, endsAt = startsAt }: Alert): number {
  return endsAt - startsAt;
}

/** Returns `1 critical, 2 warning`. */
function countSeverities(alerts: readonly Alert[]): string {
  const counts = severities.map(
    (severity) => [alerts.filter((one) => one.severity === severity).length, severity] as const,
  );
  return counts.flatMap(([count, severity]) => (count === 0 ? [] : [`${count} ${severity}`])).join(', ');
}

/** Returns the number of further alerts for a title: ` (and 2 more)`. The title of a summary has the number of all. */
export function furtherAlerts({ alerts, isSummary }: AlertsRequest): string {
  return alerts.length > 1 && isSummary !== true ? ` (and ${alerts.length - 1} more)` : '';
}

/** Returns a text and `end`, together at most `most` characters long; only the text is cut. */
export function withEnd(text: string, end: string, most: number): string {
  return `${truncate(text, Math.max(1, most - end.length))}${end}`;
}

/** Returns the annotations of an alert with its effects as text, for receivers that take annotations. */
export function annotationsWithEffects(alert: Alert): Readonly<Record<string, string>> {
  const effects = effectsOf(alert);
  return effects === undefined ? alert.annotations : { ...alert.annotations, effects: effects.items.join('\n') };
}

function stateLabel({ status }: Alert, { isReminder, isUpdate, acknowledgement }: Occasion): string {
  if (status === 'resolved') return 'RESOLVED';
  if (acknowledgement !== undefined) return acknowledgement.toUpperCase();
  if (isUpdate === true) return 'UPDATED';
  return isReminder ? 'STILL FIRING' : 'FIRING';
}

function lastingOf({ startsAt, endsAt }: Alert): string {
  return endsAt === undefined ? '' : ` after ${formatElapsed(endsAt - startsAt)}`;
}

function periodOf({ startsAt, endsAt }: Alert): string {
  const since = `since ${formatMoment(startsAt)}`;
  if (endsAt === undefined) return since;
  return `${since}, until ${formatMoment(endsAt)} (${formatElapsed(endsAt - startsAt)})`;
}

/** Returns the state after an incident, which the short form of a resolve keeps. */
function endParagraphs({ status, annotations }: Alert, detail: Detail): readonly string[] {
  const { current_state: current = '' } = annotations;
  if (status === 'firing' || current === '' || detail === 'minimal') return [];
  return [truncate(singleLine(current), maxItemLength)];
}

function paragraphsOf({ status, annotations, formerCause }: Alert, { acknowledgement }: Occasion): readonly string[] {
  const { description = '', current_state: current = '', acknowledgement: author = '' } = annotations;
  const acknowledged = author === '' ? '' : `Acknowledged ${author}.`;
  const withdrawn = acknowledgement === 'unacknowledged' ? 'The acknowledgement is withdrawn. Reminders resume.' : '';
  const former =
    formerCause && `The first cause, «${formerCause.summary}», ended at ${formatMoment(formerCause.endsAt)}.`;
  const texts = status === 'resolved' ? [current] : [acknowledged, withdrawn, former ?? '', description];
  return texts.filter((text) => text !== '');
}

function listsOf(alert: Alert): readonly AlertList[] {
  if (alert.status === 'resolved') return [];
  const related = (alert.annotations.related_events ?? '').split('\n').filter((line) => line !== '');
  const before = {
    title: 'Shortly before or after',
    items: related.map((line) => truncate(singleLine(line), maxItemLength)),
  };
  const effects = effectsOf(alert);
  return [...(effects === undefined ? [] : [effects]), ...(related.length === 0 ? [] : [before])];
}

function effectsOf({ effects }: Alert): AlertList | undefined {
  if (effects === undefined || effects.count === 0) return undefined;
  const rest = effects.count - effects.listed.length;
  const items = effects.listed.map(describeEffect);
  return { title: `Effects (${effects.count})`, items: rest > 0 ? [...items, `… and ${rest} more`] : items };
}

function describeEffect({ severity, summary, rule, startsAt }: AlertEffect): string {
  const text = truncate(singleLine(summary === '' ? rule : summary), maxItemLength);
  return `${severity}: ${text}, since ${formatTimeOfDay(startsAt)} UTC`;
}

function linksOf({ generatorUrl, annotations }: Alert): readonly AlertLink[] {
  return [
    { text: 'Incident', url: generatorUrl },
    { text: 'Runbook', url: annotations.runbook_url ?? '' },
    { text: 'Dashboard', url: annotations.dashboard_url ?? '' },
  ].filter(({ url }) => isHttpUrl(url) && url.length <= 1000);
}
