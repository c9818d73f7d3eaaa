import type { GraphDb } from '../graphdb/graph-db.ts';
import type { Failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import { type CategoryRow, type InformantCategory, informantCategories } from '../model/node.ts';
import { askEach } from './ask-each.ts';
import { collector, type ReadResult } from './collector.ts';
import { distinct, keyOf } from './distinct.ts';
import { Extremes } from './extremes.ts';
import {
  bytes,
  diskFree,
  diskUsed,
  hostCpuUsage,
  hostMemoryUsed,
  networkBytes,
  networkConnections,
  ratio,
  serviceCpuUsage,
  serviceMemoryUsed,
  sharedHostMetrics,
} from './host-metrics.ts';
import { nanosecondsInSeconds, parseNanoseconds } from './nanoseconds.ts';

interface CategoryAnswer {
  readonly category: InformantCategory;
  readonly rows: readonly CategoryRow[];
  /** Why there are no rows: the server does not know this category. */
  readonly lacking?: Failure;
}

const collectedTimestamp = gauge({
  name: 'graphdb_informant_collected_timestamp_seconds',
  help: 'When the informant last collected a category on a host: newest CollectTimeStamps, ns as seconds since the epoch.',
  labels: ['host_id', 'category'],
  source: 'POST /informant/metrics/get/{category}: CollectTimeStamps',
});

/**
 * When each host was last measured, which is where a frozen informant shows; and the measurements themselves
 * for servers whose page of metrics cannot be had.
 */
export const categories = collector<readonly CategoryAnswer[]>({
  name: 'categories',
  about: 'When the informant collected each category; host values too where `metrics` has none.',
  scope: 'cluster',
  metrics: [collectedTimestamp, ...sharedHostMetrics],
  defaults: { enabled: true, every: 60_000, timeout: 5000 },
  calls: ['category'],
  privilege: '',
  yieldsTo: 'metrics',
  read,
  samples,
});

/** A server that lacks one category is read well without it; one that lacks all of them is not. */
async function read(db: GraphDb, signal: AbortSignal): Promise<ReadResult<readonly CategoryAnswer[]>> {
  const result = await askEach(informantCategories, async (category): Promise<Result<CategoryAnswer, Failure>> => {
    const answer = await db.category(category, signal);
    if (answer.ok) return ok({ category, rows: answer.value });
    return answer.error.reason === 'unsupported' ? ok({ category, rows: [], lacking: answer.error }) : answer;
  });
  if (!result.ok) return result;
  const lacking = result.value[0]?.lacking;
  return lacking !== undefined && result.value.every((answer) => answer.lacking !== undefined) ? err(lacking) : result;
}

function* samples(answers: readonly CategoryAnswer[]): Generator<Sample> {
  const free = new Extremes(diskFree, Math.min);
  for (const { category, rows } of answers) {
    yield* timestamps(category, rows);
    for (const row of distinct(rows, whatItMeasures)) {
      yield* processor(row);
      yield* directory(row, free);
      yield* traffic(row);
    }
  }
  yield* free.samples();
}

function* timestamps(category: InformantCategory, rows: readonly CategoryRow[]): Generator<Sample> {
  const newest = new Map<string, bigint>();
  for (const { hostId, collectedNs } of rows) {
    const collected = parseNanoseconds(collectedNs);
    if (collected !== undefined && collected > (newest.get(hostId) ?? 0n)) newest.set(hostId, collected);
  }
  for (const [host_id, collected] of newest) {
    yield sample(collectedTimestamp, { host_id, category }, nanosecondsInSeconds(collected));
  }
}

/** Several instances of a service on one host are one series here, as on the informant's page. */
function whatItMeasures({ hostId, service, disk }: CategoryRow): string {
  return keyOf(hostId, service, disk?.mountPoint ?? '', disk?.path ?? '', disk?.pathName ?? '');
}

function* processor({ hostId: host_id, service: service_name, cpuPercent, memoryMb }: CategoryRow): Generator<Sample> {
  const whole = service_name === '';
  if (cpuPercent !== undefined) {
    const used = ratio(cpuPercent);
    yield whole ? sample(hostCpuUsage, { host_id }, used) : sample(serviceCpuUsage, { host_id, service_name }, used);
  }
  if (memoryMb !== undefined) {
    const used = bytes(memoryMb);
    yield whole
      ? sample(hostMemoryUsed, { host_id }, used)
      : sample(serviceMemoryUsed, { host_id, service_name }, used);
  }
}

function* directory({ hostId: host_id, disk }: CategoryRow, free: Extremes): Generator<Sample> {
  if (disk === undefined) return;
  const { mountPoint: mount_point, path, pathName: path_name } = disk;
  yield sample(diskUsed, { host_id, mount_point, path, path_name }, bytes(disk.usedMb));
  free.add(host_id, mount_point, bytes(disk.freeMb));
}

function* traffic({ hostId: host_id, network }: CategoryRow): Generator<Sample> {
  if (network === undefined) return;
  yield sample(networkConnections, { host_id }, network.connections);
  for (const direction of ['incoming', 'outgoing'] as const) {
    const count = network[direction];
    // A text that is no number must not become a counter of 0: that would look like a reset.
    if (/^\d{1,20}$/.test(count)) yield sample(networkBytes, { host_id, direction }, Number(count));
  }
}
