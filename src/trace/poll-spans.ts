import type { CompletedCall } from '../graphdb/completed-call.ts';
import type { FailureReason } from '../kernel/failure.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { Span, SpanAttributes, SpanReference } from '../model/span.ts';
import { callSpan } from './call-span.ts';
import { wallTimeOf } from './span-context.ts';

/** One call of a cycle, and where its span is found. */
export interface TracedCall {
  readonly place: SpanReference;
  /** The node that was asked for a fact of the whole cluster, or the cycle itself. */
  readonly parentId: string;
  readonly call: CompletedCall;
}

/** One node of those that were asked, one after the other, for a fact of the whole cluster. */
export interface TracedAttempt {
  readonly place: SpanReference;
  readonly node: string;
  readonly started: Instant;
  readonly ended: Instant;
  readonly failure?: FailureReason;
}

/** One poll cycle of a collector, from the first call until its series are on the page. */
export interface PollCycle {
  readonly place: SpanReference;
  readonly cluster: string;
  readonly collector: string;
  /** `''` for a fact of the whole cluster. */
  readonly node: string;
  readonly started: Instant;
  readonly ended: Instant;
  /** Absent if the poll succeeded. */
  readonly failure?: FailureReason;
  /** Whether a part of a failed poll is exposed. */
  readonly isPartial: boolean;
  /** Series that the poll result has on the page. */
  readonly series: number;
  /** The cycle before, where that failed. */
  readonly links: readonly SpanReference[];
  readonly attempts: readonly TracedAttempt[];
  readonly calls: readonly TracedCall[];
}

/** Share of its timeout from which a poll cycle counts as slow. */
const slowPollRatio = 0.5;

/** A server that lacks an endpoint refuses it at every poll, which is expected. */
function isError(failure: FailureReason | undefined): boolean {
  return failure !== undefined && failure !== 'unsupported';
}

/** Whether a cycle is kept although sampling leaves its trace out: it failed or was slow. */
export function isAlwaysSampled({ failure, started, ended }: PollCycle, timeout: Millis): boolean {
  return isError(failure) || ended.mono - started.mono >= timeout * slowPollRatio;
}

/** The trace of a cycle, its root first. */
export function pollSpans(cycle: PollCycle): readonly Span[] {
  const { started: traceStart } = cycle;
  return [
    rootSpan(cycle),
    ...cycle.attempts.map((one) => attemptSpan(one, cycle)),
    ...cycle.calls.map((one) => callSpan(one.call, { place: one.place, parentId: one.parentId, traceStart })),
  ];
}

function rootSpan(cycle: PollCycle): Span {
  const { place, cluster, collector, node, started, ended, failure, links } = cycle;
  return {
    ...place,
    name: `collect ${collector}`,
    kind: 'internal',
    start: started.wall,
    end: wallTimeOf(started, ended),
    attributes: {
      'graphwarden.cluster': cluster,
      'graphwarden.collector': collector,
      ...(node !== '' && { 'graphwarden.node': node }),
      'graphwarden.outcome': outcomeOf(cycle),
      'graphwarden.series': cycle.series,
      ...errorType(failure),
    },
    events: [],
    links,
    ...(isError(failure) && { error: failure }),
  };
}

function outcomeOf({ failure, isPartial }: PollCycle): string {
  if (failure === undefined || failure === 'unsupported') return failure ?? 'good';
  return isPartial ? 'partial' : 'failed';
}

function attemptSpan({ place, node, started, ended, failure }: TracedAttempt, cycle: PollCycle): Span {
  return {
    ...place,
    parentId: cycle.place.spanId,
    name: `collect ${cycle.collector} from node`,
    kind: 'internal',
    start: wallTimeOf(cycle.started, started),
    end: wallTimeOf(cycle.started, ended),
    attributes: { 'graphwarden.cluster': cycle.cluster, 'graphwarden.node': node, ...errorType(failure) },
    events: [],
    links: [],
    ...(isError(failure) && { error: failure }),
  };
}

function errorType(failure: FailureReason | undefined): SpanAttributes {
  return failure === undefined || failure === 'unsupported' ? {} : { 'error.type': failure };
}
