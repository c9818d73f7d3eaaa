import type { Collector } from '../../collect/collector.ts';
import type { LatestResults } from '../../collect/latest-results.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { CallObserver, CompletedCall } from '../../graphdb/completed-call.ts';
import type { FailureReason } from '../../kernel/failure.ts';
import type { Random } from '../../kernel/system.ts';
import type { Clock, Instant, Millis } from '../../kernel/time.ts';
import type { CollectorTarget } from '../../model/collector-key.ts';
import type { SpanRecorder, SpanReference } from '../../model/span.ts';
import { callSpan } from '../../trace/call-span.ts';
import {
  isAlwaysSampled,
  type PollCycle,
  pollSpans,
  type TracedAttempt,
  type TracedCall,
  type TracedProbe,
} from '../../trace/poll-spans.ts';
import { newChildContext, newRootContext } from '../../trace/span-context.ts';
import type { IsCycleLinked } from '../tracing/self-traces.ts';
import type { CallDurations } from './call-metrics.ts';
import type { CollectorStatus } from './collector-status.ts';
import { runOf } from './probe-history.ts';

interface CycleTracePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly spans: SpanRecorder;
  /** Receives the requests whose spans are kept. */
  readonly calls: Pick<CallDurations, 'addExemplar'>;
  readonly isLinked: IsCycleLinked;
}

/** Poll that is traced. */
interface TracedPoll {
  readonly target: CollectorTarget;
  readonly collector: Pick<Collector, 'probe' | 'probeRun'>;
  /** Timeout of the poll. */
  readonly timeout: Millis;
}

interface CycleStart extends TracedPoll {
  /** Previous poll result of the same target. */
  readonly previous: PollResult | undefined;
}

/** Dependencies of the traces of poll cycles. */
export interface CycleTraceContext extends Omit<CycleTracePorts, 'spans'> {
  readonly board: LatestResults;
  /** Absent if tracing is disabled. */
  readonly spans?: SpanRecorder;
  /** Recorder of the runs of probes, whose sampling does not depend on that of healthy poll cycles; `spans` if absent. */
  readonly probeSpans?: SpanRecorder;
}

/** Starts the trace of a cycle; undefined if tracing is disabled. */
export function startCycleTrace(
  poll: TracedPoll,
  { board, clock, random, calls, isLinked, spans: cycleSpans, probeSpans = cycleSpans }: CycleTraceContext,
): CycleTrace | undefined {
  const spans = poll.collector.probe === undefined ? cycleSpans : probeSpans;
  if (spans === undefined) return undefined;
  const previous = board.latest(poll.target)?.pollResult;
  return new CycleTrace({ ...poll, previous }, { clock, random, calls, isLinked, spans });
}

/** Trace of a running cycle: collects spans and records them at the end. */
export class CycleTrace implements CallObserver {
  readonly cycle: SpanReference;
  readonly #context: CycleTracePorts;
  readonly #start: CycleStart;
  readonly #started: Instant;
  readonly #attempts: TracedAttempt[] = [];
  readonly #calls: TracedCall[] = [];
  #isKept: boolean | undefined;

  constructor(start: CycleStart, context: CycleTracePorts) {
    this.#start = start;
    this.#context = context;
    this.#started = context.clock.now();
    this.cycle = newRootContext(context.random);
  }

  readonly onCall = (call: CompletedCall): void => this.#recordCall(call, this.cycle.spanId);

  /** Runs `poll`, which polls one node for a fact of the whole cluster, in a span of its own. */
  async traceAttempt<Result extends PollResult | undefined>(
    node: string,
    poll: (observer: CallObserver) => Promise<Result>,
  ): Promise<Result> {
    const { clock, random } = this.#context;
    const context = newChildContext(this.cycle, random);
    const started = clock.now();
    const result = await poll({ cycle: this.cycle, onCall: (call) => this.#recordCall(call, context.spanId) });
    this.#attempts.push({ context, node, started, ended: clock.now(), ...failureOfResult(result) });
    return result;
  }

  /** Ends the trace when the samples are on the page, according to `shown`. */
  finish(polled: PollResult, shown: Pick<CollectorStatus, 'pollResult' | 'series'> | undefined): void {
    // Samples that could not be rendered have made the poll a failure by now.
    const { pollResult = polled, series = 0 } = shown ?? {};
    const { clock } = this.#context;
    const { target, collector, timeout, previous } = this.#start;
    const probe = tracedProbe(collector, pollResult);
    const cycle = {
      ...target,
      ...(probe && { probe }),
      context: this.cycle,
      started: this.#started,
      ended: clock.now(),
      ...failureOfResult(pollResult),
      isPartial: !pollResult.result.ok && pollResult.result.partial !== undefined,
      series,
      links: previous?.result.ok === false && previous.cycle !== undefined ? [previous.cycle] : [],
      attempts: this.#attempts,
      calls: this.#calls,
    };
    const isLinked = this.#context.isLinked(this.cycle, () => this.#export(cycle, true));
    this.#export(cycle, isLinked || isAlwaysSampled(cycle, timeout));
  }

  #export(cycle: PollCycle, isWanted: boolean): void {
    if (this.#isKept === true) return;
    const { spans, calls } = this.#context;
    this.#isKept = spans.isSampled(this.cycle.traceId, isWanted);
    if (!this.#isKept) return;
    for (const span of pollSpans(cycle)) spans.record(span);
    for (const { context, call } of this.#calls) calls.addExemplar(cycle.cluster, call, context);
  }

  /** Spans of requests that continue after the result follow the rest of the trace. */
  #recordCall(call: CompletedCall, parentId: string): void {
    const { spans, random } = this.#context;
    const context = newChildContext(this.cycle, random);
    if (this.#isKept === undefined) this.#calls.push({ context, parentId, call });
    else if (this.#isKept) spans.record(callSpan(call, { context, parentId, traceStart: this.#started }));
  }
}

/** The message of a failed run stays out of the trace. */
function tracedProbe(definition: TracedPoll['collector'], pollResult: PollResult): TracedProbe | undefined {
  const { probe } = definition;
  if (probe === undefined) return undefined;
  const { failure, duration, phases } = runOf({ definition }, pollResult);
  const { name, kind, graph } = probe;
  const measured = { source: pollResult.source, duration, phases };
  return { name, kind, graph, ...measured, ...(failure && { failure: failure.reason }) };
}

function failureOfResult(pollResult: PollResult | undefined): { readonly failure?: FailureReason } {
  return pollResult === undefined || pollResult.result.ok ? {} : { failure: pollResult.result.error.reason };
}
