import type { RowDefinition } from '../definition.ts';
import { facts, rate } from '../series.ts';

const instance = '{{cluster_name}} {{service_name}} {{partition}}#{{replica}}';
const sums = 'sum by (cluster_name, service_name)';

/** How well the services were, and where what is said of them is in doubt. */
export const doubts: RowDefinition = {
  title: 'Availability and doubts',
  panels: [
    {
      look: 'timeseries',
      title: 'Share of observed time online',
      description: 'Of the time for which the instances of a service were observed, how much they were online.',
      unit: 'percentunit',
      width: 12,
      queries: [
        {
          expr: `${sums} (${rate('graphdb_service_online_seconds_total')}) / ${sums} (${rate('graphdb_service_observed_seconds_total')})`,
          legend: '{{cluster_name}} {{service_name}}',
        },
      ],
      scale: { min: 0, max: 1 },
    },
    {
      look: 'timeseries',
      title: 'Processes that do not run',
      description: 'Instances whose process is not running, whatever status they claim.',
      unit: 'short',
      width: 12,
      queries: [{ expr: `1 - (${facts('graphdb_service_process_running')} == 0)`, legend: instance }],
      emptyWhenHealthy: 'every process runs',
      scale: { min: 0 },
      rules: ['service_not_online'],
    },
    {
      look: 'timeseries',
      title: 'Instances that flap',
      description: 'Instances that change their status too often; they are not told for each change.',
      unit: 'short',
      width: 8,
      queries: [{ expr: `${facts('graphdb_service_flapping')} == 1`, legend: instance }],
      emptyWhenHealthy: 'none flaps',
      scale: { min: 0 },
      rules: ['service_flapping'],
    },
    {
      look: 'timeseries',
      title: 'Instances whose sources disagree',
      description: 'What the instance says of itself, and what the metrics of the server say of it, differ.',
      unit: 'short',
      width: 8,
      queries: [
        {
          expr: `sum by (cluster_name, service_name) (${facts('graphdb_service_status_disagreement')})`,
          legend: '{{cluster_name}} {{service_name}}',
        },
      ],
      scale: { min: 0 },
      rules: ['status_sources_disagree'],
    },
    {
      look: 'timeseries',
      title: 'Instances that are not tracked',
      description: 'Instances in the latest answer of the server that are too many to be followed.',
      unit: 'short',
      width: 8,
      queries: [{ expr: facts('graphdb_services_untracked'), legend: '{{cluster_name}}' }],
      scale: { min: 0 },
    },
  ],
};
