import type { AlertView } from '../../alert/alert-view.ts';
import { type Statement, say, type Tone } from './statement.ts';
import { count, span } from './words.ts';

/** More than a page can use; the rest is counted. */
const most = 20;

const tones: Readonly<Record<AlertView['severity'], Tone>> = { critical: 'bad', warning: 'warning', info: 'plain' };

/**
 * «critical: Partition 1 of GPE has no replica online, for 5 min», the gravest and oldest first. What another alert
 * explains is counted beside that one: it must not bury its cause.
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
  const held = heldBack(alert);
  const more = explains === 0 ? '' : ` (explains ${count(explains, 'alert')} more)`;
  const text = `${severity}: ${summary}, for ${span(wall - startsAt)}${more}`;
  return say(held === '' ? tones[severity] : 'plain', text, held);
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
