import type { Question, Row, Store } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import { difference, type TrackOutput } from './differences.ts';
import { type TrackedReplica, unasked, unknownReplica } from './replica.ts';
import { countOf, observedUntilOf, type StoredReplica, storedReplica, tables } from './rows.ts';
import { keyOf, nothingTracked, type TrackerState } from './tracker.ts';

/**
 * What was known of a cluster when the last process ended. What has happened since then nobody saw: from the last
 * moment that is known to have been observed, everything is unobserved, and the first step will say so. What was
 * hard stays hard, so that nothing is announced a second time.
 */
export async function restoreTracker(cluster: string, store: Store, now: Instant): Promise<TrackerState> {
  const where = [{ column: 'cluster', is: '=', value: cluster }] as const;
  const [replicas, counts, clusters] = await Promise.all([
    rowsOf(store, { table: tables.replicas, where, order: ['service', 'partition', 'replica'] }),
    rowsOf(store, { table: tables.counts, where }),
    rowsOf(store, { table: tables.clusters, where }),
  ]);
  const until = clusters.map(observedUntilOf).find((value) => value !== undefined);
  const counted = countsByKey(counts);
  const known = new Map<string, TrackedReplica>();
  const owed: TrackOutput[] = [];
  for (const row of replicas.map(storedReplica).filter((one) => one !== undefined)) {
    const before = revived(row, counted.get(keyOf(row)) ?? {}, now);
    const { replica, outputs } = difference(cluster, before, unseenSince(before, until, now));
    known.set(keyOf(row), replica);
    owed.push(...outputs);
  }
  return { ...nothingTracked, replicas: known, keptUntil: until ?? nothingTracked.keptUntil, owed };
}

/** A store that cannot be read was complained about where it was opened: the tracker begins with what there is. */
async function rowsOf(store: Store, question: Question): Promise<readonly Row[]> {
  const found = await store.find(question);
  return found.ok ? found.value : [];
}

function countsByKey(rows: readonly Row[]): ReadonlyMap<string, Readonly<Record<string, number>>> {
  const byKey = new Map<string, Record<string, number>>();
  for (const row of rows) {
    const count = countOf(row);
    if (count === undefined) continue;
    const key = keyOf(count);
    byKey.set(key, { ...byKey.get(key), [count.to]: count.transitions });
  }
  return byKey;
}

function revived(row: StoredReplica, counts: TrackedReplica['counts'], now: Instant): TrackedReplica {
  return { ...unknownReplica(row, now), ...row, counts };
}

function unseenSince(replica: TrackedReplica, until: number | undefined, now: Instant): TrackedReplica {
  const wall = Math.min(until ?? replica.observedSince, now.wall);
  return unasked(replica, { wall, mono: now.mono });
}
