import { z } from 'zod';
import type { Row, StoreQuery, Summary } from '../kernel/store.ts';
import type { ReplicaId, Transition } from '../model/transition.ts';
import { availabilityOf, partitionSpans, type StatusSpan, spansOf, type TimeWindow } from './availability.ts';

const identity = { cluster: z.string(), service: z.string(), partition: z.string(), replica: z.string() };

const inputSchema = z.object({
  window: z.object({ from: z.number(), to: z.number() }),
  /** Current status of each replica, in the order of the result. */
  replicas: z.array(z.object({ ...identity, status: z.string(), since: z.number() })),
});

/** Input of {@link availabilitySummary}. */
export type AvailabilityInput = z.infer<typeof inputSchema>;

type CurrentReplica = AvailabilityInput['replicas'][number];

const order = ['cluster', 'service', 'partition', 'replica', 'at'];

/** Columns and order of the transitions that {@link availabilitySummary} reads. */
export const summaryRows: Pick<StoreQuery, 'columns' | 'order'> = {
  columns: [...order, 'from_status', 'to_status'],
  order,
};

const transitionRow = z.object({ ...identity, at: z.number(), from_status: z.string(), to_status: z.string() });

/**
 * Computes the availability of each partition and of each of its replicas from the transitions in a window. The replica
 * of a partition's row is null. It reads the transitions of one partition at a time into memory.
 */
export const availabilitySummary: Summary = {
  name: 'availability',
  compute: (rows, input) => {
    const { window, replicas } = inputSchema.parse(input);
    const current = Map.groupBy(replicas, partitionKey);
    const reports = new Map<string, readonly Row[]>([...current.keys()].map((key) => [key, []]));
    const rest = new Set(current.keys());
    for (const [key, transitions] of byPartition(rows)) {
      rest.delete(key);
      reports.set(key, partitionRows(transitions, current.get(key) ?? [], window));
    }
    for (const key of rest) reports.set(key, partitionRows([], current.get(key) ?? [], window));
    return [...reports.values()].flat();
  },
};

type StatusChange = ReplicaId & Pick<Transition, 'at' | 'from' | 'to'>;

/** Yields the transitions of one partition after the other. */
function* byPartition(rows: Iterable<Row>): Generator<readonly [string, readonly StatusChange[]]> {
  let changes: StatusChange[] = [];
  for (const row of rows) {
    const read = transitionRow.safeParse(row);
    if (!read.success) continue;
    const { from_status: from, to_status: to, ...change } = read.data;
    const [first] = changes;
    if (first !== undefined && !isSamePartition(first, change)) {
      yield [partitionKey(first), changes];
      changes = [];
    }
    changes.push({ ...change, from, to });
  }
  const [first] = changes;
  if (first !== undefined) yield [partitionKey(first), changes];
}

function partitionRows(
  transitions: readonly StatusChange[],
  current: readonly CurrentReplica[],
  window: TimeWindow,
): readonly Row[] {
  const changes = Map.groupBy(transitions, ({ replica }) => replica);
  const now = new Map(current.map((one) => [one.replica, one]));
  const [first] = [...current, ...transitions];
  const members = [...new Set([...now.keys(), ...changes.keys()])].map((replica) => ({
    replica,
    spans: spansOf(changes.get(replica) ?? [], window, now.get(replica)),
  }));
  if (first === undefined) return [];
  const whole = { replica: null, spans: partitionSpans(members.map(({ spans }) => spans)) };
  return [whole, ...members].map(({ replica, spans }) => availabilityRow({ ...first, replica }, spans));
}

function availabilityRow(
  { cluster, service, partition, replica }: Omit<ReplicaId, 'replica'> & { readonly replica: string | null },
  spans: readonly StatusSpan[],
): Row {
  const { observed, online, outages, timeToRecover } = availabilityOf(spans);
  const id = { cluster, service, partition, replica };
  return { ...id, observed, online, outages, time_to_recover: timeToRecover ?? null };
}

function isSamePartition(one: ReplicaId, other: ReplicaId): boolean {
  return one.partition === other.partition && one.service === other.service && one.cluster === other.cluster;
}

function partitionKey({ cluster, service, partition }: Omit<ReplicaId, 'replica'>): string {
  return JSON.stringify([cluster, service, partition]);
}

const summaryRow = z.object({
  ...identity,
  replica: z.string().nullable(),
  observed: z.number(),
  online: z.number(),
  outages: z.number(),
  time_to_recover: z.number().nullable(),
});

/** Availability of a replica, or of a partition, whose `replica` is null. Times are in ms. */
export type AvailabilityRow = z.infer<typeof summaryRow>;

/** Returns the result of {@link availabilitySummary}. */
export function parseAvailability(rows: readonly Row[]): readonly AvailabilityRow[] {
  return z.array(summaryRow).parse(rows);
}
