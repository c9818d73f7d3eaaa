import type { MadeCall } from '../graphdb/made-call.ts';
import type { FailureReason } from '../kernel/failure.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { Span, SpanAttributes, SpanPlace } from '../model/span.ts';
import { callSpan } from './call-span.ts';
import { since } from './span-place.ts';

/** One call of a cycle, and where its span is found. */
export interface TracedCall {
  readonly place: SpanPlace;
  /** The node that was asked for a fact of the whole cluster, or the cycle itself. */
  readonly parentId: string;
  readonly call: MadeCall;
}

/** One node of those that were asked, one after the other, for a fact of the whole cluster. */
export interface TracedTry {
  readonly place: SpanPlace;
  readonly node: string;
  readonly started: Instant;
  readonly ended: Instant;
  readonly failure?: FailureReason;
}

/** One reading of one collector, from the first call until it is on the page. */
export interface Cycle {
  readonly place: SpanPlace;
  readonly cluster: string;
  readonly collector: string;
  /** `''` for a fact of the whole cluster. */
  readonly node: string;
  readonly started: Instant;
  readonly ended: Instant;
  /** Absent for a good reading. */
  readonly failure?: FailureReason;
  /** Of a failed reading a part arrived, and is shown. */
  readonly isPartial: boolean;
  /** Series that the reading put on the page. */
  readonly series: number;
  /** The cycle before, where that failed. */
  readonly links: readonly SpanPlace[];
  readonly tries: readonly TracedTry[];
  readonly calls: readonly TracedCall[];
}

/** A cycle is slow when its reading took this part of the time that it may take. */
const slowShare = 0.5;

/** Whether a cycle is kept although sampling leaves its trace out: it failed or was slow. */
export function isTelling({ failure, started, ended }: Cycle, timeout: Millis): boolean {
  return failure !== undefined || ended.mono - started.mono >= timeout * slowShare;
}

/** The trace of a cycle, its root first. */
export function cycleSpans(cycle: Cycle): readonly Span[] {
  const { started: began } = cycle;
  return [
    rootSpan(cycle),
    ...cycle.tries.map((one) => trySpan(one, cycle)),
    ...cycle.calls.map((one) => callSpan(one.call, { place: one.place, parentId: one.parentId, began })),
  ];
}

function rootSpan(cycle: Cycle): Span {
  const { place, cluster, collector, node, started, ended, failure, links } = cycle;
  return {
    ...place,
    name: `collect ${collector}`,
    kind: 'internal',
    start: started.wall,
    end: since(started, ended),
    attributes: {
      'graphwarden.cluster': cluster,
      'graphwarden.collector': collector,
      ...(node !== '' && { 'graphwarden.node': node }),
      'graphwarden.outcome': failure === undefined ? 'good' : cycle.isPartial ? 'partial' : 'failed',
      'graphwarden.series': cycle.series,
      ...errorType(failure),
    },
    events: [],
    links,
    ...(failure !== undefined && { error: failure }),
  };
}

function trySpan({ place, node, started, ended, failure }: TracedTry, cycle: Cycle): Span {
  return {
    ...place,
    parentId: cycle.place.spanId,
    name: `collect ${cycle.collector} from node`,
    kind: 'internal',
    start: since(cycle.started, started),
    end: since(cycle.started, ended),
    attributes: { 'graphwarden.cluster': cycle.cluster, 'graphwarden.node': node, ...errorType(failure) },
    events: [],
    links: [],
    ...(failure !== undefined && { error: failure }),
  };
}

function errorType(failure: FailureReason | undefined): SpanAttributes {
  return failure === undefined ? {} : { 'error.type': failure };
}
