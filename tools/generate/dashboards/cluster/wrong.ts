import type { StateMapping } from '../definition.ts';
import { column, row, table } from '../panels.ts';
import { observedPartitions, onlineReplicasQuery } from '../partition-queries.ts';
import { deduplicated, withInstanceName } from '../promql.ts';
import { clustersWithout, nodesWithout, unknownRows, unknownState } from '../unknown.ts';
import { online, responseMappings, responseQuery, serviceStatusMappings, severityMappings } from '../value-mappings.ts';

const up = deduplicated('graphdb_up');
const code = deduplicated('graphdb_service_status_code');
const since = deduplicated('graphdb_service_state_since_timestamp_seconds');
const same = 'on (cluster_name, service_name, partition, replica)';

function firing(...where: readonly string[]): string {
  return `sum by (cluster_name, rule) (${deduplicated('graphwarden_alerts_firing', 'rule!="watchdog"', ...where)}) > 0`;
}

/** Highest severity of the firing alerts of a rule. */
const severity = severityMappings
  .map(({ value, text }) => `${value} * (${firing(`severity="${text}"`)}) ^ 0`)
  .concat(unknownRows(clustersWithout(deduplicated('graphwarden_alerts_firing'))))
  .join(' or ');

const notOnline = withInstanceName(`${code} != ${online} or ${unknownRows(clustersWithout(code))}`);
const lost = withInstanceName(`${onlineReplicasQuery} == 0 or ${unknownRows(clustersWithout(observedPartitions))}`);
const lostMappings: readonly StateMapping[] = [{ value: 0, text: '0', color: 'red' }, unknownState];

/** Everything that is wrong or unknown now. On a healthy cluster all tables are empty. */
export const wrong = row('What is wrong now', 12, [
  table(
    'Alerts that are firing',
    'Firing alerts by rule, the most severe first, including silenced alerts. Alerts about graphwarden itself have no cluster. A cluster that graphwarden no longer reports is unknown.',
    [column(severity, 'Severity', { valueMappings: [...severityMappings, unknownState] }), column(firing(), 'Firing')],
    { height: 7, emptyWhenHealthy: 'no alert is firing', sortedBy: 'Severity' },
  ),
  table(
    'Instances not online',
    'Service instances with any status other than Online, and how long they have had it. A cluster whose services are not observed is unknown. Click a row to show only its service.',
    [
      column(notOnline, 'Status', { valueMappings: [...serviceStatusMappings, unknownState] }),
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
    'Nodes that do not respond to the liveness request, or refuse it. A node that was not polled is unknown. Click a row to show only its node.',
    column(`${responseQuery} < 2 or ${unknownRows(nodesWithout(up))}`, 'Response', {
      valueMappings: [...responseMappings, unknownState],
    }),
    {
      height: 5,
      emptyWhenHealthy: 'every node passes its health check',
      opens: ['node', 'queries'],
      rules: ['node_unreachable'],
    },
  ),
  table(
    'Lost partitions',
    'Partitions without an online replica. Queries that need one fail or hang. A cluster whose partitions are not observed is unknown.',
    column(lost, 'Online replicas', { valueMappings: lostMappings }),
    {
      height: 5,
      emptyWhenHealthy: 'every partition has an online replica',
      opens: ['service'],
      rules: ['partition_without_online_replica', 'cluster_down'],
    },
  ),
]);
