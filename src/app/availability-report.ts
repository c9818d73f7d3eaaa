import type { ReplicaId, ReplicaView, Transition } from '../model/transition.ts';
import { availabilityOf, partitionSpans, type Span, spansOf, type Window } from '../track/availability.ts';

/** How available one replica, or one partition as a whole, was. */
export interface AvailabilityReport {
  readonly of: 'replica' | 'partition';
  readonly cluster: string;
  readonly service: string;
  readonly partition: string;
  /** Null for a partition as a whole. */
  readonly replica: string | null;
  readonly observedSeconds: number;
  readonly onlineSeconds: number;
  /** Share of the observed time; null where nothing was observed. */
  readonly availability: number | null;
  readonly outages: number;
  /** Mean of the outages that began and ended in the time; null without one. */
  readonly secondsToRecover: number | null;
}

const text = { type: 'string' };
const number = { type: 'number' };

/** The JSON Schema of an {@link AvailabilityReport}. */
export const availabilitySchema = {
  type: 'object',
  properties: {
    of: { enum: ['replica', 'partition'] },
    cluster: text,
    service: text,
    partition: text,
    replica: { type: ['string', 'null'] },
    observedSeconds: number,
    onlineSeconds: number,
    availability: { type: ['number', 'null'], minimum: 0, maximum: 1 },
    outages: { type: 'integer', minimum: 0 },
    secondsToRecover: { type: ['number', 'null'] },
  },
};

/** Reports of every replica and of every partition that there was in a time. `transitions` are the oldest first. */
export function availabilityReports(
  transitions: readonly Transition[],
  views: readonly ReplicaView[],
  window: Window,
): readonly AvailabilityReport[] {
  const rows = Map.groupBy(transitions, replicaKey);
  const now = new Map(views.map((view) => [replicaKey(view), view]));
  const lives = [...new Set([...now.keys(), ...rows.keys()])].flatMap((key) => {
    const own = rows.get(key) ?? [];
    const view = now.get(key);
    const id = view ?? own[0];
    const last = view === undefined ? undefined : { status: view.observed, since: view.observedSince };
    return id === undefined ? [] : [{ id, spans: spansOf(own, window, last) }];
  });
  const partitions = Map.groupBy(lives, ({ id }) => JSON.stringify([id.cluster, id.service, id.partition]));
  return [...partitions.values()].flatMap((members) => partitionReports(members));
}

interface Life {
  readonly id: ReplicaId;
  readonly spans: readonly Span[];
}

function partitionReports(members: readonly Life[]): readonly AvailabilityReport[] {
  const [first] = members;
  if (first === undefined) return [];
  const whole = partitionSpans(members.map(({ spans }) => spans));
  return [report({ ...first.id, replica: null }, whole), ...members.map(({ id, spans }) => report(id, spans))];
}

function report(id: Omit<ReplicaId, 'replica'> & { readonly replica: string | null }, spans: readonly Span[]) {
  const { cluster, service, partition, replica } = id;
  const { observed, online, outages, timeToRecover } = availabilityOf(spans);
  return {
    of: replica === null ? ('partition' as const) : ('replica' as const),
    cluster,
    service,
    partition,
    replica,
    observedSeconds: observed / 1000,
    onlineSeconds: online / 1000,
    availability: observed === 0 ? null : online / observed,
    outages,
    secondsToRecover: timeToRecover === undefined ? null : timeToRecover / 1000,
  };
}

function replicaKey({ cluster, service, partition, replica }: ReplicaId): string {
  return JSON.stringify([cluster, service, partition, replica]);
}
