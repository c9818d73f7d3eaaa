import { serviceStatusCodes } from '../../model/service.ts';
import type { Endpoint } from '../call.ts';
import { text } from '../replies.ts';
import { noiseOf } from '../seeded-random.ts';
import type { InformantView } from '../world/informant.ts';
import type { World } from '../world/world.ts';
import { type PageFamily, renderFamily } from './informant-format.ts';
import { extendedFamilies } from './informant-page-extended.ts';

/** Cached pages. A page changes only with a refresh, and a padded page is large. */
const rendered = new WeakMap<InformantView, string>();

/** `GET|POST /informant/metrics`: the classic text format, gauges only, cluster-wide, as of the last refresh. */
export const informantPage: Endpoint = ({ world }) => {
  const { view } = world.informant;
  const page =
    rendered.get(view) ??
    pageFamilies(world)
      .map((family) => renderFamily(world.settings.prefix, family))
      .join('');
  rendered.set(view, page);
  return text(page, 'text/plain; version=0.0.4; charset=utf-8');
};

/** Returns the families of the page in their order. */
export function pageFamilies(world: World): readonly PageFamily[] {
  const { release, settings } = world;
  const { view } = world.informant;
  const families = [
    ...(release.capacityMetrics ? capacityFamilies(view) : []),
    ...usageFamilies(view),
    ...diskFamilies(view),
    ...networkFamilies(view),
    statusFamily(view),
    ...(release.extendedMetrics ? extendedFamilies(view, world.licenseExpiresAt) : []),
    ...padding(settings.padding, view, world.graphs),
  ];
  return families.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function capacityFamilies({ capacity }: InformantView): readonly PageFamily[] {
  const wholeHost = (value: (of: (typeof capacity)[number]['measurement']) => number): PageFamily['samples'] =>
    capacity.map(({ host, measurement }) => ({
      labels: { host_id: host.name, service_name: '' },
      value: value(measurement),
    }));
  return [
    {
      name: 'cpu_available',
      help: 'Percentage of available CPU capacity',
      samples: wholeHost(({ cpu }) => Number((100 - cpu).toPrecision(7))),
    },
    { name: 'cpu_logical_cores_total', help: 'Number of logical CPU cores', samples: wholeHost(({ cores }) => cores) },
    {
      name: 'memory_available',
      help: 'Memory available for allocation in megabytes',
      samples: wholeHost(({ memoryTotalMb, memoryUsedMb }) => memoryTotalMb - memoryUsedMb),
    },
    {
      name: 'memory_total',
      help: 'Total memory in megabytes',
      samples: wholeHost(({ memoryTotalMb }) => memoryTotalMb),
    },
  ];
}

function usageFamilies({ capacity }: InformantView): readonly PageFamily[] {
  const usage = (field: 'cpu' | 'memoryMb'): PageFamily['samples'] =>
    capacity.flatMap(({ host, measurement }) => [
      {
        labels: { host_id: host.name, service_name: '' },
        value: field === 'cpu' ? measurement.cpu : measurement.memoryUsedMb,
      },
      ...measurement.services.map((service) => ({
        labels: { host_id: host.name, service_name: service.service },
        value: service[field],
      })),
    ]);
  return [
    { name: 'cpu_usage', help: 'Percentage of CPU usage by component', samples: usage('cpu') },
    { name: 'memory_usage', help: 'Memory usage in megabytes by component', samples: usage('memoryMb') },
  ];
}

function diskFamilies({ disks }: InformantView): readonly PageFamily[] {
  const sizes = (field: 'usedMb' | 'freeMb'): PageFamily['samples'] =>
    disks.flatMap(({ host, measurement }) =>
      measurement.map(({ mountPoint, path, pathName, [field]: value }) => ({
        labels: { host_id: host.name, mount_point: mountPoint, path, path_name: pathName },
        value,
      })),
    );
  return [
    { name: 'diskspace_free', help: 'Free disk space in megabytes by directory', samples: sizes('freeMb') },
    { name: 'diskspace_usage', help: 'Disk space usage in megabytes by directory', samples: sizes('usedMb') },
  ];
}

function networkFamilies({ network }: InformantView): readonly PageFamily[] {
  return [
    {
      name: 'network_connections',
      help: 'Number of open TCP connections',
      samples: network.map(({ host, measurement }) => ({
        labels: { host_id: host.name },
        value: measurement.connections,
      })),
    },
    {
      name: 'network_traffic',
      help: 'Network traffic in bytes since the service started',
      samples: network.flatMap(({ host, measurement }) => [
        { labels: { direction: 'incoming', host_id: host.name }, value: measurement.incoming },
        { labels: { direction: 'outgoing', host_id: host.name }, value: measurement.outgoing },
      ]),
    },
  ];
}

function statusFamily({ statuses }: InformantView): PageFamily {
  return {
    name: 'service_status',
    help: 'The status of the service',
    samples: statuses.map(({ instance: { service, partition, replica }, status }) => ({
      labels: { partition, replica, service_name: service },
      value: serviceStatusCodes[status],
    })),
  };
}

/** Returns series for large pages: ten families, as in a cluster with very many installed queries. */
function padding(series: number, { number }: InformantView, graphs: readonly string[]): readonly PageFamily[] {
  const spread = 10;
  return Array.from({ length: series === 0 ? 0 : spread }, (_, family) => ({
    name: `extra_${family}`,
    help: 'One of many series that make the page large',
    samples: Array.from({ length: Math.ceil((series - family) / spread) }, (_unused, index) => ({
      labels: {
        endpoint: `/query/${graphs[index % Math.max(1, graphs.length)] ?? ''}/generated_${index}`,
        host_id: 'm1',
        service_name: 'RESTPP',
      },
      value: Number((noiseOf(family, index, number) * 1000).toPrecision(6)),
    })),
  }));
}
