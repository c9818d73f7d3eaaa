import type { RowDefinition } from '../definition.ts';
import { onlineReplicas } from '../partition-series.ts';
import { facts } from '../series.ts';
import { online } from '../states.ts';
import { threshold } from '../thresholds.ts';

const none = [
  { from: 0, color: 'green' },
  { from: 1, color: 'red' },
];
const plain = [{ from: 0, color: 'text' }];
const license = 'graphdb_license_expiration_timestamp_seconds';

/** The whole fleet in eight numbers: what is not 0 and red is where to look. */
export const now: RowDefinition = {
  title: 'Now',
  panels: [
    {
      look: 'stat',
      title: 'Nodes without an answer',
      description:
        'Nodes that do not answer the liveness call. What is known of their services is held back meanwhile.',
      unit: 'short',
      width: 3,
      height: 5,
      queries: [{ expr: `sum(${facts('graphdb_up')} == bool 0)`, legend: 'nodes' }],
      steps: none,
      rules: ['node_unreachable'],
    },
    {
      look: 'stat',
      title: 'Partitions without a replica online',
      description: 'Queries that need one of these fail or hang, while ping and echo may still be green.',
      unit: 'short',
      width: 3,
      height: 5,
      queries: [{ expr: `sum(${onlineReplicas} == bool 0)`, legend: 'partitions' }],
      steps: none,
      rules: ['partition_without_online_replica'],
    },
    {
      look: 'stat',
      title: 'Service instances not online',
      description: 'Instances in any status but Online; those that are not observed are not among them.',
      unit: 'short',
      width: 3,
      height: 5,
      queries: [{ expr: `sum(${facts('graphdb_service_status_code')} != bool ${online})`, legend: 'instances' }],
      steps: none,
      rules: ['service_not_online'],
    },
    {
      look: 'stat',
      title: 'Alerts that fire',
      description: 'Alerts of graphwarden that fire, silenced or not, without the watchdog, which always does.',
      unit: 'short',
      width: 3,
      height: 5,
      queries: [{ expr: `sum(${facts('graphwarden_alerts_firing', 'rule!="watchdog"')})`, legend: 'alerts' }],
      steps: none,
    },
    {
      look: 'stat',
      title: 'Queries that run',
      description: 'Queries in the process lists of all nodes.',
      unit: 'short',
      width: 3,
      height: 5,
      queries: [{ expr: `sum(${facts('graphdb_queries_running')})`, legend: 'queries' }],
      steps: plain,
    },
    {
      look: 'stat',
      title: 'Queries that wait',
      description: 'Queries in the delay queues of all nodes. The alert goes by each node for itself.',
      unit: 'short',
      width: 3,
      height: 5,
      queries: [{ expr: `sum(${facts('graphdb_queries_delayed')})`, legend: 'queries' }],
      steps: plain,
      rules: ['delay_queue_pressure'],
    },
    {
      look: 'stat',
      title: 'Queries past their time-out',
      description:
        'Queries that run although the time that they were granted is over: the server has not stopped them.',
      unit: 'short',
      width: 3,
      height: 5,
      queries: [{ expr: `sum(${facts('graphdb_queries_overdue')})`, legend: 'queries' }],
      emptyWhenHealthy: 'no query is listed',
      steps: [
        { from: 0, color: 'green' },
        { from: threshold('query_overdue', 'more_than') + 1, color: 'red' },
      ],
      rules: ['query_overdue'],
    },
    {
      look: 'stat',
      title: 'Next licence ends in',
      description: 'Time until the first of the licences ends. Without one a server stops.',
      unit: 's',
      width: 3,
      height: 5,
      queries: [{ expr: `min(${facts(license)} - time())`, legend: 'time left' }],
      steps: [
        { from: 0, color: 'red' },
        { from: threshold('license_expiring', 'critical_within'), color: 'orange' },
        { from: threshold('license_expiring', 'within'), color: 'green' },
      ],
      rules: ['license_expiring'],
    },
  ],
};
