import { greenAbove, greenBelow, query, row, stat } from '../panels.ts';
import { observedPartitions, onlineReplicasQuery } from '../partition-queries.ts';
import { deduplicated } from '../promql.ts';
import { threshold } from '../thresholds.ts';
import { badOrComplete, clustersWithout, nodesWithout } from '../unknown.ts';
import { online } from '../value-mappings.ts';

const none = greenBelow(1, 'red');
const firing = deduplicated('graphwarden_alerts_firing', 'rule!="watchdog"');
const up = deduplicated('graphdb_up');
const code = deduplicated('graphdb_service_status_code');
const license = deduplicated('graphdb_license_expiration_timestamp_seconds');
const expiresSoon = threshold('license_expiring', 'within');

/** The fleet in five numbers. A red number needs attention, and a grey text means that a cluster is unknown. */
export const overview = row('Now', 5, [
  stat(
    'Firing alerts',
    'Firing alerts of graphwarden, including silenced alerts, without the watchdog, which always fires.',
    query(badOrComplete(`sum(${firing})`, '> 0', clustersWithout(firing)), 'alerts'),
    { steps: none },
  ),
  stat(
    'Nodes down',
    'Nodes that do not respond to the liveness request, or refuse it. Alerts about their services are inhibited meanwhile.',
    query(badOrComplete(`sum(${up} == bool 0)`, '> 0', nodesWithout(up)), 'nodes'),
    { steps: none, rules: ['node_unreachable'] },
  ),
  stat(
    'Partitions without an online replica',
    'Queries that need such a partition fail or hang, while the ping and echo endpoints still succeed.',
    query(
      badOrComplete(`sum(${onlineReplicasQuery} == bool 0)`, '> 0', clustersWithout(observedPartitions)),
      'partitions',
    ),
    { steps: none, rules: ['partition_without_online_replica'] },
  ),
  stat(
    'Service instances not online',
    'Instances with any status other than Online. Instances that are not observed do not count.',
    query(badOrComplete(`sum(${code} != bool ${online})`, '> 0', clustersWithout(code)), 'instances'),
    { steps: none, rules: ['service_not_online'] },
  ),
  stat(
    'Next license expires in',
    'Time until the first license expires. A server stops without a valid license.',
    query(badOrComplete(`min(${license} - time())`, `< ${expiresSoon}`, clustersWithout(license)), 'time left'),
    {
      unit: 's',
      width: 4,
      steps: greenAbove(threshold('license_expiring', 'critical_within'), expiresSoon),
      rules: ['license_expiring'],
    },
  ),
]);
