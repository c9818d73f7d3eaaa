import { z } from 'zod';
import type { Change, Row } from '../kernel/store.ts';
import type { ReplicaId, Transition } from '../model/transition.ts';
import type { TrackedReplica } from './replica.ts';

/** The tables of the tracker. */
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

/** Adds a transition to the timeline. */
export function transitionAdded(transition: Transition): Change {
  const { at, process, eventId, eventNs, source } = transition;
  const told = { process, event_id: eventId, event_ns: eventNs, source };
  const states = { from_status: transition.from, to_status: transition.to, lasted: transition.lasted ?? null };
  return { table: tables.transitions, put: { ...identityOf(transition), at, ...states, ...told } };
}

/** A transition as it was stored; undefined for a row that is none. */
export function transitionOf(row: Row): Transition | undefined {
  const read = transitionRow.safeParse(row);
  if (!read.success) return undefined;
  const { at, process, event_id: eventId, event_ns: eventNs, source, lasted, from_status, to_status } = read.data;
  const what = { at, from: from_status, to: to_status, process, eventId, eventNs, source };
  return { ...identityOf(read.data), ...what, ...(lasted === null ? {} : { lasted }) };
}

/** Keeps what is known of a replica. */
export function replicaKept(cluster: string, known: TrackedReplica): Change {
  const row: Row = {
    ...identityOf({ cluster, ...known }),
    observed: known.observed,
    observed_since: known.observedSince,
    hard: known.hard,
    hard_since: known.hardSince,
    status: known.status,
    missing_since: known.missingSince ?? null,
    process: known.process,
    event_id: known.eventId,
    event_ns: known.eventNs,
    source: known.source,
    changes: known.changes,
    flapping: known.flapping ? 1 : 0,
  };
  return { table: tables.replicas, put: row };
}

/** What a row tells of a replica; undefined for a row that tells nothing. */
export function storedReplica(row: Row): StoredReplica | undefined {
  const read = replicaRow.safeParse(row);
  if (!read.success) return undefined;
  const { service, partition, replica, observed, hard, status, process, source, changes } = read.data;
  const verbatim = { service, partition, replica, observed, hard, status, process, source, changes };
  return {
    ...verbatim,
    observedSince: read.data.observed_since,
    hardSince: read.data.hard_since,
    missingSince: read.data.missing_since ?? undefined,
    eventId: read.data.event_id,
    eventNs: read.data.event_ns,
    flapping: read.data.flapping === 1,
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
  | 'hard'
  | 'hardSince'
  | 'status'
  | 'missingSince'
  | 'process'
  | 'eventId'
  | 'eventNs'
  | 'source'
  | 'changes'
  | 'flapping'
>;

/** Keeps how often a replica went to a status. */
export function countKept(id: ReplicaId, to: string, transitions: number): Change {
  return { table: tables.counts, put: { ...identityOf(id), to_status: to, transitions } };
}

/** A stored count; undefined for a row that is none. */
export function countOf(row: Row): (ReplicaId & { readonly to: string; readonly transitions: number }) | undefined {
  const read = countRow.safeParse(row);
  if (!read.success) return undefined;
  return { ...identityOf(read.data), to: read.data.to_status, transitions: read.data.transitions };
}

/** Keeps nothing of a replica but its timeline. */
export function replicaForgotten(id: ReplicaId): readonly Change[] {
  const drop = identityOf(id);
  return [
    { table: tables.replicas, drop },
    { table: tables.counts, drop },
  ];
}

/** Keeps until when a cluster was observed. */
export function observedUntilKept(cluster: string, until: number): Change {
  return { table: tables.clusters, put: { cluster, observed_until: until } };
}

/** Until when a cluster was observed; undefined for a row that does not say. */
export function observedUntilOf(row: Row): number | undefined {
  return clusterRow.safeParse(row).data?.observed_until;
}

function identityOf({ cluster, service, partition, replica }: ReplicaId): ReplicaId & Row {
  return { cluster, service, partition, replica };
}
