import { counter, gauge } from '../metric/metric.ts';

// Two collectors show these: `metrics` from the informant's page, `categories` from its by-category answers.
const page = 'GET /informant/metrics';
const categories = 'POST /informant/metrics/get';

/** Percent of the whole host that is busy, as a ratio; above 1 where the server says so. */
export const hostCpuUsage = gauge({
  name: 'graphdb_host_cpu_usage_ratio',
  help: 'Busy share of the CPU of a host: cpu_usage without service_name, percent / 100, never clamped.',
  labels: ['host_id'],
  source: `${page}: cpu_usage; ${categories}/cpu-memory: CPU.CPUUsage`,
});

/** Negative before 4.2 when the load is high: shown as it came. */
export const hostCpuAvailable = gauge({
  name: 'graphdb_host_cpu_available_ratio',
  help: 'Free share of the CPU of a host: cpu_available, percent / 100, never clamped.',
  labels: ['host_id'],
  source: `${page}: cpu_available`,
});

/** What the ratios are a share of. */
export const hostCpuLogicalCores = gauge({
  name: 'graphdb_host_cpu_logical_cores',
  help: 'Logical CPU cores of a host: cpu_logical_cores_total.',
  labels: ['host_id'],
  source: `${page}: cpu_logical_cores_total`,
});

/** Memory of the whole host; the services' own shares are {@link serviceMemoryUsed}. */
export const hostMemoryUsed = gauge({
  name: 'graphdb_host_memory_used_bytes',
  help: 'Used memory of a host: memory_usage without service_name, MB x 1048576.',
  labels: ['host_id'],
  source: `${page}: memory_usage; ${categories}/cpu-memory: Memory.MemoryUsageMB`,
});

/** Absent where the host has no limit. */
export const hostMemoryAvailable = gauge({
  name: 'graphdb_host_memory_available_bytes',
  help: 'Memory of a host that can still be allocated: memory_available, MB x 1048576. Absent where unlimited.',
  labels: ['host_id'],
  source: `${page}: memory_available`,
});

/** Absent where the host has no limit. */
export const hostMemoryTotal = gauge({
  name: 'graphdb_host_memory_total_bytes',
  help: 'Memory of a host: memory_total, MB x 1048576. Absent where unlimited.',
  labels: ['host_id'],
  source: `${page}: memory_total`,
});

/** Tells «no limit» (the server's -1) from «not reported». */
export const hostMemoryLimited = gauge({
  name: 'graphdb_host_memory_limited',
  help: '1 where the memory of a host has a limit, 0 where memory_total or memory_available is -1 (unlimited).',
  labels: ['host_id'],
  source: `${page}: memory_total, memory_available`,
});

/** One service on one host. */
export const serviceCpuUsage = gauge({
  name: 'graphdb_service_cpu_usage_ratio',
  help: 'CPU that a service uses on a host: cpu_usage with service_name, percent / 100, never clamped.',
  labels: ['host_id', 'service_name'],
  source: `${page}: cpu_usage; ${categories}/cpu-memory: CPU.CPUUsage`,
});

/** One service on one host. */
export const serviceMemoryUsed = gauge({
  name: 'graphdb_service_memory_used_bytes',
  help: 'Memory that a service uses on a host: memory_usage with service_name, MB x 1048576.',
  labels: ['host_id', 'service_name'],
  source: `${page}: memory_usage; ${categories}/cpu-memory: Memory.MemoryUsageMB`,
});

/** Per directory: several share one file system, so used / (used + free) is no fill level. */
export const diskUsed = gauge({
  name: 'graphdb_disk_used_bytes',
  help: 'Space that one directory of the server takes: diskspace_usage, MB x 1048576.',
  labels: ['host_id', 'mount_point', 'path', 'path_name'],
  source: `${page}: diskspace_usage; ${categories}/diskspace: Disk.SizeMB`,
});

/** Per file system: the lowest value that the server gives for a directory on it. */
export const diskFree = gauge({
  name: 'graphdb_disk_free_bytes',
  help: 'Free space of a file system: lowest diskspace_free of its directories, MB x 1048576.',
  labels: ['host_id', 'mount_point'],
  source: `${page}: diskspace_free; ${categories}/diskspace: Disk.FreeSizeMB`,
});

/** Servers of 4.3 and later. */
export const diskInodesUsed = gauge({
  name: 'graphdb_disk_inodes_used',
  help: 'Used inodes of a file system: highest disk_inode_used of its directories (server 4.3 and later).',
  labels: ['host_id', 'mount_point'],
  source: `${page}: disk_inode_used`,
});

/** Servers of 4.3 and later. */
export const diskInodesFree = gauge({
  name: 'graphdb_disk_inodes_free',
  help: 'Free inodes of a file system: lowest disk_inode_free of its directories (server 4.3 and later).',
  labels: ['host_id', 'mount_point'],
  source: `${page}: disk_inode_free`,
});

/** Open TCP connections of a host. */
export const networkConnections = gauge({
  name: 'graphdb_network_connections',
  help: 'Open TCP connections of a host: network_connections.',
  labels: ['host_id'],
  source: `${page}: network_connections; ${categories}/network: Network.TCPConnectionNum`,
});

/** A gauge by the server's word, a counter by its nature: it starts anew with the informant. */
export const networkBytes = counter({
  name: 'graphdb_network_bytes_total',
  help: 'Bytes that a host received (incoming) and sent (outgoing) since its informant started: network_traffic.',
  labels: ['host_id', 'direction'],
  source: `${page}: network_traffic; ${categories}/network: Network.IncomingBytesNum, OutgoingBytesNum`,
});

/** What both sources have. */
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

/** What the informant's page alone has. */
export const pageHostMetrics = [
  hostCpuAvailable,
  hostCpuLogicalCores,
  hostMemoryAvailable,
  hostMemoryTotal,
  hostMemoryLimited,
  diskInodesUsed,
  diskInodesFree,
] as const;

/** The server's percent as a ratio. */
export function ratio(percent: number): number {
  return percent / 100;
}

/** The server's MB as bytes. */
export function bytes(megabytes: number): number {
  return megabytes * 1_048_576;
}
