import { z } from 'zod';
import type { Endpoint, EndpointCall } from '../call.ts';
import { json, type jsonText } from '../replies.ts';
import { fromNanoseconds } from '../timestamps.ts';
import { type CategoryItem, capacityItems, diskItems, endpointItems, networkItems } from './category-items.ts';

const text = z.union([z.string(), z.number()]).transform(String);
const descriptor = z.object({
  ServiceName: z.string(),
  Partition: z.coerce.number().optional(),
  Replica: z.coerce.number().optional(),
});
const nanoseconds = text.pipe(z.string().regex(/^\d+$/)).transform(fromNanoseconds);
const filterSchema = z.object({
  ServiceDescriptor: descriptor.optional(),
  ServiceDescriptors: z.array(descriptor).optional(),
  TimeRange: z.object({ StartTimestampNS: nanoseconds.optional(), EndTimestampNS: nanoseconds.optional() }).optional(),
  HostID: z.string().optional(),
  PathName: z.string().optional(),
  Endpoint: z.string().optional(),
  CPUUsage: z.coerce.number().optional(),
  MemoryUsage: z.coerce.number().optional(),
  LatestNum: z.coerce.number().int().positive().optional(),
});

type Filter = z.infer<typeof filterSchema>;

/** Categories with the key of the response and the source of the items. */
const categories: ReadonlyMap<string, { key: string; items: (call: EndpointCall) => readonly CategoryItem[] }> =
  new Map([
    ['cpu-memory', { key: 'CPUMemoryMetrics', items: capacityItems }],
    ['diskspace', { key: 'DiskMetrics', items: diskItems }],
    ['network', { key: 'NetworkMetrics', items: networkItems }],
    ['qps', { key: 'QPSMetrics', items: endpointItems }],
  ]);

/** `POST /informant/metrics/get/{category}`: the JSON form of protobuf, filtered; it omits empty arrays. */
export const informantCategory: Endpoint = (call) => {
  const category = categories.get(call.path.category ?? '');
  if (category === undefined) return informantError(404, 'unknown metrics category');
  const filter = readFilter(call.body);
  if (filter === undefined) return informantError(400, 'the request body is not a filter');
  const kept = category.items(call).filter((item) => matchesFilter(item, filter, call));
  const latest = newestPerSubject(kept, filter.LatestNum ?? Number.POSITIVE_INFINITY);
  return json(latest.length === 0 ? {} : { [category.key]: latest.map(({ json: item }) => item) });
};

/** Assumed format of the errors of the informant: only a client that parses this format is known. */
export function informantError(status: number, message: string): ReturnType<typeof jsonText> {
  return json({ Error: { Message: message } }, status);
}

function readFilter(body: string): Filter | undefined {
  try {
    const value: unknown = body.trim() === '' ? {} : JSON.parse(body);
    return filterSchema.safeParse(value).data;
  } catch {
    return undefined;
  }
}

function matchesFilter(item: CategoryItem, filter: Filter, { world }: EndpointCall): boolean {
  const { HostID, TimeRange, PathName, Endpoint: endpoint, CPUUsage, MemoryUsage } = filter;
  const wanted = world.release.descriptorLists ? filter.ServiceDescriptors : undefined;
  const descriptors = wanted ?? (filter.ServiceDescriptor === undefined ? undefined : [filter.ServiceDescriptor]);
  return (
    (HostID === undefined || HostID === item.host) &&
    (PathName === undefined || PathName.toLowerCase() === item.pathName?.toLowerCase()) &&
    (endpoint === undefined || endpoint === item.endpoint) &&
    (CPUUsage === undefined || (item.cpu ?? 0) > CPUUsage) &&
    (MemoryUsage === undefined || (item.memoryMb ?? 0) > MemoryUsage) &&
    item.at >= (TimeRange?.StartTimestampNS ?? 0) &&
    item.at <= (TimeRange?.EndTimestampNS ?? Number.POSITIVE_INFINITY) &&
    (descriptors === undefined || descriptors.some((one) => matchesDescriptor(one, item)))
  );
}

function matchesDescriptor(wanted: z.infer<typeof descriptor>, { service }: CategoryItem): boolean {
  return (
    service !== undefined &&
    wanted.ServiceName.toUpperCase() === service.ServiceName &&
    (wanted.Partition === undefined || wanted.Partition === service.Partition) &&
    (wanted.Replica === undefined || wanted.Replica === service.Replica)
  );
}

/** Returns the latest `count` items of each subject, newest first. */
function newestPerSubject(items: readonly CategoryItem[], count: number): readonly CategoryItem[] {
  const seen = new Map<string, number>();
  return items
    .toSorted((a, b) => b.at - a.at)
    .filter(({ subject }) => {
      const before = seen.get(subject) ?? 0;
      seen.set(subject, before + 1);
      return before < count;
    });
}
