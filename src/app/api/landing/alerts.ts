import type { AlertView } from '../../../alert/alert-view.ts';
import { formatElapsed } from '../../../kernel/duration.ts';
import { type Statement, say, type Tone } from './statement.ts';
import { count } from './words.ts';

/** Maximum number of alerts on the page; the others are counted. */
const most = 20;

const tones: Readonly<Record<AlertView['severity'], Tone>> = { critical: 'bad', warning: 'warning', info: 'plain' };

/**
 * Returns statements such as «critical: Partition 1 of GPE has no replica online, for 5 min», the most severe and oldest
 * first. An inhibited alert is only counted at the alert that inhibits it, so that the cause stays visible.
 */
export function alertsInWords(alerts: readonly AlertView[], wall: number): readonly Statement[] {
  const firing = alerts.filter(({ phase }) => phase === 'firing').toSorted(byGravity);
  if (firing.length === 0) return [say('good', 'None fires')];
  const keys = new Set(firing.map(({ key }) => key));
  const explained = Map.groupBy(firing, ({ inhibitedBy = '' }) => (keys.has(inhibitedBy) ? inhibitedBy : ''));
  const own = explained.get('') ?? [];
  const rest = own.length - most;
  return [
    ...own.slice(0, most).map((alert) => inWords(alert, explained.get(alert.key)?.length ?? 0, wall)),
    ...(rest > 0 ? [say('warning', `${count(rest, 'alert')} more`)] : []),
  ];
}

function inWords(alert: AlertView, explains: number, wall: number): Statement {
  const { severity, annotations, labels, startsAt } = alert;
  const summary = annotations.summary ?? labels.alertname ?? alert.rule;
  const suppressed = suppression(alert);
  const more = explains === 0 ? '' : ` (explains ${count(explains, 'alert')} more)`;
  const text = `${severity}: ${summary}, for ${formatElapsed(wall - startsAt)}${more}`;
  return suppressed === '' ? say(tones[severity], text, deliveryNote(alert)) : say('plain', text, suppressed);
}

function deliveryNote({ unrouted = false, acknowledgement }: AlertView): string {
  const acknowledged = acknowledgement === undefined ? '' : `Acknowledged by ${acknowledgement.author}`;
  return unrouted ? 'Sent to no receiver: its route has none, or none is configured' : acknowledged;
}

function suppression({ silencedBy, maintenance, inhibitedBy }: AlertView): string {
  if (silencedBy !== undefined) return `Silenced (${silencedBy})`;
  if (maintenance !== undefined) return `Suppressed by the maintenance window ${maintenance}`;
  return inhibitedBy === undefined ? '' : 'Inhibited by another alert';
}

const order = ['critical', 'warning', 'info'];

function byGravity(one: AlertView, other: AlertView): number {
  return order.indexOf(one.severity) - order.indexOf(other.severity) || one.startsAt - other.startsAt;
}
