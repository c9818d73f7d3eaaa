import { counter, gauge, type Metric, type Sample, sample } from '../metric/metric.ts';
import type { AlertingSettings } from './alerting.ts';
import type { AlertingState, Incident } from './incident.ts';
import { isIncident } from './incident-lookup.ts';
import type { Rule } from './rule.ts';

const firing = gauge({
  name: 'graphwarden_alerts_firing',
  help: 'Firing alerts, including suppressed alerts; 0 for a rule without firing alerts.',
  labels: ['rule', 'severity'],
  source: 'alerting',
});

const open = gauge({
  name: 'graphwarden_incidents_open',
  help: 'Open incidents by the rule of their first cause, without alerts that an incident includes or inhibits; absent for a rule without an incident.',
  labels: ['rule'],
  source: 'alerting',
});

const silenced = gauge({
  name: 'graphwarden_alerts_silenced',
  help: 'Firing alerts that are suppressed by a silence, a maintenance window or an inhibiting alert.',
  source: 'alerting',
});

const unrouted = gauge({
  name: 'graphwarden_alerts_unrouted',
  help: 'Firing alerts that were sent to no receiver, because their route has none or none is configured.',
  source: 'alerting',
});

const incidents = counter({
  name: 'graphwarden_alerts_episodes_total',
  help: 'Total number of incidents; an incident lasts from the start of firing until the alert is resolved.',
  labels: ['rule', 'severity'],
  source: 'alerting',
});

/** Metrics of alerting. */
export const alertingMetrics: readonly Metric[] = [firing, open, silenced, unrouted, incidents];

/** Returns the counts to expose, by rule and severity: a new series is 0 for a minute. */
export type ShownCounts = (counts: Iterable<readonly [string, number]>) => Iterable<readonly [string, number]>;

/**
 * Yields the samples of one cluster's alerts, or of self-alerts for `''`. Each enabled rule has a gauge from the start.
 */
export function* alertingSamples(
  state: AlertingState,
  cluster: string,
  rules: readonly Rule[],
  { rules: ruleSettings, shownCounts }: Pick<AlertingSettings, 'rules'> & { readonly shownCounts: ShownCounts },
): Generator<Sample> {
  const scope = cluster === '' ? 'self' : 'cluster';
  const fires = [...state.incidents.values()].filter((one) => one.cluster === cluster && one.phase === 'firing');
  const shown = new Map<string, { rule: string; severity: string; now: number; ever: number }>();
  const entry = ({ rule, severity }: Pick<Incident, 'rule' | 'severity'>) => {
    const key = `${rule} ${severity}`;
    const known = shown.get(key) ?? { rule, severity, now: 0, ever: 0 };
    shown.set(key, known);
    return known;
  };
  for (const { name, severity, scope: of } of rules) {
    if (of === scope) entry({ rule: name, severity: ruleSettings[name]?.severity ?? severity });
  }
  for (const one of fires) entry(one).now += 1;
  for (const one of state.counts.values()) if (one.cluster === cluster) entry(one).ever += one.count;
  for (const { rule, severity, now } of shown.values()) yield sample(firing, { rule, severity }, now);
  for (const [rule, { length }] of Map.groupBy(fires.filter(isIncident), causeOf)) yield sample(open, { rule }, length);
  yield sample(silenced, {}, fires.filter(({ suppression }) => suppression !== undefined).length);
  yield sample(unrouted, {}, fires.filter((one) => one.unrouted === true).length);
  const counts = Array.from(shown.values(), ({ rule, severity, ever }) => [`${rule} ${severity}`, ever] as const);
  for (const [key, ever] of shownCounts(counts)) {
    const [rule = '', severity = ''] = key.split(' ');
    yield sample(incidents, { rule, severity }, ever);
  }
}

function causeOf({ rule, updates }: Incident): string {
  return updates?.formerCause?.rule ?? rule;
}
