import type { RowDefinition } from '../definition.ts';
import { facts, increase } from '../series.ts';
import { online, serviceStates } from '../states.ts';

const instance = '{{cluster_name}} {{service_name}} {{partition}}#{{replica}}';
const since = 'graphdb_service_state_since_timestamp_seconds';
const same = 'on (cluster_name, service_name, partition, replica)';

/** What every service instance does, and did. */
export const services: RowDefinition = {
  title: 'Services',
  panels: [
    {
      look: 'state-timeline',
      title: 'Status of every service instance',
      description:
        'One band for each instance, called service, partition and replica as the server numbers them. Where there is no band, it was not observed.',
      unit: 'none',
      width: 24,
      height: 18,
      queries: [{ expr: facts('graphdb_service_status_code'), legend: instance }],
      states: serviceStates,
      rules: ['service_not_online', 'service_readonly', 'service_flapping'],
    },
    {
      look: 'timeseries',
      title: 'Instances by status',
      description: 'How many instances are in each status; `unrecognised` is a word of the server that nobody knows.',
      unit: 'short',
      width: 12,
      queries: [
        {
          expr: `sum by (cluster_name, status) (${facts('graphdb_service_status')}) > 0`,
          legend: '{{cluster_name}} {{status}}',
        },
      ],
      stacked: true,
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Transitions',
      description: 'Changes of status, by what they led to, within each step of the graph.',
      unit: 'short',
      width: 12,
      queries: [
        {
          expr: `sum by (cluster_name, service_name, to) (${increase('graphdb_service_transitions_total')}) > 0`,
          legend: '{{cluster_name}} {{service_name}} → {{to}}',
        },
      ],
      emptyWhenHealthy: 'no status changes',
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Time in a status other than Online',
      description: 'For how long each instance that is not online has been in the status that it has.',
      unit: 's',
      width: 12,
      queries: [
        {
          expr: `time() - ${facts(since)} and ${same} ${facts('graphdb_service_status_code')} != ${online}`,
          legend: instance,
        },
      ],
      emptyWhenHealthy: 'every instance is online',
      scale: { min: 0 },
      rules: ['service_not_online', 'service_readonly'],
    },
  ],
};
