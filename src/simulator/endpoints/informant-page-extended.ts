import { noiseOf } from '../seeded-random.ts';
import type { InformantView } from '../world/informant.ts';
import type { EndpointRecord } from '../world/statistics.ts';
import type { PageFamily, PageSample } from './informant-format.ts';

const day = 86_400_000;

/** Returns the additional families of 4.3 and later. */
export function extendedFamilies(view: InformantView, licenseExpiresAt: number): readonly PageFamily[] {
  return [
    ...memoryFamilies(view),
    ...diskFamilies(view),
    ...endpointFamilies(view),
    licenseFamily(view, licenseExpiresAt),
  ];
}

function memoryFamilies({ capacity }: InformantView): readonly PageFamily[] {
  const samples = capacity.map(({ host, measurement }) => ({
    labels: { host_id: host.name, service_name: '' },
    value: Number(((measurement.memoryUsedMb / measurement.memoryTotalMb) * 100).toPrecision(7)),
  }));
  return [{ name: 'memory_usage_percent', help: 'Percentage of memory usage', samples }];
}

/** Per-device families with their increase per second. Times are in hours, sizes in megabytes. */
const deviceFamilies: readonly { name: string; help: string; perSecond: number; start: number }[] = [
  { name: 'disk_inode_free', help: 'Free inodes of the file system', perSecond: 0, start: 15_204_352 },
  { name: 'disk_inode_used', help: 'Used inodes of the file system', perSecond: 0, start: 402_113 },
  { name: 'disk_io_time', help: 'Time spent on I/O in hours', perSecond: 0.000_012, start: 3.25 },
  { name: 'disk_iops', help: 'I/O operations per second', perSecond: 0, start: 118 },
  { name: 'disk_read_bytes', help: 'Megabytes read', perSecond: 1.4, start: 88_012 },
  { name: 'disk_read_count', help: 'Reads', perSecond: 31, start: 2_103_440 },
  { name: 'disk_read_time', help: 'Time spent on reads in hours', perSecond: 0.000_006, start: 1.5 },
  { name: 'disk_write_bytes', help: 'Megabytes written', perSecond: 2.1, start: 140_776 },
  { name: 'disk_write_count', help: 'Writes', perSecond: 44, start: 4_820_113 },
  { name: 'disk_write_time', help: 'Time spent on writes in hours', perSecond: 0.000_009, start: 2.75 },
];

function diskFamilies({ disks, number }: InformantView): readonly PageFamily[] {
  const devices = disks.flatMap(({ host, measurement }) =>
    [...new Set(measurement.map(({ mountPoint }) => mountPoint))].map((mountPoint) => ({ host, mountPoint })),
  );
  return deviceFamilies.map(({ name, help, perSecond, start }) => ({
    name,
    help,
    samples: devices.map(({ host, mountPoint }) => ({
      labels: { host_id: host.name, mount_point: mountPoint },
      value: Number((start * (1 + noiseOf(host.name, mountPoint, name) / 10) + perSecond * 60 * number).toPrecision(9)),
    })),
  }));
}

type EndpointValue = (record: EndpointRecord) => number;

function endpointFamilies({ endpoints }: InformantView): readonly PageFamily[] {
  const samples = (value: EndpointValue, more: Readonly<Record<string, string>> = {}): readonly PageSample[] =>
    endpoints.flatMap(({ host, measurement }) =>
      Object.entries(measurement).map(([endpoint, record]) => ({
        labels: { endpoint: endpointPath(endpoint), host_id: host.name, service_name: 'RESTPP', ...more },
        value: value(record),
      })),
    );
  const latency: readonly (readonly [string, EndpointValue])[] = [
    ['average_latency', ({ AverageLatency }) => AverageLatency],
    ['max_latency', ({ MaxLatency }) => MaxLatency],
    ['min_latency', ({ MinLatency }) => MinLatency],
  ];
  return [
    {
      name: 'endpoint_completed',
      help: 'Completed requests of the last interval',
      samples: samples((one) => one.CompletedRequests),
    },
    {
      name: 'endpoint_latency',
      help: 'Latency of requests in milliseconds',
      samples: latency.flatMap(([statistic, value]) => samples(value, { statistic })),
    },
    {
      name: 'endpoint_timeout',
      help: 'Requests that timed out in the last interval',
      samples: samples((one) => one.TimeoutRequests),
    },
    { name: 'qps', help: 'Requests per second', samples: samples(({ QPS }) => QPS) },
  ];
}

/** Returns an endpoint without the method, as in metrics: `/query/fraud/ring_scan`. */
export function endpointPath(endpoint: string): string {
  return endpoint.slice(endpoint.indexOf(' ') + 1);
}

function licenseFamily({ at }: InformantView, expiresAt: number): PageFamily {
  const days = Math.floor((expiresAt - at) / day);
  return {
    name: 'license_days_left',
    help: 'Days until the license expires, -1 when it is expired or invalid',
    samples: [{ labels: {}, value: days < 0 ? -1 : days }],
  };
}
