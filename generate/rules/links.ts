import { runbook } from '../../src/alert/texts.ts';
import { cluster } from '../dashboards/cluster.ts';
import { graphwarden } from '../dashboards/graphwarden.ts';
import { queries } from '../dashboards/queries.ts';

/** An alert, and what it is about. */
interface Linked {
  readonly name: string;
  readonly scope: 'cluster' | 'self';
  /** A rule of the catalogue that is about the same, where it is none itself. */
  readonly like?: string;
}

/** The fleet is none of them: it shows that something is wrong, and these show what. */
const dashboards = [cluster, queries, graphwarden];

/**
 * Where an alert leads: to its entry in the runbook, and to the first dashboard with a panel about it, on whatever
 * Grafana there is.
 */
export function linksOf({ name, scope, like = name }: Linked) {
  const { name: dashboard } =
    dashboards.find(({ rows }) => rows.some(({ panels }) => panels.some(isAbout))) ?? graphwarden;
  const chosen = scope === 'cluster' ? '?var-cluster_name={{ $labels.cluster_name }}' : '';
  return { runbook_url: `${runbook}#${name}`, dashboard_url: `/d/graphwarden-${dashboard}${chosen}` };

  function isAbout({ rules = [] }: { readonly rules?: readonly string[] }): boolean {
    return rules.includes(like);
  }
}
