import type { Row, Store, StoreQuery } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import { type Transition, unobserved } from '../model/transition.ts';
import { partitionSpans, spansOf } from './availability.ts';
import { historyFromSpans, type PartitionHistories, partitionKey, recentWindow } from './recent-availability.ts';
import { markUnobserved, newReplica, type TrackedReplica } from './replica.ts';
import { parseCount, parseObservedUntil, parseReplica, parseTransition, type StoredReplica, tables } from './rows.ts';
import { emptyTrackerState, keyOf, type TrackerState } from './tracker.ts';
import { replicaDifference, type TrackerOutput } from './transitions.ts';

/**
 * Restores the state of a cluster from the last process. All replicas are unobserved since the last observation, and the
 * first step reports that. A confirmed status stays confirmed, so that no transition is announced twice.
 */
export async function restoreTracker(cluster: string, store: Pick<Store, 'find'>, now: Instant): Promise<TrackerState> {
  const where = [{ column: 'cluster', is: '=', value: cluster }] as const;
  const since = { column: 'at', is: '>=', value: now.wall - recentWindow } as const;
  const [replicas, counts, clusters, timeline] = await Promise.all([
    readRows(store, { table: tables.replicas, where, order: ['service', 'partition', 'replica'] }),
    readRows(store, { table: tables.counts, where }),
    readRows(store, { table: tables.clusters, where }),
    readRows(store, { table: tables.transitions, where: [...where, since], order: ['at'] }),
  ]);
  const until = clusters.map(parseObservedUntil).find((value) => value !== undefined);
  const counted = countsByKey(counts);
  const known = new Map<string, TrackedReplica>();
  const pendingOutputs: TrackerOutput[] = [];
  for (const row of replicas.map(parseReplica).filter((one) => one !== undefined)) {
    const before = restoredReplica(row, counted.get(keyOf(row)) ?? {}, now);
    const { replica, outputs } = replicaDifference(cluster, before, unobservedSince(before, until, now), now);
    known.set(keyOf(row), replica);
    pendingOutputs.push(...outputs);
  }
  const transitions = timeline.map(parseTransition).filter((one) => one !== undefined);
  return {
    ...emptyTrackerState,
    replicas: known,
    partitions: restoredPartitions([...known.values()], transitions, now),
    observedUntil: until ?? emptyTrackerState.observedUntil,
    pendingOutputs,
  };
}

/** Returns the recent outages by the stored timeline, so that a restart neither ends nor hides them. */
function restoredPartitions(
  replicas: readonly TrackedReplica[],
  transitions: readonly Transition[],
  now: Instant,
): PartitionHistories {
  const window = { from: now.wall - recentWindow, to: now.wall };
  const byReplica = Map.groupBy(transitions, keyOf);
  const groups = Map.groupBy(replicas, partitionKey);
  return new Map(
    [...groups].flatMap(([key, members]) => {
      const [first] = members;
      if (first === undefined) return [];
      const spans = members.map((replica) => {
        const own = [...(byReplica.get(keyOf(replica)) ?? []), ...restartGap(replica)];
        return spansOf(own, window, { status: replica.observed, since: replica.observedSince });
      });
      return [[key, historyFromSpans(first, partitionSpans(spans), now)]];
    }),
  );
}

/** The replica is unobserved since the last process; this transition is not stored yet. */
function restartGap({ status, observed: to, observedSince: at }: TrackedReplica) {
  return to === unobserved ? [{ from: status, to, at }] : [];
}

/** Returns no rows if the store cannot be read; the store reports its own failure. */
async function readRows(store: Pick<Store, 'find'>, query: StoreQuery): Promise<readonly Row[]> {
  const found = await store.find(query);
  return found.ok ? found.value : [];
}

function countsByKey(rows: readonly Row[]): ReadonlyMap<string, Readonly<Record<string, number>>> {
  const byKey = new Map<string, Record<string, number>>();
  for (const row of rows) {
    const count = parseCount(row);
    if (count === undefined) continue;
    const key = keyOf(count);
    byKey.set(key, { ...byKey.get(key), [count.to]: count.transitions });
  }
  return byKey;
}

function restoredReplica(
  row: StoredReplica,
  transitionCounts: TrackedReplica['transitionCounts'],
  now: Instant,
): TrackedReplica {
  return { ...newReplica(row, now), ...row, transitionCounts };
}

function unobservedSince(replica: TrackedReplica, until: number | undefined, now: Instant): TrackedReplica {
  const wall = Math.min(until ?? replica.observedSince, now.wall);
  return markUnobserved(replica, { wall, mono: now.mono });
}
