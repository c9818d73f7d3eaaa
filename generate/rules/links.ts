import { runbook } from '../../src/alert/texts.ts';

/** Where an alert leads: to its entry in the runbook, and to a dashboard, on whatever Grafana there is. */
export function linksOf(rule: string, scope: 'cluster' | 'self') {
  const dashboard =
    scope === 'self'
      ? '/d/graphwarden-graphwarden'
      : '/d/graphwarden-cluster?var-cluster_name={{ $labels.cluster_name }}';
  return { runbook_url: `${runbook}#${rule}`, dashboard_url: dashboard };
}
