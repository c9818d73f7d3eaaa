import { runbookUrlOf } from '../../../src/alert/links.ts';
import { cluster } from '../dashboards/cluster.ts';
import { graphwarden } from '../dashboards/graphwarden.ts';
import { queries } from '../dashboards/queries.ts';

/** An alert and its subject. */
interface LinkedAlert {
  readonly name: string;
  readonly scope: 'cluster' | 'self';
  /** Rule of the catalog about the same subject, if the alert is not in the catalog. */
  readonly like?: string;
}

/** Dashboards that an alert can link. The fleet dashboard is not one of them, because it does not show details. */
const dashboards = [cluster, queries, graphwarden];

/** Default address of Grafana, which the links of the rule files have; the chart replaces it. */
export const defaultGrafanaUrl = 'http://localhost:3000';

/**
 * Returns the links of an alert: its entry in the runbook, and the first dashboard with a panel about it. Both are
 * absolute, because mail and chat clients do not open paths.
 */
export function alertLinks({ name, scope, like = name }: LinkedAlert) {
  const { name: dashboard } =
    dashboards.find(({ rows }) => rows.some(({ panels }) => panels.some(isAbout))) ?? graphwarden;
  const chosen = scope === 'cluster' ? '?var-cluster_name={{ $labels.cluster_name | urlquery }}' : '';
  return {
    runbook_url: `${runbookUrlOf()}#${name}`,
    dashboard_url: `${defaultGrafanaUrl}/d/graphwarden-${dashboard}${chosen}`,
  };

  function isAbout({ rules = [] }: { readonly rules?: readonly string[] }): boolean {
    return rules.includes(like);
  }
}
