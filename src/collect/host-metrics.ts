import type { Millis } from '../kernel/time.ts';
import { counter, gauge, type Metric, type Sample, sample } from '../metric/metric.ts';
import { getOrCreate } from './keyed-rows.ts';

/** The informant of a server measures once a minute, however often it is polled. */
export const informantRefresh: Millis = 60_000;

// Two collectors expose these families: `metrics` from the informant page, `categories` from its per-category replies.
const pageSource = 'GET /informant/metrics';
const categorySource = 'POST /informant/metrics/get';

/** CPU usage of the whole host; above 1 if the server reports more than 100 percent. */
export const hostCpuUsage = gauge({
  name: 'graphdb_host_cpu_usage_ratio',
  help: 'CPU usage of the host as a ratio.',
  labels: ['host_id'],
  source: `${pageSource}: cpu_usage; ${categorySource}/cpu-memory: CPU.CPUUsage`,
});

/** Available CPU of a host. Negative before 4.2 under high load; not clamped. */
export const hostCpuAvailable = gauge({
  name: 'graphdb_host_cpu_available_ratio',
  help: 'Idle CPU of the host as a ratio.',
  labels: ['host_id'],
  source: `${pageSource}: cpu_available`,
});

/** The cores that the CPU ratios refer to. */
export const hostCpuLogicalCores = gauge({
  name: 'graphdb_host_cpu_logical_cores',
  help: 'Logical CPU cores of the host.',
  labels: ['host_id'],
  source: `${pageSource}: cpu_logical_cores_total`,
});

/** Memory of the whole host; {@link serviceMemoryUsed} is the part of each service. */
export const hostMemoryUsed = gauge({
  name: 'graphdb_host_memory_used_bytes',
  help: 'Used memory of the host in bytes.',
  labels: ['host_id'],
  source: `${pageSource}: memory_usage; ${categorySource}/cpu-memory: Memory.MemoryUsageMB`,
});

/** Available memory of a host; absent if the host has no limit. */
export const hostMemoryAvailable = gauge({
  name: 'graphdb_host_memory_available_bytes',
  help: 'Memory of the host that can still be allocated in bytes; absent if the host has no limit.',
  labels: ['host_id'],
  source: `${pageSource}: memory_available`,
});

/** Total memory of a host; absent if the host has no limit. */
export const hostMemoryTotal = gauge({
  name: 'graphdb_host_memory_total_bytes',
  help: 'Total memory of the host in bytes; absent if the host has no limit.',
  labels: ['host_id'],
  source: `${pageSource}: memory_total`,
});

/** Distinguishes a host without a memory limit, for which the server reports -1, from a value that is not reported. */
export const hostMemoryLimited = gauge({
  name: 'graphdb_host_memory_limited',
  help: 'Whether the memory of the host is limited (1) or not (0).',
  labels: ['host_id'],
  source: `${pageSource}: memory_total, memory_available`,
});

/** CPU usage of one service on one host. */
export const serviceCpuUsage = gauge({
  name: 'graphdb_service_cpu_usage_ratio',
  help: 'CPU usage of the service on the host as a ratio.',
  labels: ['host_id', 'service_name'],
  source: `${pageSource}: cpu_usage; ${categorySource}/cpu-memory: CPU.CPUUsage`,
});

/** Memory of one service on one host. */
export const serviceMemoryUsed = gauge({
  name: 'graphdb_service_memory_used_bytes',
  help: 'Memory used by the service on the host in bytes.',
  labels: ['host_id', 'service_name'],
  source: `${pageSource}: memory_usage; ${categorySource}/cpu-memory: Memory.MemoryUsageMB`,
});

/** Size of a directory. Several directories share a file system, so used / (used + free) is not its fill level. */
export const diskUsed = gauge({
  name: 'graphdb_disk_used_bytes',
  help: 'Space used by a directory of the server in bytes.',
  labels: ['host_id', 'mount_point', 'path', 'path_name'],
  source: `${pageSource}: diskspace_usage; ${categorySource}/diskspace: Disk.SizeMB`,
});

/** Free space of a file system: the lowest value that the server reports for a directory on it. */
export const diskFree = gauge({
  name: 'graphdb_disk_free_bytes',
  help: 'Free space of the file system in bytes.',
  labels: ['host_id', 'mount_point'],
  source: `${pageSource}: diskspace_free; ${categorySource}/diskspace: Disk.FreeSizeMB`,
});

/** Used inodes of a file system, of server 4.3 and later. */
export const diskInodesUsed = gauge({
  name: 'graphdb_disk_inodes_used',
  help: 'Used inodes of the file system.',
  labels: ['host_id', 'mount_point'],
  source: `${pageSource}: disk_inode_used`,
});

/** Free inodes of a file system, of server 4.3 and later. */
export const diskInodesFree = gauge({
  name: 'graphdb_disk_inodes_free',
  help: 'Free inodes of the file system.',
  labels: ['host_id', 'mount_point'],
  source: `${pageSource}: disk_inode_free`,
});

/** Declares a counter of a file system since the start of its host. Servers from 4.3 on have it, declared as a gauge. */
function diskCounter(name: string, help: string, family: string): Metric<'host_id' | 'mount_point'> {
  const labels = ['host_id', 'mount_point'] as const;
  return counter({ name: `graphdb_disk_${name}_total`, help, labels, source: `${pageSource}: ${family}` });
}

/** Bytes and time of reads and writes of each file system, by family of the server. The server sends megabytes and hours. */
export const diskCounters = {
  disk_read_bytes: diskCounter('read_bytes', 'Bytes read from the file system.', 'disk_read_bytes'),
  disk_write_bytes: diskCounter('written_bytes', 'Bytes written to the file system.', 'disk_write_bytes'),
  disk_read_count: diskCounter('reads', 'Read operations of the file system.', 'disk_read_count'),
  disk_write_count: diskCounter('writes', 'Write operations of the file system.', 'disk_write_count'),
  disk_read_time: diskCounter('read_time_seconds', 'Time that read operations took in seconds.', 'disk_read_time'),
  disk_write_time: diskCounter('write_time_seconds', 'Time that write operations took in seconds.', 'disk_write_time'),
  disk_io_time: diskCounter(
    'io_time_seconds',
    'Time in which the file system had operations in progress, in seconds.',
    'disk_io_time',
  ),
} as const;

/** Open TCP connections of a host. */
export const networkConnections = gauge({
  name: 'graphdb_network_connections',
  help: 'Open TCP connections of the host.',
  labels: ['host_id'],
  source: `${pageSource}: network_connections; ${categorySource}/network: Network.TCPConnectionNum`,
});

/** Network traffic of a host. The server declares a gauge, but it is a counter that resets when the informant restarts. */
export const networkBytes = counter({
  name: 'graphdb_network_bytes_total',
  help: 'Bytes received (incoming) and sent (outgoing) by the host since its informant started.',
  labels: ['host_id', 'direction'],
  source: `${pageSource}: network_traffic; ${categorySource}/network: Network.IncomingBytesNum, OutgoingBytesNum`,
});

/** Families that both sources provide. */
export const sharedHostMetrics = [
  hostCpuUsage,
  hostMemoryUsed,
  serviceCpuUsage,
  serviceMemoryUsed,
  diskUsed,
  diskFree,
  networkConnections,
  networkBytes,
] as const;

/** Families that only the informant page provides. */
export const pageHostMetrics = [
  hostCpuAvailable,
  hostCpuLogicalCores,
  hostMemoryAvailable,
  hostMemoryTotal,
  hostMemoryLimited,
  diskInodesUsed,
  diskInodesFree,
  ...Object.values(diskCounters),
] as const;

/** Converts percent to a ratio. */
export function percentToRatio(percent: number): number {
  return percent / 100;
}

/** Converts MB to bytes. */
export function megabytesToBytes(megabytes: number): number {
  return megabytes * 1_048_576;
}

/** Converts hours to seconds. */
export function hoursToSeconds(hours: number): number {
  return hours * 3600;
}

/** Selects the worse of two values for one file system. */
export type WorseValue = (one: number, other: number) => number;

/**
 * Folds the values per directory into one value per file system of a host. If the server reports no mount point, all
 * file systems of the host count as one, and the worst value is exposed. A value below 0, which no size or count has, is
 * skipped: it would raise an alert, and a strict parser would reject a page with such a counter.
 */
export class WorstPerFileSystem {
  readonly #metric: Metric<'host_id' | 'mount_point'>;
  readonly #worse: WorseValue;
  readonly #hosts = new Map<string, Map<string, number>>();

  constructor(metric: Metric<'host_id' | 'mount_point'>, worse: WorseValue) {
    this.#metric = metric;
    this.#worse = worse;
  }

  /** Adds the value of one directory. */
  add(host: string, mountPoint: string, value: number): void {
    if (value < 0) return;
    const mounts = getOrCreate(this.#hosts, host, () => new Map<string, number>());
    mounts.set(mountPoint, this.#worse(mounts.get(mountPoint) ?? value, value));
  }

  /** Returns one sample per file system. */
  *samples(): Generator<Sample> {
    for (const [host_id, mounts] of this.#hosts) {
      for (const [mount_point, value] of mounts) yield sample(this.#metric, { host_id, mount_point }, value);
    }
  }
}
