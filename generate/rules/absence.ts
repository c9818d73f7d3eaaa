import { alertName } from '../../src/alert/identity.ts';
import type { Severity } from '../../src/model/alert.ts';
import { onePerThing } from './aggregation.ts';
import { linksOf } from './links.ts';
import type { AlertRule } from './rule-file.ts';

/** Something that is not there. It keeps its labels where graphwarden tells what it expects. */
interface Absence {
  /** As a rule is named. */
  readonly name: string;
  /** The rule of the catalogue that is about the same: where that is to be seen, this is too. */
  readonly like?: string;
  readonly scope: 'cluster' | 'self';
  readonly severity: Severity;
  readonly hold: string;
  readonly expr: string;
  readonly summary: string;
  readonly description: string;
}

/** The name under which examples and chart scrape graphwarden. */
const job = 'graphwarden';

/** What no rule of a running graphwarden can tell. */
export const absences: readonly Absence[] = [
  {
    name: 'gone',
    scope: 'self',
    severity: 'critical',
    hold: '5m',
    // Nothing is left that could tell what is missing: the job is all there is.
    expr: `sum by (job, namespace) (up{job="${job}"}) == 0 or absent(up{job="${job}"})`,
    summary: 'No graphwarden is scraped by the job {{ $labels.job }}{{ with $labels.namespace }} in {{ . }}{{ end }}',
    description:
      'Prometheus has read no page of graphwarden for 5 minutes: none runs, none answers, or it is scraped by a job of another name. Nobody watches the clusters, and no other alert about them can fire.',
  },
  {
    name: 'target_down',
    scope: 'self',
    severity: 'warning',
    hold: '5m',
    // Each for itself: beside each node of a cluster there may be one, and no other one sees that node.
    expr: `up{job="${job}"} == 0`,
    summary: 'graphwarden at {{ $labels.instance }} is not scraped',
    description:
      'Prometheus has read no page of the graphwarden at {{ $labels.instance }} for 5 minutes. What it alone watches is on no page, and no other alert about that can fire.',
  },
  {
    name: 'collector_absent',
    like: 'collector_blind',
    scope: 'cluster',
    severity: 'warning',
    hold: '10m',
    // What runs by calendar has no interval: its first reading may be a week away.
    expr: onePerThing('graphwarden_collector_interval_seconds unless graphwarden_collector_success', [
      'node',
      'collector',
    ]),
    summary:
      '{{ $labels.collector }} of {{ $labels.cluster_name }} was never read{{ with $labels.node }} on {{ . }}{{ end }}',
    description:
      'The collector {{ $labels.collector }} is expected{{ with $labels.node }} on {{ . }}{{ end }} and has not ended a reading since graphwarden started, neither well nor badly. Rules that go by it say nothing.',
  },
  {
    name: 'cluster_without_nodes',
    like: 'node_unreachable',
    scope: 'cluster',
    severity: 'critical',
    hold: '5m',
    expr: onePerThing('graphwarden_cluster_nodes == 0', []),
    summary: '{{ $labels.cluster_name }} is configured, and no node of it is known',
    description:
      'No node of {{ $labels.cluster_name }} is watched: discovery finds none. There is nothing of the cluster on the page, so that no other alert about it can fire.',
  },
];

/** The alerts about what is not there. */
export function absenceAlerts(): readonly AlertRule[] {
  return absences.map(({ severity, hold, expr, summary, description, ...absence }) => ({
    alert: alertName(absence),
    expr,
    for: hold,
    keep_firing_for: '1m',
    labels: { severity },
    annotations: { summary, description, ...linksOf(absence) },
  }));
}
