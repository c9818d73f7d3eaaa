import { type Metric, type Sample, sample } from '../metric/metric.ts';
import { labelOf, type ParsedFamily, type ParsedSeries } from '../model/exposition.ts';
import { numberAt } from '../model/value-texts.ts';
import { Extremes, type Worse } from './extremes.ts';
import {
  bytes,
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
  networkBytes,
  networkConnections,
  ratio,
  serviceCpuUsage,
  serviceMemoryUsed,
} from './host-metrics.ts';

type Reader = (family: ParsedFamily) => Iterable<Sample>;
type Change = (value: number) => number;
type PerHost = Metric<'host_id'>;
type PerService = Metric<'host_id' | 'service_name'>;
type PerFileSystem = Metric<'host_id' | 'mount_point'>;

/** Every family of the server that we give a name of our own, without the server's prefix. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['cpu_usage', (family) => hostOrService(family, hostCpuUsage, serviceCpuUsage, ratio)],
  ['cpu_available', (family) => hostAlone(family, hostCpuAvailable, ratio)],
  ['cpu_logical_cores_total', (family) => hostAlone(family, hostCpuLogicalCores, asIs)],
  ['memory_usage', (family) => hostOrService(family, hostMemoryUsed, serviceMemoryUsed, bytes)],
  ['memory_available', (family) => capacity(family, hostMemoryAvailable)],
  ['memory_total', (family) => capacity(family, hostMemoryTotal)],
  ['diskspace_usage', directories],
  ['diskspace_free', (family) => fileSystems(family, diskFree, Math.min, bytes)],
  ['disk_inode_used', (family) => fileSystems(family, diskInodesUsed, Math.max, asIs)],
  ['disk_inode_free', (family) => fileSystems(family, diskInodesFree, Math.min, asIs)],
  ['network_connections', (family) => hostAlone(family, networkConnections, asIs)],
  ['network_traffic', traffic],
]);

/**
 * The informant's page under our own names, in base units. Lazy, because a page may be long. A value that
 * is not finite says nothing about a host and is left out; the handed-on family still shows it.
 */
export function* informantSamples(families: readonly ParsedFamily[], prefix: string): Generator<Sample> {
  const limited = new Map<string, boolean>();
  for (const family of families) {
    if (!family.name.startsWith(prefix)) continue;
    const name = family.name.slice(prefix.length);
    yield* readers.get(name)?.(family) ?? [];
    if (name === 'memory_total' || name === 'memory_available') noteLimits(family, limited);
  }
  for (const [host_id, has] of limited) yield sample(hostMemoryLimited, { host_id }, has ? 1 : 0);
}

/** The good values of a family; a histogram's or summary's parts under its name are none of ours. */
function* valuesOf(family: ParsedFamily): Generator<readonly [series: ParsedSeries, value: number]> {
  for (const [at, series] of family.series.entries()) {
    const value = numberAt(family.values, at);
    if (series.name === family.name && Number.isFinite(value)) yield [series, value];
  }
}

function* hostOrService(family: ParsedFamily, host: PerHost, service: PerService, change: Change): Generator<Sample> {
  for (const [series, value] of valuesOf(family)) {
    const host_id = hostOf(series);
    const service_name = labelOf(series, 'service_name');
    if (service_name === '') yield sample(host, { host_id }, change(value));
    else yield sample(service, { host_id, service_name }, change(value));
  }
}

function* hostAlone(family: ParsedFamily, metric: PerHost, change: Change): Generator<Sample> {
  for (const [series, value] of valuesOf(family)) {
    if (labelOf(series, 'service_name') === '') yield sample(metric, { host_id: hostOf(series) }, change(value));
  }
}

function* capacity(family: ParsedFamily, metric: PerHost): Generator<Sample> {
  for (const each of hostAlone(family, metric, bytes)) if (each.value >= 0) yield each;
}

function noteLimits(family: ParsedFamily, limited: Map<string, boolean>): void {
  for (const [series, value] of valuesOf(family)) {
    const host = hostOf(series);
    if (labelOf(series, 'service_name') === '') limited.set(host, value >= 0 && limited.get(host) !== false);
  }
}

function* directories(family: ParsedFamily): Generator<Sample> {
  for (const [series, value] of valuesOf(family)) {
    const [mount_point, path] = [labelOf(series, 'mount_point'), labelOf(series, 'path')];
    const directory = { host_id: hostOf(series), mount_point, path, path_name: labelOf(series, 'path_name') };
    yield sample(diskUsed, directory, bytes(value));
  }
}

function fileSystems(family: ParsedFamily, metric: PerFileSystem, worse: Worse, change: Change): Iterable<Sample> {
  const extremes = new Extremes(metric, worse);
  for (const [series, value] of valuesOf(family)) {
    extremes.add(hostOf(series), labelOf(series, 'mount_point'), change(value));
  }
  return extremes.samples();
}

function* traffic(family: ParsedFamily): Generator<Sample> {
  for (const [series, value] of valuesOf(family)) {
    const direction = labelOf(series, 'direction');
    if (direction !== 'incoming' && direction !== 'outgoing') continue;
    yield sample(networkBytes, { host_id: hostOf(series), direction }, value);
  }
}

/** Some servers name the host by `ip` in the network families. */
function hostOf(series: ParsedSeries): string {
  return labelOf(series, 'host_id') || labelOf(series, 'ip');
}

function asIs(value: number): number {
  return value;
}
