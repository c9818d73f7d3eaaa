import { greenAbove, greenBelow, query, row, stat } from '../panels.ts';
import { onlineReplicasQuery } from '../partition-queries.ts';
import { deduplicated } from '../promql.ts';
import { threshold } from '../thresholds.ts';
import { online } from '../value-mappings.ts';

const none = greenBelow(1, 'red');
const license = 'graphdb_license_expiration_timestamp_seconds';

/** The fleet in five numbers. A red number needs attention. */
export const overview = row('Now', 5, [
  stat(
    'Firing alerts',
    'Firing alerts of graphwarden, including silenced alerts, without the watchdog, which always fires.',
    query(`sum(${deduplicated('graphwarden_alerts_firing', 'rule!="watchdog"')})`, 'alerts'),
    { steps: none },
  ),
  stat(
    'Nodes down',
    'Nodes that do not respond to the liveness request, or refuse it. Alerts about their services are inhibited meanwhile.',
    query(`sum(${deduplicated('graphdb_up')} == bool 0)`, 'nodes'),
    { steps: none, rules: ['node_unreachable'] },
  ),
  stat(
    'Partitions without an online replica',
    'Queries that need such a partition fail or hang, while the ping and echo endpoints still succeed.',
    query(`sum(${onlineReplicasQuery} == bool 0)`, 'partitions'),
    { steps: none, rules: ['partition_without_online_replica'] },
  ),
  stat(
    'Service instances not online',
    'Instances with any status other than Online. Instances that are not observed do not count.',
    query(`sum(${deduplicated('graphdb_service_status_code')} != bool ${online})`, 'instances'),
    { steps: none, rules: ['service_not_online'] },
  ),
  stat(
    'Next license expires in',
    'Time until the first license expires. A server stops without a valid license.',
    query(`min(${deduplicated(license)} - time())`, 'time left'),
    {
      unit: 's',
      width: 4,
      steps: greenAbove(threshold('license_expiring', 'critical_within'), threshold('license_expiring', 'within')),
      rules: ['license_expiring'],
    },
  ),
]);
