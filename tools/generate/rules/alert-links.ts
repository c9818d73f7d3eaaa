import { dashboardOf, runbookUrlOf } from '../../../src/alert/links.ts';
import type { Rule } from '../../../src/alert/rule.ts';

/** Default address of Grafana, which the links of the rule files have; the chart replaces it. */
export const defaultGrafanaUrl = 'http://localhost:3000';

/**
 * Returns the links of an alert: its entry in the runbook, and the dashboard with the panels about it. Both are absolute,
 * because mail and chat clients do not open paths.
 */
export function alertLinks(alert: Pick<Rule, 'name' | 'scope' | 'dashboard'>) {
  const chosen = alert.scope === 'cluster' ? '?var-cluster_name={{ $labels.cluster_name | urlquery }}' : '';
  return {
    runbook_url: `${runbookUrlOf()}#${alert.name}`,
    dashboard_url: `${defaultGrafanaUrl}/d/graphwarden-${dashboardOf(alert)}${chosen}`,
  };
}
