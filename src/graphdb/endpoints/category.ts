import { z } from 'zod';
import type { CategoryRow, InformantCategory } from '../../model/node.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { int64Text, numberOrZero, objectOrEmpty, parserOf, textOrEmpty } from '../reply-schemas.ts';
import { fetchList } from './list.ts';

const base = {
  HostID: textOrEmpty,
  CollectTimeStamps: int64Text,
  ServiceDescriptor: objectOrEmpty({ ServiceName: textOrEmpty }),
};

const cpuMemory = z.object({
  ...base,
  CPU: objectOrEmpty({ CPUUsage: numberOrZero }),
  Memory: objectOrEmpty({ MemoryUsageMB: numberOrZero }),
});
const diskspace = z.object({
  ...base,
  Disk: objectOrEmpty({
    PathName: textOrEmpty,
    Path: textOrEmpty,
    MountPoint: textOrEmpty,
    SizeMB: numberOrZero,
    FreeSizeMB: numberOrZero,
  }),
});
const network = z.object({
  ...base,
  Network: objectOrEmpty({ TCPConnectionNum: numberOrZero, IncomingBytesNum: int64Text, OutgoingBytesNum: int64Text }),
});
const qps = z.object(base);

type RowParser = (item: unknown) => CategoryRow | undefined;

/** The array that a category's answer holds, and how one item of it is read. */
const categories: Readonly<Record<InformantCategory, { readonly array: string; readonly row: RowParser }>> = {
  'cpu-memory': {
    array: 'CPUMemoryMetrics',
    row: rowParser(cpuMemory, ({ CPU, Memory }) => ({ cpuPercent: CPU.CPUUsage, memoryMb: Memory.MemoryUsageMB })),
  },
  diskspace: {
    array: 'DiskMetrics',
    row: rowParser(diskspace, ({ Disk }) => ({
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
    row: rowParser(network, ({ Network }) => ({
      network: {
        connections: Network.TCPConnectionNum,
        incoming: Network.IncomingBytesNum || '0',
        outgoing: Network.OutgoingBytesNum || '0',
      },
    })),
  },
  qps: { array: 'QPSMetrics', row: rowParser(qps, () => ({})) },
};

/** `POST /informant/metrics/get/{category}`: the newest item of each host and service. */
export function fetchCategory(
  caller: Caller,
  category: InformantCategory,
  signal: AbortSignal,
): Answer<readonly CategoryRow[]> {
  const { array, row } = categories[category];
  const input = { segments: { category }, body: { LatestNum: '1' } };
  return fetchList(caller, { name: 'category', input, member: array, entry: row }, signal);
}

function rowParser<Item extends z.infer<typeof qps>>(
  schema: z.ZodType<Item>,
  values: (item: Item) => Partial<CategoryRow>,
): RowParser {
  const read = parserOf(schema);
  return (value) => {
    const item = read(value);
    if (item === undefined || item.HostID === '') return undefined;
    const { HostID: hostId, CollectTimeStamps: collectedNs, ServiceDescriptor } = item;
    return { hostId, collectedNs, service: ServiceDescriptor.ServiceName, ...values(item) };
  };
}
