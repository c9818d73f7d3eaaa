import type { GraphDb } from '../graphdb/graph-db.ts';
import type { Failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import { type CategoryRow, type InformantCategory, informantCategories } from '../model/node.ts';
import { collector, type PollOutcome } from './collector.ts';
import {
  diskFree,
  diskUsed,
  hostCpuUsage,
  hostMemoryUsed,
  megabytesToBytes,
  networkBytes,
  networkConnections,
  percentToRatio,
  serviceCpuUsage,
  serviceMemoryUsed,
  sharedHostMetrics,
  WorstPerFileSystem,
} from './host-metrics.ts';
import { compositeKey, distinctBy } from './keyed-rows.ts';
import { nanosecondsToSeconds, parseNanoseconds } from './nanoseconds.ts';
import { pollEach } from './poll-each.ts';

interface CategoryAnswer {
  readonly category: InformantCategory;
  readonly rows: readonly CategoryRow[];
  /** Set if the server does not support this category. */
  readonly unsupported?: Failure;
}

/** When the informant of a host measured the values of a category. */
export const collectedTimestamp = gauge({
  name: 'graphdb_informant_collected_timestamp_seconds',
  help: 'Unix timestamp of the latest measurement of a category by the informant of the host.',
  labels: ['host_id', 'category'],
  source: 'POST /informant/metrics/get/{category}: CollectTimeStamps',
});

/**
 * Latest measurement of each host, which reveals a frozen informant, and the measurements themselves for servers whose
 * metrics page is unavailable.
 */
export const categories = collector<readonly CategoryAnswer[]>({
  name: 'categories',
  about:
    'Time at which the informant collected each category of metrics; host values if the collector `metrics` has none. Servers without categories are polled for data points (`/ts3/api/datapoints`).',
  scope: 'cluster',
  metrics: [collectedTimestamp, ...sharedHostMetrics],
  defaults: { enabled: true, interval: 60_000, timeout: 5000 },
  calls: ['category'],
  privilege: '',
  fallbackFor: 'metrics',
  poll,
  samples,
});

/** A server that lacks some categories is polled without them; one that lacks all of them may have data points. */
async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<readonly CategoryAnswer[]>> {
  const result = await pollEach(informantCategories, async (category): Promise<Result<CategoryAnswer, Failure>> => {
    const answer = await db.category(category, signal);
    if (answer.ok) return ok({ category, rows: answer.value });
    return answer.error.reason === 'unsupported' ? ok({ category, rows: [], unsupported: answer.error }) : answer;
  });
  if (!result.ok) return result;
  const lacking = result.value[0]?.unsupported;
  if (lacking === undefined || result.value.some((answer) => answer.unsupported === undefined)) return result;
  // Data points are the predecessor of the categories. The call is not in `calls`, because most servers do not support it.
  const points = await db.dataPoints(signal);
  if (points.ok) return ok([{ category: 'cpu-memory', rows: points.value }]);
  return points.error.reason === 'unsupported' ? err(lacking) : points;
}

function* samples(answers: readonly CategoryAnswer[]): Generator<Sample> {
  const free = new WorstPerFileSystem(diskFree, Math.min);
  for (const { category, rows } of answers) {
    yield* timestampSamples(category, rows);
    for (const row of distinctBy(rows, rowKey)) {
      yield* processorSamples(row);
      yield* directorySamples(row, free);
      yield* trafficSamples(row);
    }
  }
  yield* free.samples();
}

function* timestampSamples(category: InformantCategory, rows: readonly CategoryRow[]): Generator<Sample> {
  const newest = new Map<string, bigint>();
  for (const { hostId, collectedNs } of rows) {
    const collected = parseNanoseconds(collectedNs);
    if (collected !== undefined && collected > (newest.get(hostId) ?? 0n)) newest.set(hostId, collected);
  }
  for (const [host_id, collected] of newest) {
    yield sample(collectedTimestamp, { host_id, category }, nanosecondsToSeconds(collected));
  }
}

/**
 * Returns the identity of a row. Several instances of a service on one host are one series, as on the informant page.
 */
function rowKey({ hostId, service, disk }: CategoryRow): string {
  return compositeKey(hostId, service, disk?.mountPoint ?? '', disk?.path ?? '', disk?.pathName ?? '');
}

function* processorSamples({
  hostId: host_id,
  service: service_name,
  cpuPercent,
  memoryMb,
}: CategoryRow): Generator<Sample> {
  const whole = service_name === '';
  if (cpuPercent !== undefined) {
    const used = percentToRatio(cpuPercent);
    yield whole ? sample(hostCpuUsage, { host_id }, used) : sample(serviceCpuUsage, { host_id, service_name }, used);
  }
  if (memoryMb !== undefined) {
    const used = megabytesToBytes(memoryMb);
    yield whole
      ? sample(hostMemoryUsed, { host_id }, used)
      : sample(serviceMemoryUsed, { host_id, service_name }, used);
  }
}

function* directorySamples({ hostId: host_id, disk }: CategoryRow, free: WorstPerFileSystem): Generator<Sample> {
  if (disk === undefined) return;
  const { mountPoint: mount_point, path, pathName: path_name } = disk;
  if (disk.usedMb >= 0)
    yield sample(diskUsed, { host_id, mount_point, path, path_name }, megabytesToBytes(disk.usedMb));
  free.add(host_id, mount_point, megabytesToBytes(disk.freeMb));
}

function* trafficSamples({ hostId: host_id, network }: CategoryRow): Generator<Sample> {
  if (network === undefined) return;
  yield sample(networkConnections, { host_id }, network.connections);
  for (const direction of ['incoming', 'outgoing'] as const) {
    const count = network[direction];
    // A text that is not a number must not become a counter of 0, which would look like a reset.
    if (/^\d{1,20}$/.test(count)) yield sample(networkBytes, { host_id, direction }, Number(count));
  }
}
