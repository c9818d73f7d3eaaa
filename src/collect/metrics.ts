import type { GraphDb, InformantPage } from '../graphdb/graph-db.ts';
import { failure } from '../kernel/failure.ts';
import { err } from '../kernel/result.ts';
import { gauge, type Metric, type Sample, sample } from '../metric/metric.ts';
import { labelValue, type ParsedFamily, type ParsedSeries, valueAt } from '../model/exposition.ts';
import { collector, type PollOutcome } from './collector.ts';
import {
  diskCounters,
  diskFree,
  diskInodesFree,
  diskInodesUsed,
  diskUsed,
  hostCpuAvailable,
  hostCpuLogicalCores,
  hostCpuUsage,
  hostMemoryAvailable,
  hostMemoryLimited,
  hostMemoryTotal,
  hostMemoryUsed,
  hoursToSeconds,
  megabytesToBytes,
  networkBytes,
  networkConnections,
  pageHostMetrics,
  percentToRatio,
  serviceCpuUsage,
  serviceMemoryUsed,
  sharedHostMetrics,
  type WorseValue,
  WorstPerFileSystem,
} from './host-metrics.ts';

/** Reserved prefixes: families of the server with these names would contradict ours on the page. */
const reservedPrefixes = ['graphdb_', 'graphwarden_', 'process_', 'nodejs_'];

/** Maximum number of series of withheld samples: a page may have many families, each with several reasons. */
const maxWithheldSeries = 100;

const withheldSamples = gauge({
  name: 'graphdb_informant_withheld_samples',
  help: 'Samples of the metrics page that are withheld because OpenMetrics forbids them, by family and reason; absent for 0.',
  labels: ['family', 'reason'],
  source: 'GET /informant/metrics',
});

/**
 * The informant page: CPU, memory, disk and network of every host under our names and units, and the families of the
 * server, passed through. Its service status, endpoint and license families are only passed through: `services`,
 * `statistics` and `license` poll those facts at their source.
 */
export const metrics = collector<InformantPage>({
  name: 'metrics',
  about: "CPU, memory, disk and network usage of hosts and services; also exposes the server's native metric families.",
  scope: 'cluster',
  metrics: [...sharedHostMetrics, ...pageHostMetrics, withheldSamples],
  defaults: { enabled: true, interval: 15_000, timeout: 5000 },
  calls: ['informantMetrics'],
  privilege: '',
  poll,
  samples,
  rejectedSeries: ({ rejected, withheld }) => withheld.reduce((sum, { samples: count }) => sum + count, rejected),
  unconfirmedSeries: ({ unconfirmed }) => unconfirmed,
  serviceStatuses: ({ families, prefix }) => (prefix === undefined ? undefined : { kind: 'page', families, prefix }),
  passthrough: ({ families, prefix }) => families.filter((family) => isPassedThrough(family, prefix)),
});

function* samples({ families, prefix, withheld }: InformantPage): Generator<Sample> {
  if (prefix === undefined) return;
  yield* informantSamples(families, prefix);
  for (const { family, reason, samples: count } of withheld.slice(0, maxWithheldSeries)) {
    yield sample(withheldSamples, { family, reason }, count);
  }
}

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<InformantPage>> {
  const page = await db.informantMetrics(signal);
  if (!page.ok || page.value.prefix !== undefined) return page;
  // A page without the prefix would be a success without samples, and would keep `categories` from being the fallback.
  return err(
    failure(
      'body',
      `GET /informant/metrics on ${db.node}: no metric name ends in service_status, so metric_prefix is unknown`,
    ),
  );
}

function isPassedThrough(family: ParsedFamily, prefix: string | undefined): boolean {
  if (prefix === undefined || !family.name.startsWith(prefix)) return false;
  return !reservedPrefixes.some((own) => family.name.startsWith(own));
}

type FamilyConverter = (family: ParsedFamily) => Iterable<Sample>;
type Change = (value: number) => number;
type PerHost = Metric<'host_id'>;
type PerService = Metric<'host_id' | 'service_name'>;
type PerFileSystem = Metric<'host_id' | 'mount_point'>;

/** Families of the server that are exposed under our names, without the server's prefix. */
const familyConverters: ReadonlyMap<string, FamilyConverter> = new Map<string, FamilyConverter>([
  ['cpu_usage', (family) => hostOrServiceSamples(family, hostCpuUsage, serviceCpuUsage, percentToRatio)],
  ['cpu_available', (family) => hostSamples(family, hostCpuAvailable, percentToRatio)],
  ['cpu_logical_cores_total', (family) => hostSamples(family, hostCpuLogicalCores, unchanged)],
  ['memory_usage', (family) => hostOrServiceSamples(family, hostMemoryUsed, serviceMemoryUsed, megabytesToBytes)],
  ['memory_available', (family) => capacitySamples(family, hostMemoryAvailable)],
  ['memory_total', (family) => capacitySamples(family, hostMemoryTotal)],
  ['diskspace_usage', directorySamples],
  ['diskspace_free', (family) => fileSystemSamples(family, diskFree, Math.min, megabytesToBytes)],
  ['disk_inode_used', (family) => fileSystemSamples(family, diskInodesUsed, Math.max, unchanged)],
  ['disk_inode_free', (family) => fileSystemSamples(family, diskInodesFree, Math.min, unchanged)],
  ['disk_read_bytes', (family) => diskCounts(family, diskCounters.disk_read_bytes, megabytesToBytes)],
  ['disk_write_bytes', (family) => diskCounts(family, diskCounters.disk_write_bytes, megabytesToBytes)],
  ['disk_read_count', (family) => diskCounts(family, diskCounters.disk_read_count, unchanged)],
  ['disk_write_count', (family) => diskCounts(family, diskCounters.disk_write_count, unchanged)],
  ['disk_read_time', (family) => diskCounts(family, diskCounters.disk_read_time, hoursToSeconds)],
  ['disk_write_time', (family) => diskCounts(family, diskCounters.disk_write_time, hoursToSeconds)],
  ['disk_io_time', (family) => diskCounts(family, diskCounters.disk_io_time, hoursToSeconds)],
  ['network_connections', (family) => hostSamples(family, networkConnections, unchanged)],
  ['network_traffic', trafficSamples],
]);

/**
 * Yields the samples of the informant page under our names, in base units. Lazy, because a page may be long. A value
 * that is not finite is skipped; the family that is passed through still has it.
 */
export function* informantSamples(families: readonly ParsedFamily[], prefix: string): Generator<Sample> {
  const limited = new Map<string, boolean>();
  for (const family of families) {
    if (!family.name.startsWith(prefix)) continue;
    const name = family.name.slice(prefix.length);
    yield* familyConverters.get(name)?.(family) ?? [];
    if (name === 'memory_total' || name === 'memory_available') recordLimits(family, limited);
  }
  for (const [host_id, has] of limited) yield sample(hostMemoryLimited, { host_id }, has ? 1 : 0);
}

/** Yields the finite values of a family; parts of a histogram or summary with its name are skipped. */
function* finiteValues(family: ParsedFamily): Generator<readonly [series: ParsedSeries, value: number]> {
  for (const [at, series] of family.series.entries()) {
    const value = valueAt(family.values, at);
    if (series.name === family.name && Number.isFinite(value)) yield [series, value];
  }
}

function* hostOrServiceSamples(
  family: ParsedFamily,
  host: PerHost,
  service: PerService,
  change: Change,
): Generator<Sample> {
  for (const [series, value] of finiteValues(family)) {
    const host_id = hostId(series);
    const service_name = labelValue(series, 'service_name');
    if (service_name === '') yield sample(host, { host_id }, change(value));
    else yield sample(service, { host_id, service_name }, change(value));
  }
}

function* hostSamples(family: ParsedFamily, metric: PerHost, change: Change): Generator<Sample> {
  for (const [series, value] of finiteValues(family)) {
    if (labelValue(series, 'service_name') === '') yield sample(metric, { host_id: hostId(series) }, change(value));
  }
}

function* capacitySamples(family: ParsedFamily, metric: PerHost): Generator<Sample> {
  for (const each of hostSamples(family, metric, megabytesToBytes)) if (each.value >= 0) yield each;
}

function recordLimits(family: ParsedFamily, limited: Map<string, boolean>): void {
  for (const [series, value] of finiteValues(family)) {
    const host = hostId(series);
    if (labelValue(series, 'service_name') === '') limited.set(host, value >= 0 && limited.get(host) !== false);
  }
}

function* directorySamples(family: ParsedFamily): Generator<Sample> {
  for (const [series, value] of finiteValues(family)) {
    if (value < 0) continue;
    const [mount_point, path] = [labelValue(series, 'mount_point'), labelValue(series, 'path')];
    const directory = { host_id: hostId(series), mount_point, path, path_name: labelValue(series, 'path_name') };
    yield sample(diskUsed, directory, megabytesToBytes(value));
  }
}

function fileSystemSamples(
  family: ParsedFamily,
  metric: PerFileSystem,
  worse: WorseValue,
  change: Change,
): Iterable<Sample> {
  const extremes = new WorstPerFileSystem(metric, worse);
  for (const [series, value] of finiteValues(family)) {
    extremes.add(hostId(series), labelValue(series, 'mount_point'), change(value));
  }
  return extremes.samples();
}

function diskCounts(family: ParsedFamily, metric: PerFileSystem, change: Change): Iterable<Sample> {
  return fileSystemSamples(family, metric, Math.max, change);
}

function* trafficSamples(family: ParsedFamily): Generator<Sample> {
  for (const [series, value] of finiteValues(family)) {
    const direction = labelValue(series, 'direction');
    // A counter below 0 would make a strict parser reject the page.
    if ((direction !== 'incoming' && direction !== 'outgoing') || value < 0) continue;
    yield sample(networkBytes, { host_id: hostId(series), direction }, value);
  }
}

/** Some servers name the host `ip` in the network families. */
function hostId(series: ParsedSeries): string {
  return labelValue(series, 'host_id') || labelValue(series, 'ip');
}

function unchanged(value: number): number {
  return value;
}
