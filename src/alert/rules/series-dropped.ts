import { isOverLimit, nameFamilies } from '../../model/series-drop.ts';
import type { ClusterRule } from '../rule.ts';
import { wasPolled } from './collector-freshness.ts';

/** A limit drops series, so dashboards and Prometheus rules that need them have no data. */
export const seriesDropped: ClusterRule = {
  name: 'series_dropped',
  about: 'A limit on the number of series drops series of the cluster from the metrics page.',
  scope: 'cluster',
  severity: 'warning',
  // Longer than one garbled answer with many names.
  for: 120_000,
  keepFiringFor: 120_000,
  thresholds: [],
  labels: ['reason'],
  needs: [],
  families: [],
  summary: 'Series of {{cluster_name}} are missing on the metrics page (limits.{{reason}})',
  description:
    'limits.{{reason}} drops {{series}} series of {{cluster_name}}: {{families}}. Dashboards and Prometheus rules do not see them; the rules of graphwarden do. Raise the limit, or expose fewer series: graphwarden doctor predicts them.',
  resolved: 'limits.{{reason}} drops no series of {{cluster_name}}.',
  twin: 'graphwarden_series_dropped{reason=~"series_per_.+"} > 0',
  twinTexts: {
    description:
      'limits.{{reason}} drops series of {{cluster_name}}; the log of graphwarden (series dropped) names their families. Dashboards and Prometheus rules do not see them; the rules of graphwarden do. Raise the limit, or expose fewer series: graphwarden doctor predicts them.',
  },
  dashboard: 'graphwarden',
  // After a start, the page fills up as the first polls end.
  knows: (situation) =>
    situation.collectors.every(
      ({ collector, node, interval }) => interval === undefined || wasPolled(situation, collector, node),
    ),
  *evaluate({ dropped }) {
    for (const drop of dropped) {
      if (!isOverLimit(drop)) continue;
      yield { labels: { reason: drop.reason }, facts: { series: String(drop.series), families: nameFamilies(drop) } };
    }
  },
};
