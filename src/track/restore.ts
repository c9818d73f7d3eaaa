import type { Row, Store, StoreQuery } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import { markUnobserved, newReplica, type TrackedReplica } from './replica.ts';
import { parseCount, parseObservedUntil, parseReplica, type StoredReplica, tables } from './rows.ts';
import { emptyTrackerState, keyOf, type TrackerState } from './tracker.ts';
import { replicaDifference, type TrackerOutput } from './transitions.ts';

/**
 * Restores the state of a cluster from the last process. All replicas are unobserved since the last observation, and the
 * first step reports that. A confirmed status stays confirmed, so that no transition is announced twice.
 */
export async function restoreTracker(cluster: string, store: Store, now: Instant): Promise<TrackerState> {
  const where = [{ column: 'cluster', is: '=', value: cluster }] as const;
  const [replicas, counts, clusters] = await Promise.all([
    readRows(store, { table: tables.replicas, where, order: ['service', 'partition', 'replica'] }),
    readRows(store, { table: tables.counts, where }),
    readRows(store, { table: tables.clusters, where }),
  ]);
  const until = clusters.map(parseObservedUntil).find((value) => value !== undefined);
  const counted = countsByKey(counts);
  const known = new Map<string, TrackedReplica>();
  const pendingOutputs: TrackerOutput[] = [];
  for (const row of replicas.map(parseReplica).filter((one) => one !== undefined)) {
    const before = restoredReplica(row, counted.get(keyOf(row)) ?? {}, now);
    const { replica, outputs } = replicaDifference(cluster, before, unobservedSince(before, until, now));
    known.set(keyOf(row), replica);
    pendingOutputs.push(...outputs);
  }
  return {
    ...emptyTrackerState,
    replicas: known,
    observedUntil: until ?? emptyTrackerState.observedUntil,
    pendingOutputs,
  };
}

/** Returns no rows if the store cannot be read; the store reports its own failure. */
async function readRows(store: Store, question: StoreQuery): Promise<readonly Row[]> {
  const found = await store.find(question);
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
