import { z } from 'zod';
import { parseJson } from '../../kernel/json.ts';
import type { Row, Store, StoreChange } from '../../kernel/store.ts';
import { findWithUnmerged } from '../../kernel/unmerged-rows.ts';
import { acknowledgementChanges, clusterOfAlert, severities } from '../../model/alert.ts';
import { loggedActions } from '../../model/delivery.ts';
import type { AlertQueue } from './alert-queue.ts';
import { type MissedIncidents, mergeMissed } from './missed-incidents.ts';
import { deliveryStates, initialRetryState, type QueuedIncident } from './queued-incident.ts';
import { mergeQueues } from './reconcile-queue.ts';
import type { Outage } from './retry-and-rate-limit.ts';

/** Table of the notification queues. */
const queueTable = 'lanes';

/** Stored names that differ from the names in code. */
export const storedNames = { content: 'owed', deliveryState: 'heard', outage: 'hopeless' } as const;

const timestamp = z.number().min(-8.64e15).max(8.64e15);
const stringMap = z.record(z.string(), z.string());
const outageSchema = z.object({ since: timestamp, answeringSince: timestamp.exactOptional() });

const effectSchema = z.object({
  rule: z.string(),
  severity: z.enum(severities),
  summary: z.string(),
  startsAt: timestamp,
});

/** Parts of an alert that change within an incident. */
const incidentParts = {
  revision: z.int().min(0).exactOptional(),
  effects: z.object({ count: z.int().min(0), listed: z.array(effectSchema) }).exactOptional(),
  formerCause: z
    .object({ rule: z.string(), summary: z.string(), startsAt: timestamp, endsAt: timestamp })
    .exactOptional(),
  formerLabels: z.array(z.object({ labels: stringMap, endsAt: timestamp.exactOptional() })).exactOptional(),
};

const alertSchema = z.object({
  key: z.string().min(1),
  episode: z.int(),
  rule: z.string(),
  severity: z.enum(severities),
  labels: stringMap,
  annotations: stringMap,
  status: z.enum(['firing', 'resolved']),
  startsAt: timestamp,
  endsAt: timestamp.exactOptional(),
  generatorUrl: z.string(),
  ...incidentParts,
});

const pendingSchema = z.object({
  action: z.enum(loggedActions),
  since: timestamp,
  attempts: z.int().min(0),
  failure: z.object({ reason: z.string(), status: z.int().exactOptional() }).exactOptional(),
});

const progressSchema = z.object({
  accepted: z
    .object({ action: z.enum(loggedActions), at: timestamp, reason: z.string().exactOptional() })
    .exactOptional(),
  pending: pendingSchema.exactOptional(),
});

const parkReason = z
  .enum(['refused', storedNames.outage])
  .transform((why) => (why === storedNames.outage ? 'outage' : why));

const pendingActions = loggedActions.filter((action) => action !== 'digest');

const incidentSchema = z.object({
  alert: alertSchema,
  [storedNames.deliveryState]: z.enum(deliveryStates),
  due: timestamp,
  openedAt: timestamp.exactOptional(),
  recipient: z.string().max(64).exactOptional(),
  endDue: timestamp.exactOptional(),
  again: z.boolean(),
  changed: z.literal(true).exactOptional(),
  suppressed: z.literal(true).exactOptional(),
  over: z.boolean(),
  acknowledgement: z.object({ change: z.enum(acknowledgementChanges), due: timestamp }).exactOptional(),
  group: stringMap,
  groupWait: z.number().min(0),
  fallback: z.string().exactOptional(),
  reference: z.string().max(1000).exactOptional(),
  deferred: z.object({ action: z.enum(pendingActions), recipients: z.array(z.string()) }).exactOptional(),
  outage: outageSchema.exactOptional(),
  parked: z.object({ why: parkReason, at: timestamp }).exactOptional(),
  progress: progressSchema.exactOptional(),
});

const missedSchema = z.object({
  count: z.int().min(0),
  newest: z.array(
    z.object({
      key: z.string(),
      episode: z.int(),
      summary: z.string(),
      cluster: z.string().exactOptional(),
      severity: z.enum(severities),
      startsAt: timestamp,
      endsAt: timestamp,
    }),
  ),
});

const alertQueueSchema = z.object({ episodes: z.array(incidentSchema) });
const receiverStateSchema = z.object({
  folded: missedSchema,
  outage: outageSchema.exactOptional(),
  brokenSince: timestamp.exactOptional(),
});
const rowSchema = z.object({ receiver: z.string().min(1), key: z.string(), [storedNames.content]: z.string() });

/** Stored state of a receiver, apart from its queues. */
export interface StoredReceiverState {
  readonly folded: MissedIncidents;
  readonly outage?: Outage;
  /** ms since the epoch. */
  readonly brokenSince?: number;
}

/** Returns the change that stores a queue of a cluster, or deletes the row of an empty one. */
export function alertQueueChange(receiver: string, { key, incidents }: AlertQueue, cluster: string): StoreChange {
  if (incidents.length === 0) return { table: queueTable, drop: { receiver, key }, cluster };
  const kept = incidents.map(({ alert, deliveryState, parked, ...rest }) => {
    const why = parked?.why === 'outage' ? storedNames.outage : parked?.why;
    const stored = { [storedNames.deliveryState]: deliveryState, parked: parked && { ...parked, why } };
    return { alert, ...stored, ...rest, retry: undefined };
  });
  return {
    table: queueTable,
    put: { receiver, cluster, key, [storedNames.content]: JSON.stringify({ episodes: kept }) },
  };
}

/** Beginning of the key of a row with the state of a receiver, unlike that of a queue. The cluster follows. */
const stateKeyPrefix = '#';

/**
 * Returns the change that stores the state of a receiver, or deletes its row without missed incidents and outage. Its key is
 * empty, and starts with a `#` if replicas share the store: then each cluster has a row.
 */
export function receiverStateChange(receiver: string, kept: StoredReceiverState, cluster?: string): StoreChange {
  const key = cluster === undefined ? '' : stateKeyPrefix + cluster;
  const row = { receiver, key, cluster: cluster ?? '' };
  if (kept.folded.count === 0 && kept.outage === undefined) {
    return { table: queueTable, drop: { receiver, key }, cluster: row.cluster };
  }
  return { table: queueTable, put: { ...row, [storedNames.content]: JSON.stringify(kept) } };
}

/** Returns the changes that delete all rows of a receiver, or those of these clusters if replicas share the store. */
export function receiverDeletion(receiver: string, clusters?: Iterable<string>): readonly StoreChange[] {
  if (clusters === undefined) return [{ table: queueTable, drop: { receiver } }];
  return [...clusters].map((cluster) => ({ table: queueTable, drop: { receiver, cluster } }));
}

/** Parses a row; returns undefined for an invalid one. */
export function outboxEntryFromRow(found: Row): OutboxEntry | undefined {
  const read = rowSchema.safeParse(found);
  if (!read.success) return undefined;
  const { receiver, key, [storedNames.content]: content } = read.data;
  const value = parseJson(content);
  if (key === '' || key.startsWith(stateKeyPrefix)) {
    const kept = receiverStateSchema.safeParse(value);
    return kept.success ? { kind: 'state', receiver, state: kept.data } : undefined;
  }
  const kept = alertQueueSchema.safeParse(value);
  if (!kept.success) return undefined;
  return { kind: 'queue', receiver, queue: { key, incidents: kept.data.episodes.map(incidentFromRow) } };
}

/** A parsed row of the table `lanes`. */
export type OutboxEntry =
  | { readonly kind: 'queue'; readonly receiver: string; readonly queue: AlertQueue }
  | { readonly kind: 'state'; readonly receiver: string; readonly state: StoredReceiverState };

function incidentFromRow({
  [storedNames.deliveryState]: deliveryState,
  ...kept
}: z.infer<typeof incidentSchema>): QueuedIncident {
  return { ...kept, deliveryState, retry: initialRetryState(Number.NEGATIVE_INFINITY) };
}

/** Stored state and queues of each receiver, by its name. */
export type StoredOutbox = Map<string, StoredReceiver>;

/** Stored state of the notification queues. */
export interface RestoredOutbox {
  readonly receivers: StoredOutbox;
  /** Deletes the merged rows of a state directory that became available late. Store them together with all rows. */
  readonly deletions: readonly StoreChange[];
}

/** Stored state and queues of one receiver. */
export interface StoredReceiver {
  readonly queues: readonly AlertQueue[];
  readonly state?: StoredReceiverState;
}

/**
 * Loads the stored queues of the clusters that `isOwn` accepts, merged with rows of a state directory that became
 * available late. Skips invalid rows, and returns nothing if the store cannot be read; the store itself logs that.
 */
export async function restoreOutbox(
  store: Pick<Store, 'find'>,
  isOwn: (cluster: string) => boolean = () => true,
): Promise<RestoredOutbox> {
  const found = await findWithUnmerged(store, queueTable, ['receiver', 'key']);
  const merged = new Map<string, MergedReceiver>();
  if (!found.ok) return { receivers: new Map(), deletions: [] };
  for (const row of [...found.value.rows, ...found.value.unmerged]) {
    if (!isOwn(String(row.cluster ?? ''))) continue;
    const entry = outboxEntryFromRow(row);
    if (entry === undefined) continue;
    const known = merged.get(entry.receiver) ?? { queues: new Map<string, AlertQueue>() };
    merged.set(entry.receiver, known);
    mergeEntry(known, entry);
  }
  const receivers = [...merged].map(
    ([name, { queues, ...rest }]) => [name, { ...rest, queues: [...queues.values()] }] as const,
  );
  return { receivers: new Map(receivers), deletions: found.value.deletions };
}

/** Returns the changes that store all rows of a receiver. */
export function receiverRows(
  receiver: string,
  { queues, state: receiverState }: StoredReceiver,
): readonly StoreChange[] {
  const state = receiverState === undefined ? [] : [receiverStateChange(receiver, receiverState)];
  return [...queues.map((queue) => alertQueueChange(receiver, queue, clusterOfQueue(queue))), ...state];
}

/** Returns the cluster whose alert a queue is about; `''` for alerts about graphwarden itself, and for an empty queue. */
export function clusterOfQueue({ incidents: [first] }: AlertQueue): string {
  return first === undefined ? '' : clusterOfAlert(first.alert);
}

/** Returns the union of the rows of two receivers; `one` has the newer state of an incident that is in both. */
export function mergeReceivers(one: StoredReceiver, other: StoredReceiver): StoredReceiver {
  const merged: MergedReceiver = { queues: new Map() };
  for (const { queues, state: receiverState } of [one, other]) {
    for (const queue of queues) mergeEntry(merged, { kind: 'queue', receiver: '', queue });
    if (receiverState !== undefined) mergeEntry(merged, { kind: 'state', receiver: '', state: receiverState });
  }
  return { ...merged, queues: [...merged.queues.values()] };
}

interface MergedReceiver {
  readonly queues: Map<string, AlertQueue>;
  state?: StoredReceiverState;
}

function mergeEntry(known: MergedReceiver, entry: OutboxEntry): void {
  if (entry.kind === 'state') {
    const { state: receiverState } = known;
    known.state = receiverState === undefined ? entry.state : mergeStates(receiverState, entry.state);
    return;
  }
  const { queue } = entry;
  const same = known.queues.get(queue.key);
  known.queues.set(queue.key, same === undefined ? queue : mergeQueues(same, queue));
}

function mergeStates(one: StoredReceiverState, other: StoredReceiverState): StoredReceiverState {
  return { ...other, ...one, folded: mergeMissed(one.folded, other.folded) };
}
