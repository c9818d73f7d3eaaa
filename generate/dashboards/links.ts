import { DashboardLinkBuilder, DashboardLinkType } from '@grafana/grafana-foundation-sdk/dashboard';
import { rules } from '../../src/alert/rules/all.ts';
import { runbook } from '../../src/alert/texts.ts';

/** What all dashboards carry, by which they find each other. */
export const tag = 'graphwarden';

/** To all other dashboards of the set, with the variables and the time that are chosen, and to the runbook. */
export function dashboardLinks(): DashboardLinkBuilder[] {
  return [
    new DashboardLinkBuilder('Graphwarden')
      .type(DashboardLinkType.Dashboards)
      .tags([tag])
      .includeVars(true)
      .keepTime(true),
    new DashboardLinkBuilder('Runbook').type(DashboardLinkType.Link).icon('doc').url(runbook).targetBlank(true),
  ];
}

/** Where a cluster is in a row of a table, and where in the labels of a curve. */
const clusterIn = { table: '__data.fields.cluster_name', curve: '__field.labels.cluster_name' } as const;

/** To a dashboard about the one cluster that somebody clicks on, with everything else that is chosen. */
export function clusterLink(dashboard: string, place: keyof typeof clusterIn): DashboardLinkBuilder {
  const kept = ['datasource', 'job', 'instance'].map((name) => `\${${name}:queryparam}`).join('&');
  return new DashboardLinkBuilder('Open the cluster')
    .type(DashboardLinkType.Link)
    .url(`/d/${tag}-${dashboard}?var-cluster_name=\${${clusterIn[place]}}&${kept}&\${__url_time_range}`);
}

/** To the entries of the runbook about what a panel shows. */
export function runbookLinks(names: readonly string[]): DashboardLinkBuilder[] {
  return names.map((name) => {
    if (!rules.some((rule) => rule.name === name)) throw new Error(`there is no rule ${name}`);
    return new DashboardLinkBuilder(`Runbook: ${name}`)
      .type(DashboardLinkType.Link)
      .url(`${runbook}#${name}`)
      .targetBlank(true);
  });
}
