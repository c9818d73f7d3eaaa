import { type RuleCase, type SeriesSet, type SeriesValues, shortOutage } from './rule-case.ts';

/** Where the two graphwardens of every case run. */
export const here = { job: 'graphwarden', namespace: 'monitoring' };

const replica = 'cluster_name="prod",env="live",service_name="GPE",partition="1",replica="2"';
const identity = { cluster_name: 'prod', env: 'live', service_name: 'GPE', partition: '1', replica: '2', ...here };
const since = `graphdb_service_state_since_timestamp_seconds{${replica}}`;
const code = `graphdb_service_status_code{${replica}}`;
const partition = 'cluster_name="prod",env="live",service_name="GPE",partition="1"';
const partitionOnline = `graphdb_partition_online_replicas{${partition}}`;
const perHost = 'cluster_name="prod",env="live",service_name="NGINX",partition="1"';
const statuses = ['Online', 'Readonly', 'Down', 'Warmup', 'Offline', 'unrecognised'];

function instance(status: string, lasts: SeriesValues, others: SeriesSet = {}): SeriesSet {
  const shown = statuses.map((one) => [`graphdb_service_status{${replica},status="${one}"}`, one === status ? 1 : 0]);
  return { ...Object.fromEntries(shown), [code]: 6, [since]: lasts, ...others };
}

/** `status` for so many samples, then online. */
function brief(status: string, samples: number): SeriesSet {
  return instance('Online', 0, {
    [`graphdb_service_status{${replica},status="${status}"}`]: shortOutage(samples, 1, 0),
    [`graphdb_service_status{${replica},status="Online"}`]: shortOutage(samples, 0, 1),
  });
}

function partitions(online: SeriesValues): SeriesSet {
  return { [partitionOnline]: online, [`graphdb_service_flapping{${replica}}`]: 0 };
}

/** One replica for each host, without a number of its own. */
const hostService: SeriesSet = {
  [`graphdb_partition_online_replicas{${perHost}}`]: 0,
  [`graphdb_service_flapping{${perHost},replica=""}`]: 0,
};

/** So many partitions of GPE without an online replica, of two. */
function servicePartitions(down: number): SeriesSet {
  const shown = ['1', '2'].map((number) => [
    `graphdb_partition_online_replicas{cluster_name="prod",env="live",service_name="GPE",partition="${number}"}`,
    Number(number) > down ? 2 : 0,
  ]);
  return { ...partitions(2), ...Object.fromEntries(shown) };
}

function recentOutages(share: number, outages: number): SeriesSet {
  return {
    ...partitions(2),
    [`graphdb_partition_replicas{${partition}}`]: 2,
    [`graphdb_partition_unavailable_ratio{${partition}}`]: share,
    [`graphdb_partition_recent_outages{${partition}}`]: outages,
  };
}

/** RESTPP runs on two hosts, of which one has outages. */
function hostOutages(share: number): SeriesSet {
  const [first, second] = ['1', '2'].map(
    (number) => `{cluster_name="prod",service_name="RESTPP",partition="${number}"}`,
  );
  return {
    [`graphdb_partition_replicas${first}`]: 1,
    [`graphdb_partition_replicas${second}`]: 1,
    [`graphdb_partition_unavailable_ratio${first}`]: share,
    [`graphdb_partition_recent_outages${first}`]: 2,
  };
}

function nodes(...up: readonly [SeriesValues, SeriesValues]): SeriesSet {
  return {
    'graphdb_up{cluster_name="prod",node="m1"}': up[0],
    'graphdb_up{cluster_name="prod",node="m2"}': up[1],
  };
}

/** What can be wrong with nodes and services. */
export const serviceCases: readonly RuleCase[] = [
  {
    alert: 'GraphdbClusterDown',
    labels: { severity: 'critical', cluster_name: 'prod', ...here },
    healthy: nodes(1, 1),
    bad: nodes(0, 0),
    nearMiss: nodes(shortOutage(2, 0, 1), 0),
    unrelated: [nodes(0, 1)],
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbServiceWithoutOnlineReplica',
    labels: { severity: 'critical', cluster_name: 'prod', env: 'live', service_name: 'GPE', ...here },
    healthy: servicePartitions(0),
    bad: servicePartitions(2),
    nearMiss: servicePartitions(1),
    unrelated: [partitions(0), hostService],
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbPartitionUnavailable',
    labels: { severity: 'critical', cluster_name: 'prod', env: 'live', service_name: 'GPE', partition: '1', ...here },
    healthy: recentOutages(0.1, 2),
    bad: recentOutages(0.2, 2),
    nearMiss: recentOutages(0.19, 12),
    unrelated: [recentOutages(0.9, 1)],
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbPartitionUnavailable',
    labels: { severity: 'warning', cluster_name: 'prod', service_name: 'RESTPP', partition: '1', ...here },
    healthy: hostOutages(0.1),
    bad: hostOutages(0.2),
    nearMiss: hostOutages(0.19),
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbNodeUnreachable',
    labels: { severity: 'critical', cluster_name: 'prod', node: 'm1', ...here },
    healthy: { 'graphdb_up{cluster_name="prod",node="m1"}': 1, 'graphdb_up{cluster_name="prod",node="m2"}': 1 },
    bad: { 'graphdb_up{cluster_name="prod",node="m1"}': 0, 'graphdb_up{cluster_name="prod",node="m2"}': 1 },
    nearMiss: { 'graphdb_up{cluster_name="prod",node="m1"}': shortOutage(2, 0, 1) },
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbPartitionWithoutOnlineReplica',
    labels: { severity: 'critical', cluster_name: 'prod', env: 'live', service_name: 'GPE', partition: '1', ...here },
    healthy: partitions(2),
    bad: partitions(0),
    nearMiss: partitions(1),
    unrelated: [partitions(shortOutage(2, 0, 2)), hostService],
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbServiceNotOnline',
    labels: { severity: 'warning', ...identity },
    healthy: instance('Online', 0),
    bad: instance('Down', 600),
    nearMiss: brief('Down', 4),
    unrelated: [instance('Readonly', 600), instance('Warmup', { ago: 590 })],
    firesWithin: 2,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbServiceNotOnline',
    labels: { severity: 'warning', ...identity },
    healthy: instance('Online', 0),
    bad: instance('Warmup', 600),
    nearMiss: instance('Warmup', { ago: 300 }),
    // The condition begins after ten minutes, may last ten minutes before it counts, and then holds for one.
    firesWithin: 12,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbServiceNotOnline',
    labels: { severity: 'warning', ...identity },
    healthy: instance('Online', 0),
    // Missing from a good answer: since when is known, and no status.
    bad: { [since]: 600 },
    nearMiss: {},
    firesWithin: 2,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbServiceFlapping',
    labels: { severity: 'warning', ...identity },
    healthy: { [`graphdb_service_flapping{${replica}}`]: 0 },
    bad: { [`graphdb_service_flapping{${replica}}`]: 1 },
    nearMiss: { [`graphdb_service_flapping{${replica}}`]: 0, ...brief('Down', 4) },
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbServiceReadonly',
    labels: { severity: 'critical', ...identity },
    healthy: instance('Online', 0),
    bad: instance('Readonly', 600),
    nearMiss: brief('Readonly', 4),
    unrelated: [instance('Down', 600)],
    firesWithin: 2,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbStatusSourcesDisagree',
    labels: { severity: 'warning', ...identity },
    healthy: { [`graphdb_service_status_disagreement{${replica}}`]: 0 },
    bad: { [`graphdb_service_status_disagreement{${replica}}`]: 1 },
    nearMiss: { [`graphdb_service_status_disagreement{${replica}}`]: shortOutage(4, 1, 0) },
    firesWithin: 2,
    resolvesWithin: 2,
  },
];
