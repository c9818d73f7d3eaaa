import type { RowDefinition } from '../definition.ts';
import { facts, increase } from '../series.ts';

const noWatchdog = 'rule!="watchdog"';

/** What fires, and which versions run where. */
export const alerts: RowDefinition = {
  title: 'Alerts and versions',
  panels: [
    {
      look: 'timeseries',
      title: 'Alerts that fire, by rule',
      description: 'Alerts of graphwarden that fire, by rule; those about graphwarden itself have no cluster.',
      unit: 'short',
      width: 12,
      queries: [
        {
          expr: `${facts('graphwarden_alerts_firing', noWatchdog)} > 0`,
          legend: '{{cluster_name}} {{rule}} ({{severity}})',
        },
      ],
      emptyWhenHealthy: 'no alert fires',
      stacked: true,
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Alerts that began',
      description: 'Times that an alert began to fire, by rule: what toggles shows here more than in what fires now.',
      unit: 'short',
      width: 12,
      queries: [
        {
          expr: `${increase('graphwarden_alerts_episodes_total', noWatchdog)} > 0`,
          legend: '{{cluster_name}} {{rule}} ({{severity}})',
        },
      ],
      emptyWhenHealthy: 'no alert began',
      scale: { min: 0 },
    },
    {
      look: 'table',
      title: 'Versions',
      description: 'Nodes by the versions of their components: in a cluster that is not being upgraded each has one.',
      unit: 'short',
      width: 24,
      queries: [
        {
          expr: `count by (cluster_name, component, version, commit) (${facts('graphdb_build_info')})`,
          legend: 'Nodes',
        },
      ],
    },
  ],
};
