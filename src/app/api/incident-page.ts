import type { AlertView } from '../../alert/alert-view.ts';
import type { DeliveryReport, NotificationReport } from '../../api/notifications.ts';
import { formatElapsed } from '../../kernel/duration.ts';
import { formatMoment } from '../../kernel/timestamp.ts';
import { shortIncidentId } from '../../model/alert.ts';
import { describeDelivery } from '../incidents/delivery-report.ts';
import { documentOf, type Html, html } from './html-document.ts';

/** Content of the page of one incident. */
export interface IncidentPage {
  readonly incident: AlertView;
  /** Latest notification to each receiver. */
  readonly deliveries: readonly DeliveryReport[];
  /** Entries of the delivery log, the newest first; undefined if the log cannot be read. */
  readonly log: readonly NotificationReport[] | undefined;
  readonly wall: number;
  /** The route prefix. */
  readonly prefix: string;
}

/** Labels that the page shows elsewhere. */
const hiddenLabels = new Set(['alertname', 'severity', 'cluster_name']);

/** Returns the page of one incident as text: state, times, texts, links, and the form that acknowledges it. */
export function incidentPage(page: IncidentPage): string {
  const { incident, prefix } = page;
  const { annotations, rule, severity, phase } = incident;
  const summary = annotations.summary ?? rule;
  const state = phase === 'resolved' ? 'resolved' : severity;
  return documentOf({
    title: `${state}: ${summary} · graphwarden`,
    body: [
      html`<header><h1>graphwarden</h1><p><a href="${prefix}/">All clusters</a></p></header>`,
      html`<main><section class="${toneOf(incident)}"><h2>${summary} <span class="verdict ${toneOf(incident)}">${state}</span></h2>
<dl>${rows(page)}</dl>${acknowledgeForm(page)}</section>${deliveryLog(page)}</main>`,
    ],
  });
}

function toneOf({ phase, severity }: AlertView): string {
  if (phase === 'resolved') return 'good';
  return severity === 'critical' ? 'bad' : severity;
}

function rows(page: IncidentPage): readonly Html[] {
  const { incident, wall } = page;
  const { annotations, labels, acknowledgement } = incident;
  const { description = '', related_events: related = '', current_state: current = '' } = annotations;
  const listed = Object.entries(labels).filter(([name, value]) => !hiddenLabels.has(name) && value !== '');
  return [
    row('State', html`${describeState(incident, wall)}`),
    ...deliveryRow(page),
    ...textRow('State now', current),
    ...textRow('Description', description),
    ...(related === ''
      ? []
      : [row('Before it', html`<ul>${related.split('\n').map((line) => html`<li>${line}</li>`)}</ul>`)]),
    ...(acknowledgement === undefined ? [] : [row('Acknowledged', html`${describeAcknowledgement(acknowledgement)}`)]),
    row('Incident', html`<code>${shortIncidentId(incident)}</code>`),
    row('Labels', html`${listed.map(([name, value]) => html`<code>${name}="${value}"</code> `)}`),
    ...linkRow('Runbook', annotations.runbook_url),
    ...linkRow('Dashboard', annotations.dashboard_url),
  ];
}

function row(name: string, content: Html): Html {
  return html`<dt>${name}</dt><dd>${content}</dd>
`;
}

/** Returns the row with one line for each receiver. Suppressed incidents have none; the state says why. */
function deliveryRow({ deliveries, wall }: IncidentPage): readonly Html[] {
  const lines = deliveries.map((delivery) => describeDelivery(delivery, wall));
  if (lines.length === 0) return [];
  return [row('Notified', html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`)];
}

/** Returns the entries of the delivery log as a list, the newest first. */
function deliveryLog({ log }: IncidentPage): Html {
  if (log === undefined)
    return html`<section class="warning"><h2>Delivery log</h2><p>It cannot be read now.</p></section>`;
  if (log.length === 0) return html``;
  return html`<section><h2>Delivery log</h2><ul>${log.map((entry) => html`<li>${describeEntry(entry)}</li>`)}</ul></section>`;
}

function describeEntry({ at, receiver, action, result, reason, proof, status }: NotificationReport): string {
  const details = result === 'accepted' ? `${status ?? ''} ${proof}`.trim() : reason;
  const entry = `${formatMoment(Date.parse(at))} ${receiver}: ${action} ${result}`;
  return details === '' ? entry : `${entry} (${details})`;
}

function textRow(name: string, text: string): readonly Html[] {
  return text === '' ? [] : [row(name, html`${text}`)];
}

function linkRow(name: string, url: string | undefined): readonly Html[] {
  return url !== undefined && /^https?:/.test(url) ? [row(name, html`<a href="${url}">${url}</a>`)] : [];
}

function describeState(incident: AlertView, wall: number): string {
  const { phase, startsAt, endsAt = wall, silencedBy, maintenance, inhibitedBy, unrouted = false } = incident;
  const since = formatMoment(startsAt);
  if (phase === 'resolved')
    return `Resolved at ${formatMoment(endsAt)}; it began at ${since} and lasted ${formatElapsed(endsAt - startsAt)}.`;
  const firing = `Firing since ${since}, for ${formatElapsed(wall - startsAt)}.`;
  if (silencedBy !== undefined) return `${firing} Silenced (${silencedBy}).`;
  if (maintenance !== undefined) return `${firing} Suppressed by the maintenance window ${maintenance}.`;
  if (inhibitedBy !== undefined) return `${firing} Inhibited by another alert.`;
  return unrouted ? `${firing} Sent to no receiver: its route has none, or none is configured.` : firing;
}

function describeAcknowledgement({ author, comment, at }: NonNullable<AlertView['acknowledgement']>): string {
  return `By ${author} at ${formatMoment(at)}${comment === '' ? '.' : `: ${comment}`}`;
}

function acknowledgeForm({ incident, prefix }: IncidentPage): Html {
  if (incident.phase === 'resolved' || incident.acknowledgement !== undefined) return html``;
  return html`<form method="post" action="${prefix}/incidents/${shortIncidentId(incident)}">
<p><label>Your name <input name="author" maxlength="100" autocomplete="name"></label>
<label>Comment <input name="comment" maxlength="1000"></label>
<button>Acknowledge</button></p></form>`;
}
