import { z } from 'zod';
import type { Row, StoreChange } from '../kernel/store.ts';
import type { ReplicaId, Transition } from '../model/transition.ts';
import type { TrackedReplica } from './replica.ts';

/** Tables of the tracker. */
export const tables = {
  transitions: 'transitions',
  replicas: 'tracker_replicas',
  counts: 'tracker_counts',
  clusters: 'tracker_clusters',
} as const;

const time = z.number().min(-8.64e15).max(8.64e15);
const identity = { cluster: z.string(), service: z.string().min(1), partition: z.string(), replica: z.string() };
const event = { process: z.string(), event_id: z.string(), event_ns: z.string(), source: z.string() };

const transitionRow = z.object({
  ...identity,
  ...event,
  at: time,
  from_status: z.string(),
  to_status: z.string(),
  lasted: z.number().min(0).nullable(),
});

const replicaRow = z.object({
  ...identity,
  ...event,
  observed: z.string().min(1),
  observed_since: time,
  hard: z.string().min(1),
  hard_since: time,
  status: z.string(),
  missing_since: time.nullable(),
  changes: z.string().regex(/^[01]*$/),
  flapping: z.union([z.literal(0), z.literal(1)]),
});

const countRow = z.object({ ...identity, to_status: z.string().min(1), transitions: z.int().min(0) });
const clusterRow = z.object({ cluster: z.string(), observed_until: time });

/** Returns the change that adds a transition to the timeline. */
export function insertTransition(transition: Transition): StoreChange {
  const { at, process, eventId, eventNs, source } = transition;
  const reported = { process, event_id: eventId, event_ns: eventNs, source };
  const states = { from_status: transition.from, to_status: transition.to, lasted: transition.duration ?? null };
  return { table: tables.transitions, put: { ...identityOf(transition), at, ...states, ...reported } };
}

/** Returns the transition of a row; undefined for an invalid row. */
export function parseTransition(row: Row): Transition | undefined {
  const read = transitionRow.safeParse(row);
  if (!read.success) return undefined;
  const {
    at,
    process,
    event_id: eventId,
    event_ns: eventNs,
    source,
    lasted: duration,
    from_status,
    to_status,
  } = read.data;
  const what = { at, from: from_status, to: to_status, process, eventId, eventNs, source };
  return { ...identityOf(read.data), ...what, ...(duration === null ? {} : { duration }) };
}

/** Returns the change that stores a replica. */
export function upsertReplica(cluster: string, tracked: TrackedReplica): StoreChange {
  const row: Row = {
    ...identityOf({ cluster, ...tracked }),
    observed: tracked.observed,
    observed_since: tracked.observedSince,
    hard: tracked.confirmed,
    hard_since: tracked.confirmedSince,
    status: tracked.status,
    missing_since: tracked.missingSince ?? null,
    process: tracked.process,
    event_id: tracked.eventId,
    event_ns: tracked.eventNs,
    source: tracked.source,
    changes: tracked.changes,
    flapping: tracked.isFlapping ? 1 : 0,
  };
  return { table: tables.replicas, put: row };
}

/** Returns the replica of a row; undefined for an invalid row. */
export function parseReplica(row: Row): StoredReplica | undefined {
  const read = replicaRow.safeParse(row);
  if (!read.success) return undefined;
  const { service, partition, replica, observed, hard, status, process, source, changes } = read.data;
  const verbatim = { service, partition, replica, observed, confirmed: hard, status, process, source, changes };
  return {
    ...verbatim,
    observedSince: read.data.observed_since,
    confirmedSince: read.data.hard_since,
    missingSince: read.data.missing_since ?? undefined,
    eventId: read.data.event_id,
    eventNs: read.data.event_ns,
    isFlapping: read.data.flapping === 1,
  };
}

/** The durable part of a {@link TrackedReplica}. */
export type StoredReplica = Pick<
  TrackedReplica,
  | 'service'
  | 'partition'
  | 'replica'
  | 'observed'
  | 'observedSince'
  | 'confirmed'
  | 'confirmedSince'
  | 'status'
  | 'missingSince'
  | 'process'
  | 'eventId'
  | 'eventNs'
  | 'source'
  | 'changes'
  | 'isFlapping'
>;

/** Returns the change that stores the number of transitions of a replica to a status. */
export function upsertCount(id: ReplicaId, to: string, transitions: number): StoreChange {
  return { table: tables.counts, put: { ...identityOf(id), to_status: to, transitions } };
}

/** Returns the count of a row; undefined for an invalid row. */
export function parseCount(row: Row): (ReplicaId & { readonly to: string; readonly transitions: number }) | undefined {
  const read = countRow.safeParse(row);
  if (!read.success) return undefined;
  return { ...identityOf(read.data), to: read.data.to_status, transitions: read.data.transitions };
}

/** Returns the changes that delete a replica except for its timeline. */
export function deleteReplica(id: ReplicaId): readonly StoreChange[] {
  const drop = identityOf(id);
  return [
    { table: tables.replicas, drop },
    { table: tables.counts, drop },
  ];
}

/** Returns the change that stores until when a cluster was observed. */
export function upsertObservedUntil(cluster: string, until: number): StoreChange {
  return { table: tables.clusters, put: { cluster, observed_until: until } };
}

/** Returns until when a cluster was observed; undefined for an invalid row. */
export function parseObservedUntil(row: Row): number | undefined {
  return clusterRow.safeParse(row).data?.observed_until;
}

function identityOf({ cluster, service, partition, replica }: ReplicaId): ReplicaId & Row {
  return { cluster, service, partition, replica };
}
