import { hexId, noiseOf } from '../seeded-random.ts';
import { nanoseconds } from '../timestamps.ts';

/** An instance in the informant's JSON, which omits numbers that are 0 or missing. */
export interface ServiceDescriptor {
  readonly ServiceName: string;
  readonly Partition?: number;
  readonly Replica?: number;
}

/** Turns `GPE`, `1`, `2` into a descriptor. */
export function descriptor(service: string, partition: string, replica: string): ServiceDescriptor {
  return {
    ServiceName: service,
    ...(partition === '' ? {} : { Partition: Number(partition) }),
    ...(replica === '' ? {} : { Replica: Number(replica) }),
  };
}

/** What every item of the informant carries about itself. */
export interface EventMeta {
  readonly Targets: readonly ServiceDescriptor[];
  readonly EventId: string;
  readonly SpanId?: string;
  readonly TimestampNS: string;
  readonly Source: ServiceDescriptor;
}

/** Where an item comes from and what makes its id its own. */
export interface EventOrigin {
  readonly source: ServiceDescriptor;
  readonly key: string;
  readonly at: number;
  readonly span?: string;
}

/** Describes one event; the same origin always has the same id. */
export function eventMeta({ source, key, at, span }: EventOrigin): EventMeta {
  return {
    Targets: [{ ServiceName: 'IFM' }],
    EventId: hexId(key, at),
    ...(span === undefined ? {} : { SpanId: span }),
    TimestampNS: nanoseconds(at, noiseOf(key, at)),
    Source: source,
  };
}
