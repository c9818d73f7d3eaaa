import type { ServiceReport, TransitionReport } from '../../src/api/services.ts';
import { instanceName } from '../../src/model/instance-name.ts';
import { unobserved } from '../../src/model/transition.ts';
import {
  partitionSpans,
  type StatusSpan,
  spansOf,
  type TimeWindow,
  unavailable,
} from '../../src/track/availability.ts';

/** Subject of a band of the timeline. */
export type BandLevel = 'replica' | 'partition' | 'service';

/** Band of the timeline: the statuses of a service, a partition or a replica, in order. */
export interface BandRow {
  readonly key: string;
  readonly name: string;
  readonly spans: readonly StatusSpan[];
}

type Instance = Pick<ServiceReport, 'cluster' | 'service' | 'partition' | 'replica'>;

/** A service instance with its statuses. */
interface Replica {
  readonly instance: Instance;
  readonly spans: readonly StatusSpan[];
}

/**
 * Returns the bands of a time window, those with something else than `Online` first. `transitions` are those from the
 * start of the window until now, the newest first, as the API lists them.
 */
export function bandRows(
  { services, transitions, level, knownUntil = Number.POSITIVE_INFINITY }: BandFacts & BandOptions,
  window: TimeWindow,
): readonly BandRow[] {
  const changes = Map.groupBy(transitions.toReversed(), keyOf);
  const replicas = services.map((service) => ({
    instance: service,
    spans: spansOf(toTurns(changes.get(keyOf(service)) ?? []), window, {
      status: service.status,
      since: Date.parse(service.since),
    }),
  }));
  const isSingle = new Set(services.map(({ cluster }) => cluster)).size <= 1;
  const groups = Map.groupBy(replicas, ({ instance }) => JSON.stringify(placeOf(instance, level)));
  return [...groups.values()]
    .map((own) => observedUntil(rowOf(own, level, isSingle), knownUntil))
    .toSorted((one, other) => rankOf(other) - rankOf(one) || one.name.localeCompare(other.name));
}

/** Data from which the bands are computed. */
export interface BandFacts {
  readonly services: readonly ServiceReport[];
  readonly transitions: readonly TransitionReport[];
}

/** How the bands are computed. */
interface BandOptions {
  readonly level: BandLevel;
  /** When the facts were loaded, if they are old: nothing later is observed. */
  readonly knownUntil?: number | undefined;
}

/** Returns a band that is not observed after a time. */
function observedUntil(row: BandRow, until: number): BandRow {
  const spans = row.spans.flatMap((span) => [
    ...(span.from < until ? [{ ...span, to: Math.min(span.to, until) }] : []),
    ...(span.to > until ? [{ ...span, from: Math.max(span.from, until), status: unobserved }] : []),
  ]);
  return { ...row, spans: mergeEqual(spans) };
}

function keyOf(instance: Instance): string {
  return `${instance.cluster} ${instanceName(instance)}`;
}

function toTurns(transitions: readonly TransitionReport[]) {
  return transitions.map(({ from, to, at }) => ({ from, to, at: Date.parse(at) }));
}

function placeOf({ cluster, service, partition, replica }: Instance, level: BandLevel): Instance {
  return {
    cluster,
    service,
    partition: level === 'service' ? '' : partition,
    replica: level === 'replica' ? replica : '',
  };
}

function rowOf(own: readonly Replica[], level: BandLevel, isSingle: boolean): BandRow {
  const [first] = own;
  const place = placeOf(first?.instance ?? { cluster: '', service: '', partition: '', replica: '' }, level);
  const name = isSingle ? instanceName(place) : `${place.cluster} ${instanceName(place)}`;
  return { key: keyOf(place), name, spans: mergeEqual(spansAt(own, level)) };
}

function spansAt(own: readonly Replica[], level: BandLevel): readonly StatusSpan[] {
  if (level === 'replica') return own.flatMap(({ spans }) => spans);
  const partitions = [...Map.groupBy(own, ({ instance }) => instance.partition).values()].map((replicas) =>
    partitionSpans(replicas.map(({ spans }) => spans)),
  );
  return level === 'partition' ? partitions.flat() : partitionSpans(partitions, serviceStatus);
}

/** Returns the status of a service from its partitions. It is available while all of them are. */
function serviceStatus(partitions: readonly string[]): string {
  return (
    partitions.find((status) => status === unavailable) ?? partitions.find((status) => status !== 'Online') ?? 'Online'
  );
}

function mergeEqual(spans: readonly StatusSpan[]): readonly StatusSpan[] {
  const merged: StatusSpan[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last?.status === span.status && last.to === span.from) merged[merged.length - 1] = { ...last, to: span.to };
    else merged.push(span);
  }
  return merged;
}

/** Returns the sort rank of a band: bands that end with another status than `Online` come first, then those that had one. */
function rankOf({ spans }: BandRow): number {
  const hasChanged = spans.some(({ status }) => status !== 'Online' && status !== '');
  return (spans.at(-1)?.status === 'Online' ? 0 : 2) + (hasChanged ? 1 : 0);
}
