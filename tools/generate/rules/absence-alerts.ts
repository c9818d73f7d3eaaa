import { alertName } from '../../../src/alert/active-alert.ts';
import type { Dashboard } from '../../../src/alert/rule.ts';
import type { Severity } from '../../../src/model/alert.ts';
import { aggregatePerSubject } from './aggregation.ts';
import { alertLinks } from './alert-links.ts';
import type { AlertRule } from './rule-file.ts';

/** An alert about missing data. It keeps its labels if graphwarden exports what it expects. */
interface AbsenceRule {
  /** Name in snake case, as for a rule. */
  readonly name: string;
  /** Dashboard that the alert links, as for a rule. */
  readonly dashboard?: Dashboard;
  readonly scope: 'cluster' | 'self';
  readonly severity: Severity;
  readonly for: string;
  readonly expr: string;
  readonly summary: string;
  readonly description: string;
}

/** Job under which the examples and the chart scrape graphwarden. */
const job = 'graphwarden';

/** Alerts about what a running graphwarden cannot detect. */
export const absenceRules: readonly AbsenceRule[] = [
  {
    name: 'gone',
    scope: 'self',
    severity: 'critical',
    for: '5m',
    // Without graphwarden, only the job is known.
    expr: `sum by (job, namespace) (up{job="${job}"}) == 0 or absent(up{job="${job}"})`,
    summary:
      'Prometheus scrapes no graphwarden in the job {{ $labels.job }}{{ with $labels.namespace }} in {{ . }}{{ end }}',
    description:
      'Prometheus has not scraped graphwarden for 5 minutes: no instance runs or responds, or the scrape job has another name. The clusters are not monitored, and no other alert about them can fire.',
  },
  {
    name: 'target_down',
    scope: 'self',
    severity: 'warning',
    for: '5m',
    // Per instance: in sidecar mode, each instance monitors a node that no other instance monitors.
    expr: `up{job="${job}"} == 0`,
    summary: 'Prometheus cannot scrape graphwarden at {{ $labels.instance }}',
    description:
      'Prometheus has not scraped graphwarden at {{ $labels.instance }} for 5 minutes. Metrics that only this instance exports are missing, and alerts on them cannot fire.',
  },
  {
    name: 'collector_absent',
    scope: 'cluster',
    dashboard: 'graphwarden',
    severity: 'warning',
    for: '10m',
    // Collectors with a schedule have no interval: their first poll may be a week away.
    expr: aggregatePerSubject('graphwarden_collector_interval_seconds unless graphwarden_collector_success', [
      'node',
      'collector',
    ]),
    summary:
      'The collector {{ $labels.collector }} of {{ $labels.cluster_name }} has never completed a poll{{ with $labels.node }} on {{ . }}{{ end }}',
    description:
      'The collector {{ $labels.collector }} has neither succeeded nor failed{{ with $labels.node }} on {{ . }}{{ end }} since graphwarden started. Rules that use its data do not fire.',
  },
  {
    name: 'cluster_without_nodes',
    scope: 'cluster',
    severity: 'critical',
    for: '5m',
    expr: aggregatePerSubject('graphwarden_cluster_nodes == 0', []),
    summary: 'No node of {{ $labels.cluster_name }} is known',
    description:
      'Discovery finds no node of {{ $labels.cluster_name }}. There are no metrics of the cluster, so no other alert about it can fire.',
  },
];

/** Returns the alerts about missing data. */
export function absenceAlerts(): readonly AlertRule[] {
  return absenceRules.map(({ severity, for: pending, expr, summary, description, ...absence }) => ({
    alert: alertName(absence),
    expr,
    for: pending,
    keep_firing_for: '1m',
    labels: { severity },
    annotations: { summary, description, ...alertLinks(absence) },
  }));
}
