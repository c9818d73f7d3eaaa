import type { CompletedCall } from '../graphdb/completed-call.ts';
import type { FailureReason } from '../kernel/failure.ts';
import { type Instant, type Millis, toSeconds } from '../kernel/time.ts';
import type { Span, SpanAttributes, SpanReference } from '../model/span.ts';
import { callSpan } from './call-span.ts';
import { wallTimeOf } from './span-context.ts';

/** Request of a poll cycle, with the parent of its span. */
export interface TracedCall {
  readonly context: SpanReference;
  /** Attempt on a node for a fact of the whole cluster, or the cycle itself. */
  readonly parentId: string;
  readonly call: CompletedCall;
}

/** Attempt on one node for a fact of the whole cluster; after a failure, the next node is tried. */
export interface TracedAttempt {
  readonly context: SpanReference;
  readonly node: string;
  readonly started: Instant;
  readonly ended: Instant;
  readonly failure?: FailureReason;
}

/** Run of a probe in a cycle; without parameters, ids and messages. */
export interface TracedProbe {
  readonly name: string;
  readonly kind: string;
  readonly graph: string;
  /** Node that ran it; `''` if no node was available. */
  readonly source: string;
  readonly duration: Millis;
  readonly phases: Readonly<Record<string, Millis>>;
  /** Failed request, or assertion that is not true; absent if the run succeeded. */
  readonly failure?: string;
}

/** One poll cycle of a collector, from the first call until its series are on the page. */
export interface PollCycle {
  readonly context: SpanReference;
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
  /** Absent unless the collector is a probe. */
  readonly probe?: TracedProbe;
  /** Previous cycle, if it failed. */
  readonly links: readonly SpanReference[];
  readonly attempts: readonly TracedAttempt[];
  readonly calls: readonly TracedCall[];
}

/** Share of its timeout from which a poll cycle counts as slow. */
const slowPollRatio = 0.5;

/** Returns whether a failure is an error. A server that lacks an endpoint refuses it at every poll, which is expected. */
function isError(failure: FailureReason | undefined): boolean {
  return failure !== undefined && failure !== 'unsupported';
}

/** Returns whether a cycle is kept although sampling drops its trace: it failed or was slow. */
export function isAlwaysSampled({ failure, probe, started, ended }: PollCycle, timeout: Millis): boolean {
  return isError(failure) || probe?.failure !== undefined || ended.mono - started.mono >= timeout * slowPollRatio;
}

/** Returns the trace of a cycle, its root first. */
export function pollSpans(cycle: PollCycle): readonly Span[] {
  const { started: traceStart } = cycle;
  return [
    rootSpan(cycle),
    ...cycle.attempts.map((one) => attemptSpan(one, cycle)),
    ...cycle.calls.map((one) => callSpan(one.call, { context: one.context, parentId: one.parentId, traceStart })),
  ];
}

function rootSpan(cycle: PollCycle): Span {
  const { context, collector, started, ended, failure, links, probe } = cycle;
  const error = isError(failure) ? failure : probe?.failure;
  return {
    ...context,
    name: probe === undefined ? `collect ${collector}` : `probe ${probe.name}`,
    kind: 'internal',
    start: started.wall,
    end: wallTimeOf(started, ended),
    attributes: rootAttributes(cycle),
    events: [],
    links,
    ...(error !== undefined && { error }),
  };
}

function rootAttributes(cycle: PollCycle): SpanAttributes {
  const { cluster, collector, failure, probe, series } = cycle;
  const node = cycle.node || (probe?.source ?? '');
  return {
    'graphwarden.cluster': cluster,
    'graphwarden.collector': collector,
    ...(node !== '' && { 'graphwarden.node': node }),
    'graphwarden.outcome': outcomeOf(cycle),
    'graphwarden.series': series,
    ...(probe !== undefined && probeAttributes(probe)),
    ...(probe?.failure === undefined ? errorType(failure) : { 'error.type': probe.failure }),
  };
}

function probeAttributes({ name, kind, graph, duration, phases }: TracedProbe): SpanAttributes {
  const lengths = Object.entries(phases).map(([phase, length]) => [
    `graphwarden.probe.phase.${phase}_seconds`,
    toSeconds(length),
  ]);
  return {
    'graphwarden.probe': name,
    'graphwarden.probe.kind': kind,
    'graphwarden.probe.duration_seconds': toSeconds(duration),
    'db.namespace': graph,
    ...Object.fromEntries(lengths),
  };
}

function outcomeOf({ failure, isPartial, probe }: PollCycle): string {
  if (probe?.failure !== undefined) return 'failed';
  if (failure === undefined || failure === 'unsupported') return failure ?? 'good';
  return isPartial ? 'partial' : 'failed';
}

function attemptSpan({ context, node, started, ended, failure }: TracedAttempt, cycle: PollCycle): Span {
  return {
    ...context,
    parentId: cycle.context.spanId,
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
