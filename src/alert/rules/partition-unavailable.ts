import { instanceName } from '../../model/instance-name.ts';
import type { PartitionView } from '../../model/transition.ts';
import type { ClusterRule } from '../rule.ts';
import { onlineReplicasText, replicatedServices } from './replicated-partitions.ts';
import { formatCount, formatPercent } from './text-format.ts';
import { partitionTemplate } from './twin-templates.ts';

const ratio = 'graphdb_partition_unavailable_ratio >= {{share}}';
const outages = 'graphdb_partition_recent_outages >= {{outages}}';
/** Partitions whose outage no other partition covers: those of replicated services, and the only one of a service. */
const irreplaceable = [
  'graphdb_service_flapping{replica!=""}',
  'count by (cluster_name, service_name) (graphdb_partition_replicas) == 1',
].join(' or ');

/** Short outages that add up: each of them ends before the pending period of other rules is over. */
export const partitionUnavailable: ClusterRule = {
  name: 'partition_unavailable',
  about: 'A partition had no online replica for too large a share of the last ten minutes, in several outages.',
  scope: 'cluster',
  severity: 'critical',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'share',
      about: 'Share of the last ten minutes without an online replica, from which the alert fires.',
      unit: 'ratio',
      value: 0.2,
      above: 0,
    },
    {
      name: 'outages',
      about: 'Minimum number of outages in the last ten minutes; other rules report a single outage.',
      unit: 'count',
      value: 2,
      above: 0,
    },
  ],
  labels: ['service_name', 'partition'],
  needs: ['services'],
  families: [],
  summary: '{{instance}} of {{cluster_name}} was unavailable for {{share}} of the last 10 minutes',
  description:
    '{{instance}} had no online replica for {{share}} of the last 10 minutes, in {{outages}}. Each of them may be too short for other alerts. Check for a restart loop: memory, license, a full disk.',
  resolved: '{{instance}} of {{cluster_name}} {{online}}. Its outages of the last 10 minutes are below the threshold.',
  current: (situation, identity) => ({ online: onlineReplicasText(situation, identity) }),
  twin: `${ratio} and ${outages} and on (cluster_name, service_name) (${irreplaceable})`,
  severityTwins: [
    { severity: 'warning', twin: `${ratio} and ${outages} unless on (cluster_name, service_name) (${irreplaceable})` },
  ],
  twinTexts: {
    summary: '{{instance}} of {{cluster_name}} was unavailable for {{share}} of the last 10 minutes',
    facts: { instance: partitionTemplate, outages: 'several outages' },
  },
  *evaluate({ partitions, replicas }, { share = 1, outages: least = 0 }) {
    const numbered = replicatedServices({ replicas });
    const counts = Map.groupBy(partitions, ({ service }) => service);
    const isLast = ({ service }: PartitionView) => numbered.has(service) || counts.get(service)?.length === 1;
    for (const view of partitions) {
      const { service, partition, recent } = view;
      if (recent === undefined || recent.unavailableRatio < share || recent.outages < least) continue;
      const instance = instanceName({ service, partition, replica: '' });
      yield {
        labels: { service_name: service, partition },
        facts: {
          instance,
          share: formatPercent(recent.unavailableRatio),
          outages: formatCount(recent.outages, 'outage'),
        },
        ...(isLast(view) ? {} : { severity: 'warning' as const }),
      };
    }
  },
};
