import { DashboardLinkBuilder, DashboardLinkType } from '@grafana/grafana-foundation-sdk/dashboard';
import { runbookUrlOf } from '../../../src/alert/links.ts';
import { rules } from '../../../src/alert/rules/all.ts';

/** Tag of all dashboards, by which the links find them. */
export const tag = 'graphwarden';

/** Returns links to all dashboards of the set, with the selected variables and time range, and to the runbook. */
export function dashboardLinks(): DashboardLinkBuilder[] {
  return [
    new DashboardLinkBuilder('Graphwarden')
      .type(DashboardLinkType.Dashboards)
      .tags([tag])
      .includeVars(true)
      .keepTime(true),
    new DashboardLinkBuilder('Runbook').type(DashboardLinkType.Link).icon('doc').url(runbookUrlOf()).targetBlank(true),
  ];
}

/** Where Grafana finds the cluster: in a row of a table, or in the labels of a series. */
const clusterIn = { table: '__data.fields.cluster_name', curve: '__field.labels.cluster_name' } as const;

/** Returns a link to a dashboard for the clicked cluster, which keeps the rest of the selection. */
export function clusterLink(dashboard: string, place: keyof typeof clusterIn): DashboardLinkBuilder {
  const kept = ['datasource', 'job', 'instance'].map((name) => `\${${name}:queryparam}`).join('&');
  return new DashboardLinkBuilder('Open the cluster')
    .type(DashboardLinkType.Link)
    .url(`/d/${tag}-${dashboard}?var-cluster_name=\${${clusterIn[place]}}&${kept}&\${__url_time_range}`);
}

/** Returns links to runbook entries of rules. */
export function runbookLinks(names: readonly string[]): DashboardLinkBuilder[] {
  return names.map((name) => {
    if (!rules.some((rule) => rule.name === name)) throw new Error(`unknown rule ${name}`);
    return new DashboardLinkBuilder(`Runbook: ${name}`)
      .type(DashboardLinkType.Link)
      .url(`${runbookUrlOf()}#${name}`)
      .targetBlank(true);
  });
}
