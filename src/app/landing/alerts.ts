import type { AlertView } from '../../alert/alert-view.ts';
import { type Statement, say, type Tone } from './statement.ts';
import { count, span } from './words.ts';

/** More than a page can use; the rest is counted. */
const most = 20;

const tones: Readonly<Record<AlertView['severity'], Tone>> = { critical: 'bad', warning: 'warning', info: 'plain' };

/** «critical: Partition 1 of GPE has no replica online, for 5 min», the gravest and oldest first. */
export function alertsInWords(alerts: readonly AlertView[], wall: number): readonly Statement[] {
  const firing = alerts.filter(({ phase }) => phase === 'firing').toSorted(byGravity);
  if (firing.length === 0) return [say('good', 'None fires')];
  const rest = firing.length - most;
  return [
    ...firing.slice(0, most).map((alert) => inWords(alert, wall)),
    ...(rest > 0 ? [say('warning', `${count(rest, 'alert')} more`)] : []),
  ];
}

function inWords(alert: AlertView, wall: number): Statement {
  const { severity, annotations, labels, startsAt } = alert;
  const summary = annotations.summary ?? labels.alertname ?? alert.rule;
  const held = heldBack(alert);
  return say(held === '' ? tones[severity] : 'plain', `${severity}: ${summary}, for ${span(wall - startsAt)}`, held);
}

function heldBack({ silencedBy, maintenance, inhibitedBy }: AlertView): string {
  if (silencedBy !== undefined) return `Silenced (${silencedBy})`;
  if (maintenance !== undefined) return `Held back during the maintenance window ${maintenance}`;
  return inhibitedBy === undefined ? '' : 'Held back: another alert explains it';
}

const order = ['critical', 'warning', 'info'];

function byGravity(one: AlertView, other: AlertView): number {
  return order.indexOf(one.severity) - order.indexOf(other.severity) || one.startsAt - other.startsAt;
}
