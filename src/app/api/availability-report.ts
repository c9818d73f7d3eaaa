import type { AvailabilityReport } from '../../api/services.ts';
import type { ReplicaId, ReplicaView, Transition } from '../../model/transition.ts';
import { availabilityOf, partitionSpans, type StatusSpan, spansOf, type TimeWindow } from '../../track/availability.ts';

/** Returns the availability of every replica and every partition in a time range. `transitions` are the oldest first. */
export function availabilityReports(
  transitions: readonly Transition[],
  views: readonly ReplicaView[],
  window: TimeWindow,
): readonly AvailabilityReport[] {
  const rows = Map.groupBy(transitions, replicaKey);
  const current = new Map(views.map((view) => [replicaKey(view), view]));
  const histories = [...new Set([...current.keys(), ...rows.keys()])].flatMap((key) => {
    const own = rows.get(key) ?? [];
    const view = current.get(key);
    const id = view ?? own[0];
    const last = view === undefined ? undefined : { status: view.observed, since: view.observedSince };
    return id === undefined ? [] : [{ id, spans: spansOf(own, window, last) }];
  });
  const partitions = Map.groupBy(histories, ({ id }) => JSON.stringify([id.cluster, id.service, id.partition]));
  return [...partitions.values()].flatMap((members) => partitionReports(members));
}

interface ReplicaSpans {
  readonly id: ReplicaId;
  readonly spans: readonly StatusSpan[];
}

function partitionReports(members: readonly ReplicaSpans[]): readonly AvailabilityReport[] {
  const [first] = members;
  if (first === undefined) return [];
  const whole = partitionSpans(members.map(({ spans }) => spans));
  return [
    availabilityReport({ ...first.id, replica: null }, whole),
    ...members.map(({ id, spans }) => availabilityReport(id, spans)),
  ];
}

function availabilityReport(
  id: Omit<ReplicaId, 'replica'> & { readonly replica: string | null },
  spans: readonly StatusSpan[],
): AvailabilityReport {
  const { cluster, service, partition, replica } = id;
  const { observed, online, outages, timeToRecover } = availabilityOf(spans);
  return {
    kind: replica === null ? 'partition' : 'replica',
    cluster,
    service,
    partition,
    replica,
    observedSeconds: observed / 1000,
    onlineSeconds: online / 1000,
    availability: observed === 0 ? null : online / observed,
    outages,
    meanTimeToRecoverSeconds: timeToRecover === undefined ? null : timeToRecover / 1000,
  };
}

function replicaKey({ cluster, service, partition, replica }: ReplicaId): string {
  return JSON.stringify([cluster, service, partition, replica]);
}
