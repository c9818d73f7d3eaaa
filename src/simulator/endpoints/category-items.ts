import type { EndpointCall } from '../call.ts';
import { noiseOf } from '../seeded-random.ts';
import { nanoseconds } from '../timestamps.ts';
import type { HostMeasurement } from '../world/informant.ts';
import { descriptor, eventMeta, type ServiceDescriptor } from './informant-format.ts';
import { endpointPath } from './informant-page-extended.ts';

/** Item of a by-category response, with the properties that filters use. */
export interface CategoryItem {
  /** Subject of the measurement; items with the same subject are its measurements at different times. */
  readonly subject: string;
  readonly host: string;
  /** Collection time by the clock of the host, ms since the epoch. */
  readonly at: number;
  readonly service?: ServiceDescriptor;
  readonly cpu?: number;
  readonly memoryMb?: number;
  readonly pathName?: string;
  readonly endpoint?: string;
  /** Item in the format of the reply. */
  readonly json: unknown;
}

/** Returns the items about CPU and memory: one without descriptor for the whole host, and one per service. */
export function capacityItems(call: EndpointCall): readonly CategoryItem[] {
  return call.world.informant.views.flatMap(({ capacity }) =>
    capacity.flatMap((measured) => {
      const { cpu, memoryUsedMb, services } = measured.measurement;
      const rows = services.map((one) => ({
        service: descriptor(one.service, one.partition, one.replica),
        cpu: one.cpu,
        memoryMb: one.memoryMb,
      }));
      return [{ cpu, memoryMb: memoryUsedMb }, ...rows].map((row) => categoryItem(call, measured, capacityRow(row)));
    }),
  );
}

interface CapacityRow {
  readonly service?: ServiceDescriptor;
  readonly cpu: number;
  readonly memoryMb: number;
}

function capacityRow({ service, cpu, memoryMb }: CapacityRow): ItemRow {
  return {
    subject: service === undefined ? '' : JSON.stringify(service),
    ...(service === undefined ? {} : { service }),
    cpu,
    memoryMb,
    json: {
      ...(service === undefined ? {} : { ServiceDescriptor: service }),
      CPU: cpu === 0 ? {} : { CPUUsage: cpu },
      Memory: memoryMb === 0 ? {} : { MemoryUsageMB: memoryMb },
    },
  };
}

/** Returns the items of directories, only from refreshes that measured the disks. */
export function diskItems(call: EndpointCall): readonly CategoryItem[] {
  const measurements = new Set(call.world.informant.views.map(({ disks }) => disks));
  return [...measurements].flatMap((disks) =>
    disks.flatMap((measured) =>
      measured.measurement.map(({ pathName, path, mountPoint, usedMb, freeMb }) =>
        categoryItem(call, measured, {
          subject: pathName,
          pathName,
          json: {
            Disk: {
              PathName: pathName,
              Path: path,
              MountPoint: mountPoint,
              ...(usedMb === 0 ? {} : { SizeMB: usedMb }),
              ...(freeMb === 0 ? {} : { FreeSizeMB: freeMb }),
            },
          },
        }),
      ),
    ),
  );
}

/** Returns the items about connections and traffic. The byte counters are strings, because they are 64-bit integers. */
export function networkItems(call: EndpointCall): readonly CategoryItem[] {
  return call.world.informant.views.flatMap(({ network }) =>
    network.map((measured) => {
      const { connections, incoming, outgoing } = measured.measurement;
      return categoryItem(call, measured, {
        subject: '',
        json: {
          Network: {
            IP: measured.host.address,
            TCPConnectionNum: connections,
            ...(incoming === 0 ? {} : { IncomingBytesNum: String(incoming) }),
            ...(outgoing === 0 ? {} : { OutgoingBytesNum: String(outgoing) }),
          },
        },
      });
    }),
  );
}

/** Returns the items about requests by endpoint. The inner keys are assumed, because no public sample shows them. */
export function endpointItems(call: EndpointCall): readonly CategoryItem[] {
  return call.world.informant.views.flatMap(({ endpoints }) =>
    endpoints.flatMap((measured) =>
      Object.entries(measured.measurement).map(([key, record]) => {
        const endpoint = endpointPath(key);
        const service = descriptor('RESTPP', '', String(measured.host.index + 1));
        const { LatencyPercentile: _, ...numbers } = record;
        return categoryItem(call, measured, {
          subject: key,
          service,
          endpoint,
          json: { ServiceDescriptor: service, QPS: { Endpoint: endpoint, ...withoutZeros(numbers) } },
        });
      }),
    ),
  );
}

function withoutZeros(numbers: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== 0));
}

interface ItemRow extends Omit<CategoryItem, 'host' | 'at' | 'json'> {
  readonly json: object;
}

function categoryItem({ world }: EndpointCall, { host, at }: HostMeasurement<unknown>, row: ItemRow): CategoryItem {
  const collected = at + world.clockOffset(host);
  const key = `${host.name}/${row.subject}`;
  const source = { ServiceName: 'EXE', Partition: host.index + 1 };
  return {
    ...row,
    subject: key,
    host: host.name,
    at: collected,
    json: {
      EventMeta: eventMeta({ source, key, at: collected + 11 }),
      HostID: host.name,
      CollectTimeStamps: nanoseconds(collected, noiseOf(key, collected)),
      ...row.json,
    },
  };
}
