import { z } from 'zod';
import type { CategoryRow, InformantCategory } from '../../model/node.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { amount, digits, entry, inner, text } from '../shapes.ts';
import { readList } from './list.ts';

const base = { HostID: text, CollectTimeStamps: digits, ServiceDescriptor: inner({ ServiceName: text }) };

const cpuMemory = z.object({ ...base, CPU: inner({ CPUUsage: amount }), Memory: inner({ MemoryUsageMB: amount }) });
const diskspace = z.object({
  ...base,
  Disk: inner({ PathName: text, Path: text, MountPoint: text, SizeMB: amount, FreeSizeMB: amount }),
});
const network = z.object({
  ...base,
  Network: inner({ TCPConnectionNum: amount, IncomingBytesNum: digits, OutgoingBytesNum: digits }),
});
const qps = z.object(base);

type Row = (item: unknown) => CategoryRow | undefined;

/** The array that a category's answer holds, and how one item of it is read. */
const categories: Readonly<Record<InformantCategory, { readonly array: string; readonly row: Row }>> = {
  'cpu-memory': {
    array: 'CPUMemoryMetrics',
    row: rowOf(cpuMemory, ({ CPU, Memory }) => ({ cpuPercent: CPU.CPUUsage, memoryMb: Memory.MemoryUsageMB })),
  },
  diskspace: {
    array: 'DiskMetrics',
    row: rowOf(diskspace, ({ Disk }) => ({
      disk: {
        pathName: Disk.PathName,
        path: Disk.Path,
        mountPoint: Disk.MountPoint,
        usedMb: Disk.SizeMB,
        freeMb: Disk.FreeSizeMB,
      },
    })),
  },
  network: {
    array: 'NetworkMetrics',
    row: rowOf(network, ({ Network }) => ({
      network: {
        connections: Network.TCPConnectionNum,
        incoming: Network.IncomingBytesNum || '0',
        outgoing: Network.OutgoingBytesNum || '0',
      },
    })),
  },
  qps: { array: 'QPSMetrics', row: rowOf(qps, () => ({})) },
};

/** `POST /informant/metrics/get/{category}`: the newest item of each host and service. */
export function readCategory(
  caller: Caller,
  category: InformantCategory,
  signal: AbortSignal,
): Answer<readonly CategoryRow[]> {
  const { array, row } = categories[category];
  const input = { segments: { category }, body: { LatestNum: '1' } };
  return readList(caller, { name: 'category', input, member: array, entry: row }, signal);
}

function rowOf<Item extends z.infer<typeof qps>>(
  schema: z.ZodType<Item>,
  values: (item: Item) => Partial<CategoryRow>,
): Row {
  const read = entry(schema);
  return (value) => {
    const item = read(value);
    if (item === undefined || item.HostID === '') return undefined;
    const { HostID: hostId, CollectTimeStamps: collectedNs, ServiceDescriptor } = item;
    return { hostId, collectedNs, service: ServiceDescriptor.ServiceName, ...values(item) };
  };
}
