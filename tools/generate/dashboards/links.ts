import { type DashboardLink, DashboardLinkBuilder, DashboardLinkType } from '@grafana/grafana-foundation-sdk/dashboard';
import { runbookUrlOf } from '../../../src/alert/links.ts';
import { rules } from '../../../src/alert/rules/all.ts';
import type { LinkTarget } from './definition.ts';

/** Tag of all dashboards, by which the links find them. */
export const tag = 'graphwarden';

/** A link without the key `placement`: from Grafana 12.3 on its default would hide the link in a menu. */
export interface VisibleLink {
  build(): Omit<DashboardLink, 'placement'>;
}

/** Returns links to all dashboards of the set, with the selected variables and time range, and to the runbook. */
export function dashboardLinks(): VisibleLink[] {
  return [
    new DashboardLinkBuilder('Graphwarden')
      .type(DashboardLinkType.Dashboards)
      .tags([tag])
      .includeVars(true)
      .keepTime(true),
    new DashboardLinkBuilder('Runbook').type(DashboardLinkType.Link).icon('doc').url(runbookUrlOf()).targetBlank(true),
  ].map(visible);
}

/** Where Grafana finds a label: in a row of a table, or in the labels of a series. */
const labelIn = { table: '__data.fields', curve: '__field.labels' } as const;

const targets: Readonly<Record<LinkTarget, { title: string; dashboard: string; labels: readonly string[] }>> = {
  cluster: { title: 'Open the cluster', dashboard: 'cluster', labels: ['cluster_name'] },
  node: { title: 'Show only this node', dashboard: 'cluster', labels: ['cluster_name', 'node'] },
  queries: { title: 'Queries of this node', dashboard: 'queries', labels: ['cluster_name', 'node'] },
  service: { title: 'Show only this service', dashboard: 'cluster', labels: ['cluster_name', 'service_name'] },
};

/** Returns a link to a dashboard for what was clicked, which keeps the rest of the selection. */
export function drillDownLink(target: LinkTarget, place: keyof typeof labelIn): VisibleLink {
  const { title, dashboard, labels } = targets[target];
  const chosen = labels.map((label) => `var-${label}=\${${labelIn[place]}.${label}}`);
  const kept = ['datasource', 'job', 'instance'].map((name) => `\${${name}:queryparam}`);
  const query = [...chosen, ...kept, '${__url_time_range}'].join('&');
  return visible(new DashboardLinkBuilder(title).type(DashboardLinkType.Link).url(`/d/${tag}-${dashboard}?${query}`));
}

/** Returns links to runbook entries of rules. */
export function runbookLinks(names: readonly string[]): VisibleLink[] {
  return names.map((name) => {
    if (!rules.some((rule) => rule.name === name)) throw new Error(`unknown rule ${name}`);
    return visible(
      new DashboardLinkBuilder(`Runbook: ${name}`)
        .type(DashboardLinkType.Link)
        .url(`${runbookUrlOf()}#${name}`)
        .targetBlank(true),
    );
  });
}

function visible(link: DashboardLinkBuilder): VisibleLink {
  return {
    build: () => {
      const { placement: _hidden, ...rest } = link.build();
      return rest;
    },
  };
}
