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
  CPU: z.object({ CPUUsage: numberOrZero }).nullish(),
  Memory: z.object({ MemoryUsageMB: numberOrZero }).nullish(),
});
const diskspace = z.object({
  ...base,
  Disk: z
    .object({
      PathName: textOrEmpty,
      Path: textOrEmpty,
      MountPoint: textOrEmpty,
      SizeMB: numberOrZero,
      FreeSizeMB: numberOrZero,
    })
    .nullish(),
});
const network = z.object({
  ...base,
  Network: z
    .object({ TCPConnectionNum: numberOrZero, IncomingBytesNum: int64Text, OutgoingBytesNum: int64Text })
    .nullish(),
});
const qps = z.object(base);

type RowParser = (item: unknown) => CategoryRow | undefined;

/** Array in the reply of a category. */
interface CategoryArray {
  readonly array: string;
  readonly row: RowParser;
  /** The form of the items is not documented: see {@link EntryParsing.needs}. */
  readonly needs?: 'none';
}

const categories: Readonly<Record<InformantCategory, CategoryArray>> = {
  'cpu-memory': {
    array: 'CPUMemoryMetrics',
    row: rowParser(cpuMemory, ({ CPU, Memory }) => ({
      ...(isPresent(CPU) && { cpuPercent: CPU.CPUUsage }),
      ...(isPresent(Memory) && { memoryMb: Memory.MemoryUsageMB }),
    })),
  },
  diskspace: {
    array: 'DiskMetrics',
    row: rowParser(diskspace, ({ Disk }) => ({
      ...(isPresent(Disk) && {
        disk: {
          pathName: Disk.PathName,
          path: Disk.Path,
          mountPoint: Disk.MountPoint,
          usedMb: Disk.SizeMB,
          freeMb: Disk.FreeSizeMB,
        },
      }),
    })),
  },
  network: {
    array: 'NetworkMetrics',
    row: rowParser(network, ({ Network }) => ({
      ...(isPresent(Network) && {
        network: {
          connections: Network.TCPConnectionNum,
          incoming: Network.IncomingBytesNum || '0',
          outgoing: Network.OutgoingBytesNum || '0',
        },
      }),
    })),
  },
  qps: { array: 'QPSMetrics', row: rowParser(qps, () => ({})), needs: 'none' },
};

/** `POST /informant/metrics/get/{category}`: the newest item of each host and service. */
export function fetchCategory(
  caller: Caller,
  category: InformantCategory,
  signal: AbortSignal,
): Answer<readonly CategoryRow[]> {
  const { array, row, ...needs } = categories[category];
  const input = { segments: { category }, body: { LatestNum: '1' } };
  return fetchList(caller, { name: 'category', input, member: array, entry: row, ...needs }, signal);
}

/** Whether the object of a measurement is present. A number of 0 is omitted within its object; an absent object was not measured. */
function isPresent<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined;
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
