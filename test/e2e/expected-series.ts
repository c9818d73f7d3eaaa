import type { GroundTruth, NodeTruth } from '../../src/simulator/ground-truth.ts';

/** One series that must be there, without the labels that every series of its cluster has. */
export interface ExpectedSeries {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const mebibyte = 1_048_576;

/**
 * What the contract says that `/metrics` shows of this truth, written from the contract's table and not from the
 * collectors: the two must come to the same.
 */
export function expectedSeries(truth: GroundTruth): readonly ExpectedSeries[] {
  return [
    ...truth.page,
    ...truth.hosts.flatMap(hostSeries),
    ...truth.services.flatMap(serviceSeries),
    ...partitionSeries(truth.services),
    series('graphdb_services_untracked', {}, 0),
    ...truth.nodes.flatMap((node) => nodeSeries(node, truth)),
    ...truth.queues.flatMap(queueSeries),
    ...truth.checks.flatMap(checkSeries),
    series('graphdb_license_expiration_timestamp_seconds', {}, truth.license.expiresAt / 1000),
  ];
}

/** The families whose values are moments or spans of our own doing: only their series can be foreseen. */
export const unpredictableFamilies = [
  'graphdb_check_duration_seconds',
  'graphdb_check_last_run_timestamp_seconds',
  'graphdb_service_state_since_timestamp_seconds',
  'graphdb_service_transitions_total',
  'graphdb_service_online_seconds_total',
  'graphdb_service_observed_seconds_total',
];

function series(name: string, labels: Readonly<Record<string, string>>, value: number): ExpectedSeries {
  return { name, labels, value };
}

function hostSeries({
  hostId: host_id,
  capacity,
  disks,
  network,
  collectedAt,
}: GroundTruth['hosts'][number]): ExpectedSeries[] {
  const free = Object.groupBy(disks, ({ mountPoint }) => mountPoint);
  const { capacity: often, disks: seldom } = collectedAt;
  const collected = { 'cpu-memory': often, diskspace: seldom, network: collectedAt.network, qps: often };
  return [
    ...(capacity === undefined ? [] : capacitySeries(host_id, capacity)),
    ...disks.map(({ path, pathName, mountPoint, usedMb }) =>
      series(
        'graphdb_disk_used_bytes',
        { host_id, mount_point: mountPoint, path, path_name: pathName },
        usedMb * mebibyte,
      ),
    ),
    ...Object.entries(free).map(([mount_point, on = []]) =>
      series(
        'graphdb_disk_free_bytes',
        { host_id, mount_point },
        Math.min(...on.map(({ freeMb }) => freeMb)) * mebibyte,
      ),
    ),
    ...(network === undefined
      ? []
      : [
          series('graphdb_network_connections', { host_id }, network.connections),
          series('graphdb_network_bytes_total', { host_id, direction: 'incoming' }, network.incoming),
          series('graphdb_network_bytes_total', { host_id, direction: 'outgoing' }, network.outgoing),
        ]),
    ...Object.entries(collected).flatMap(([category, at]) =>
      at === undefined
        ? []
        : [series('graphdb_informant_collected_timestamp_seconds', { host_id, category }, at / 1000)],
    ),
  ];
}

function capacitySeries(
  host_id: string,
  { cpu, memoryUsedMb, services }: NonNullable<GroundTruth['hosts'][number]['capacity']>,
): ExpectedSeries[] {
  return [
    series('graphdb_host_cpu_usage_ratio', { host_id }, cpu / 100),
    series('graphdb_host_memory_used_bytes', { host_id }, memoryUsedMb * mebibyte),
    ...services.flatMap(({ service, cpu: used, memoryMb }) => [
      series('graphdb_service_cpu_usage_ratio', { host_id, service_name: service }, used / 100),
      series('graphdb_service_memory_used_bytes', { host_id, service_name: service }, memoryMb * mebibyte),
    ]),
  ];
}

/** Releases before 3.10.2 do not report these. */
export function capacityLimits(truth: GroundTruth): readonly ExpectedSeries[] {
  return truth.hosts.flatMap(({ hostId: host_id, capacity }) =>
    capacity === undefined
      ? []
      : [
          series('graphdb_host_cpu_available_ratio', { host_id }, (100 - capacity.cpu) / 100),
          series('graphdb_host_cpu_logical_cores', { host_id }, capacity.cores),
          series('graphdb_host_memory_total_bytes', { host_id }, capacity.memoryTotalMb * mebibyte),
          series(
            'graphdb_host_memory_available_bytes',
            { host_id },
            (capacity.memoryTotalMb - capacity.memoryUsedMb) * mebibyte,
          ),
          series('graphdb_host_memory_limited', { host_id }, 1),
        ],
  );
}

function partitionSeries(services: GroundTruth['services']): ExpectedSeries[] {
  const partitions = Map.groupBy(services, ({ service, partition }) => JSON.stringify([service, partition]));
  return [...partitions.values()].flatMap((members) => {
    const labels = { service_name: members[0]?.service ?? '', partition: members[0]?.partition ?? '' };
    const online = members.filter(({ status }) => status === 'Online').length;
    const isDown = online === 0;
    return [
      series('graphdb_partition_replicas', labels, members.length),
      series('graphdb_partition_online_replicas', labels, online),
      // The statuses are the first that graphwarden reads, so a partition that is down has been down ever since.
      series('graphdb_partition_unavailable_ratio', labels, isDown ? 1 : 0),
      series('graphdb_partition_recent_outages', labels, isDown ? 1 : 0),
    ];
  });
}

function serviceSeries({
  service,
  partition,
  replica,
  status,
  code,
  process,
}: GroundTruth['services'][number]): ExpectedSeries[] {
  const labels = { service_name: service, partition, replica };
  return [
    series('graphdb_service_status_code', labels, code),
    series('graphdb_service_flapping', labels, 0),
    series('graphdb_service_status_disagreement', labels, 0),
    series('graphdb_service_process_running', labels, process === 'Running' ? 1 : 0),
    series('graphdb_service_status', { ...labels, status }, 1),
  ];
}

function nodeSeries(node: NodeTruth, { graphs, at }: GroundTruth): ExpectedSeries[] {
  return [
    series('graphdb_up', { node: node.node }, node.up ? 1 : 0),
    series('graphdb_reachable', { node: node.node }, node.up ? 1 : 0),
    ...graphs.flatMap((graph) => {
      const labels = { node: node.node, graph };
      const running = node.running.filter((query) => query.graph === graph);
      const delayed = node.delayed.filter((query) => query.graph === graph);
      const ages = running.map(({ startedAt, arrivedAt }) => at - (startedAt ?? arrivedAt));
      const waits = delayed.map(({ arrivedAt }) => at - arrivedAt);
      const overdue = Object.groupBy(running, ({ name }) => name);
      return [
        series('graphdb_queries_running', labels, running.length),
        series('graphdb_queries_delayed', labels, delayed.length),
        series('graphdb_query_oldest_age_seconds', labels, Math.max(0, ...ages) / 1000),
        series('graphdb_delayed_query_oldest_age_seconds', labels, Math.max(0, ...waits) / 1000),
        ...Object.keys(overdue).map((query) => series('graphdb_queries_overdue', { ...labels, query }, 0)),
      ];
    }),
    series('graphdb_endpoint_uncounted_graphs', { node: node.node }, 0),
    ...graphs.flatMap((graph) => statisticsSeries(node, graph)),
  ];
}

function statisticsSeries(node: NodeTruth, graph: string): ExpectedSeries[] {
  return Object.entries(node.statistics[graph] ?? {}).flatMap(([endpoint, record]) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const labels = { node: node.node, graph, method, path };
    const requests = (outcome: string, count: number): ExpectedSeries =>
      series('graphdb_endpoint_recent_requests', { ...labels, outcome }, count);
    const quantile = (q: number): ExpectedSeries =>
      series(
        'graphdb_endpoint_latency_seconds',
        { ...labels, quantile: String(q) },
        (record.LatencyPercentile[Math.round(q * 100) - 1] ?? Number.NaN) / 1000,
      );
    return [
      requests('completed', record.CompletedRequests),
      requests('timeout', record.TimeoutRequests),
      series('graphdb_endpoint_requests_per_second', labels, record.QPS),
      ...(record.CompletedRequests === 0
        ? []
        : [
            series('graphdb_endpoint_latency_average_seconds', labels, record.AverageLatency / 1000),
            series('graphdb_endpoint_latency_min_seconds', labels, record.MinLatency / 1000),
            series('graphdb_endpoint_latency_max_seconds', labels, record.MaxLatency / 1000),
            ...[0.5, 0.9, 0.99].map(quantile),
          ]),
    ];
  });
}

function queueSeries({
  engine,
  queue,
  running,
  delayed,
  runningLimit,
  delayedLimit,
}: GroundTruth['queues'][number]): ExpectedSeries[] {
  const labels = { engine, queue };
  return [
    series('graphdb_workload_queue_running_queries', labels, running),
    series('graphdb_workload_queue_delayed_queries', labels, delayed),
    series('graphdb_workload_queue_running_limit', labels, runningLimit),
    series('graphdb_workload_queue_delayed_limit', labels, delayedLimit),
  ];
}

function checkSeries({ check, partition, engine, unsynced }: GroundTruth['checks'][number]): ExpectedSeries[] {
  const labels = { check, graph: '', partition, engine };
  return [
    series('graphdb_check_passed', labels, unsynced === 0 ? 1 : 0),
    series('graphdb_check_unsynced_entries', labels, unsynced),
  ];
}
