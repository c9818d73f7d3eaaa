import { collapsedRow, query, row, stateTimeline, timeseries } from '../panels.ts';
import { deduplicated, increase, instanceLabel, withInstanceName } from '../promql.ts';
import { online, responseMappings, responseQuery, serviceStatusMappings } from '../value-mappings.ts';

const instance = `{{cluster_name}} {{${instanceLabel}}}`;
const since = 'graphdb_service_state_since_timestamp_seconds';
const same = 'on (cluster_name, service_name, partition, replica)';

/** Status of every service instance and node, now and in the past. */
export const services = row('Services and nodes', 24, [
  stateTimeline(
    'Status of every service instance',
    'One band per instance, named as the server names them: service, partition and replica. A gap in a band means that the instance was not observed.',
    query(withInstanceName(deduplicated('graphdb_service_status_code')), instance),
    {
      height: 16,
      valueMappings: serviceStatusMappings,
      opens: ['service'],
      rules: ['service_not_online', 'service_readonly', 'service_flapping'],
    },
  ),
  stateTimeline(
    'Nodes',
    'Whether each node responds to the liveness request or refuses it. The status of its services is not included.',
    query(responseQuery, '{{cluster_name}} {{node}}'),
    {
      height: 8,
      valueMappings: responseMappings,
      opens: ['node', 'queries'],
      rules: ['node_unreachable'],
    },
  ),
]);

/** How the statuses of instances changed. */
export const statusChanges = collapsedRow('Status changes', 8, [
  timeseries(
    'Instances by status',
    'Number of instances in each status. `unrecognised` is a status that graphwarden does not know.',
    query(
      `sum by (cluster_name, status) (${deduplicated('graphdb_service_status')}) > 0`,
      '{{cluster_name}} {{status}}',
    ),
    { stacked: true },
  ),
  timeseries(
    'Transitions',
    'Status changes within each step of the graph, by new status.',
    query(
      `sum by (cluster_name, service_name, to) (${increase('graphdb_service_transitions_total')}) > 0`,
      '{{cluster_name}} {{service_name}} → {{to}}',
    ),
    { emptyWhenHealthy: 'no status changes' },
  ),
  timeseries(
    'Time in a status other than Online',
    'Time that each instance that is not online has been in its current status.',
    query(
      withInstanceName(
        `time() - ${deduplicated(since)} and ${same} ${deduplicated('graphdb_service_status_code')} != ${online}`,
      ),
      instance,
    ),
    { unit: 's', emptyWhenHealthy: 'every instance is online', rules: ['service_not_online', 'service_readonly'] },
  ),
]);
