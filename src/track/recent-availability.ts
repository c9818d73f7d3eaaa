import type { Millis } from '../kernel/time.ts';
import type { RecentAvailability } from '../model/transition.ts';
import { unobserved } from '../model/transition.ts';
import type { StatusSpan } from './availability.ts';
import type { TrackedReplica } from './replica.ts';

/** Length of the window in which recent outages count. */
export const recentWindow: Millis = 600_000;

/** Whether a partition has an online replica; {@link unobserved} if that is not known. */
type PartitionStatus = 'available' | 'unavailable' | typeof unobserved;

/** Period in which a partition has one status. It lasts until the next period begins. */
interface Period {
  /** Start on the monotonic clock. */
  readonly since: number;
  readonly status: PartitionStatus;
}

/** Outages of one partition in the recent window. */
export interface PartitionHistory {
  readonly service: string;
  readonly partition: string;
  /** The oldest first. */
  readonly periods: readonly Period[];
  readonly recent: RecentAvailability;
}

/** Histories by {@link partitionKey}. */
export type PartitionHistories = ReadonlyMap<string, PartitionHistory>;

/** Returns the key of a partition. */
export function partitionKey({ service, partition }: { readonly service: string; readonly partition: string }): string {
  return `${service.length},${service}${partition}`;
}

/** Returns the histories after an observation of all replicas of a cluster at monotonic time `at`. */
export function observePartitions(
  known: PartitionHistories,
  replicas: Iterable<TrackedReplica>,
  at: number,
): PartitionHistories {
  const groups = Map.groupBy(replicas, partitionKey);
  return new Map(
    [...groups].flatMap(([key, members]) => {
      const [first] = members;
      if (first === undefined) return [];
      const { service, partition } = first;
      const statuses = members.map(({ observed }) => observed);
      const periods = withPeriod(known.get(key)?.periods ?? [], { since: at, status: statusOf(statuses) });
      return [[key, historyOf(service, partition, periods, at)]];
    }),
  );
}

/** Returns the history of a partition from its stored timeline. `now` relates wall time to the monotonic clock. */
export function historyFromSpans(
  { service, partition }: { readonly service: string; readonly partition: string },
  spans: readonly StatusSpan[],
  now: { readonly wall: number; readonly mono: number },
): PartitionHistory {
  const offset = now.wall - now.mono;
  const periods = spans.reduce<readonly Period[]>((all, { from, status }) => {
    const known = status === 'Online' ? 'available' : status === 'unavailable' ? status : unobserved;
    return withPeriod(all, { since: from - offset, status: known });
  }, []);
  return historyOf(service, partition, periods, now.mono);
}

function historyOf(service: string, partition: string, periods: readonly Period[], at: number): PartitionHistory {
  const from = at - recentWindow;
  const kept = periods.filter((_, index) => (periods[index + 1]?.since ?? at) > from || index === periods.length - 1);
  return { service, partition, periods: kept, recent: recentOf(kept, at) };
}

/** An outage that lasts through unobserved time, such as a restart, is one outage. */
function recentOf(periods: readonly Period[], at: number): RecentAvailability {
  let [unavailable, outages, isOut] = [0, 0, false];
  for (const [index, { since, status }] of periods.entries()) {
    if (status === unobserved) continue;
    if (status === 'unavailable') {
      outages += isOut ? 0 : 1;
      unavailable += (periods[index + 1]?.since ?? at) - Math.max(since, at - recentWindow);
    }
    isOut = status === 'unavailable';
  }
  return { unavailableRatio: unavailable / recentWindow, outages };
}

function withPeriod(periods: readonly Period[], next: Period): readonly Period[] {
  return periods.at(-1)?.status === next.status ? periods : [...periods, next];
}

/**
 * Returns the status of a partition. Read-only replicas answer queries. Without such a replica, an unobserved one
 * makes it unknown.
 */
function statusOf(statuses: readonly string[]): PartitionStatus {
  if (statuses.includes('Online') || statuses.includes('Readonly')) return 'available';
  return statuses.includes(unobserved) ? unobserved : 'unavailable';
}
