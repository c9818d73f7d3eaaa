import { column, row, table } from '../panels.ts';
import { onlineReplicasQuery } from '../partition-queries.ts';
import { deduplicated, withInstanceName } from '../promql.ts';
import { online, responseMappings, responseQuery, serviceStatusMappings, severityMappings } from '../value-mappings.ts';

const code = deduplicated('graphdb_service_status_code');
const since = deduplicated('graphdb_service_state_since_timestamp_seconds');
const same = 'on (cluster_name, service_name, partition, replica)';

function firing(...where: readonly string[]): string {
  return `sum by (cluster_name, rule) (${deduplicated('graphwarden_alerts_firing', 'rule!="watchdog"', ...where)}) > 0`;
}

/** Highest severity of the firing alerts of a rule. */
const severity = severityMappings
  .map(({ value, text }) => `${value} * (${firing(`severity="${text}"`)}) ^ 0`)
  .join(' or ');

/** Everything that is wrong now. On a healthy cluster all tables are empty. */
export const wrong = row('What is wrong now', 12, [
  table(
    'Alerts that are firing',
    'Firing alerts by rule, the most severe first, including silenced alerts. Alerts about graphwarden itself have no cluster.',
    [column(severity, 'Severity', { valueMappings: severityMappings }), column(firing(), 'Firing')],
    { height: 7, emptyWhenHealthy: 'no alert is firing', sortedBy: 'Severity' },
  ),
  table(
    'Instances not online',
    'Service instances with any status other than Online, and how long they have had it. Click a row to show only its service.',
    [
      column(withInstanceName(`${code} != ${online}`), 'Status', { valueMappings: serviceStatusMappings }),
      column(withInstanceName(`time() - ${since} and ${same} ${code} != ${online}`), 'For', { unit: 's' }),
    ],
    {
      height: 7,
      emptyWhenHealthy: 'every instance is online',
      opens: ['service'],
      sortedBy: 'Status',
      rules: ['service_not_online', 'service_readonly'],
    },
  ),
  table(
    'Nodes that fail the health check',
    'Nodes that do not respond to the liveness request, or refuse it. Click a row to show only its node.',
    column(`${responseQuery} < 2`, 'Response', { valueMappings: responseMappings }),
    {
      height: 5,
      emptyWhenHealthy: 'every node passes its health check',
      opens: ['node', 'queries'],
      rules: ['node_unreachable'],
    },
  ),
  table(
    'Lost partitions',
    'Partitions without an online replica. Queries that need one fail or hang.',
    column(withInstanceName(`${onlineReplicasQuery} == 0`), 'Online replicas', {
      steps: [
        { from: 0, color: 'red' },
        { from: 1, color: 'green' },
      ],
    }),
    {
      height: 5,
      emptyWhenHealthy: 'every partition has an online replica',
      opens: ['service'],
      rules: ['partition_without_online_replica', 'cluster_down'],
    },
  ),
]);
