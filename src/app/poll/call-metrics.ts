import { getOrCreate } from '../../collect/keyed-rows.ts';
import { describeCall, prefixOf } from '../../graphdb/calls.ts';
import type { CompletedCall } from '../../graphdb/completed-call.ts';
import { type Instant, toSeconds } from '../../kernel/time.ts';
import { FirstUse } from '../../metric/first-use.ts';
import {
  emptyHistogram,
  type HistogramState,
  histogramSamples,
  observe,
  withExemplar,
} from '../../metric/histogram-state.ts';
import { counter, histogram, type Metric, type Sample, sample } from '../../metric/metric.ts';
import type { SpanReference } from '../../model/span.ts';

/** Few buckets, because each is a series for every call of every cluster; an exemplar leads to the node and the exact time. */
const bounds = [0.01, 0.05, 0.25, 1, 5, 30];

const duration = histogram({
  name: 'graphwarden_call_duration_seconds',
  help: 'Duration of requests to the nodes of the cluster, from the request for a connection to the last byte; cancelled requests are not counted.',
  labels: ['call', 'outcome'],
  source: 'measured by graphwarden',
});

const rejected = counter({
  name: 'graphwarden_calls_rejected_total',
  help: 'Requests of graphwarden that the node turned away under load, by reason: too many requests, unavailable, a full queue, no answer of an engine, or a timeout.',
  labels: ['node', 'reason'],
  source: 'status and code of responses',
});

/** Metric families of requests to nodes. */
export const callMetrics: readonly Metric[] = [duration, rejected];

type RejectionReason = 'too_many_requests' | 'unavailable' | 'queue_full' | 'no_engine' | 'timeout';

const reasonByStatus: ReadonlyMap<number, RejectionReason> = new Map([
  [408, 'timeout'],
  [429, 'too_many_requests'],
  [503, 'unavailable'],
  [504, 'timeout'],
]);

/** Codes are more specific than statuses. */
const reasonByCode: ReadonlyMap<string, RejectionReason> = new Map([
  ['REST-3000', 'timeout'],
  ['REST-3001', 'timeout'],
  ['REST-3002', 'timeout'],
  ['REST-12000', 'no_engine'],
  ['REST-12001', 'no_engine'],
  ['REST-14000', 'queue_full'],
]);

const outcomes = ['good', 'failed'] as const;

type Outcome = (typeof outcomes)[number];

/** Requests of one cluster. */
class ClusterCalls {
  /** Histograms by call. The series of failures are 0 first, so that the first failure is an increase. */
  readonly #durations = new Map<string, DurationsOfCall>();
  readonly #rejected = new Map<string, RejectionsOfNode>();
  #samples: { readonly at: number; readonly list: readonly Sample[] } | undefined;

  change(call: CompletedCall, change: (durations: HistogramState) => HistogramState): void {
    const outcome = call.failure === undefined && (call.status ?? 0) < 400 ? 'good' : 'failed';
    const known = getOrCreate(this.#durations, callName(call), newDurations);
    known.byOutcome.set(outcome, change(known.byOutcome.get(outcome) ?? emptyHistogram(bounds)));
    this.#samples = undefined;
  }

  countRejection({ node }: CompletedCall, reason: RejectionReason): void {
    const { counts } = getOrCreate(this.#rejected, node, newRejections);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    this.#samples = undefined;
  }

  /** Returns the same array until a request ends or a new series gets its value. */
  samples(nodes: readonly string[], now: Instant): readonly Sample[] {
    for (const node of this.#rejected.keys()) if (!nodes.includes(node)) this.#forget(node);
    const uses = [...this.#durations.values(), ...this.#rejected.values()].map(({ firstUse }) => firstUse);
    const shown = this.#samples;
    if (shown !== undefined && !uses.some((one) => one.settledBetween(shown.at, now.mono))) return shown.list;
    this.#samples = { at: now.mono, list: [...this.#durationSamples(now), ...this.#rejectionSamples(now)] };
    return this.#samples.list;
  }

  #forget(node: string): void {
    this.#rejected.delete(node);
    this.#samples = undefined;
  }

  *#durationSamples(now: Instant): Generator<Sample> {
    for (const [call, { byOutcome, firstUse }] of this.#durations) {
      for (const outcome of outcomes) {
        const durations = byOutcome.get(outcome);
        if (durations === undefined) continue;
        const isZero = outcome === 'failed' && firstUse.isZero(outcome, now);
        yield* histogramSamples(duration, { call, outcome }, isZero ? emptyHistogram(bounds) : durations);
      }
    }
  }

  *#rejectionSamples(now: Instant): Generator<Sample> {
    for (const [node, { counts, firstUse }] of this.#rejected) {
      for (const [reason, count] of firstUse.shown(counts, now)) yield sample(rejected, { node, reason }, count);
    }
  }
}

interface DurationsOfCall {
  readonly byOutcome: Map<Outcome, HistogramState>;
  readonly firstUse: FirstUse<Outcome>;
}

interface RejectionsOfNode {
  readonly counts: Map<RejectionReason, number>;
  readonly firstUse: FirstUse<RejectionReason>;
}

function newDurations(): DurationsOfCall {
  return { byOutcome: new Map(), firstUse: new FirstUse() };
}

function newRejections(): RejectionsOfNode {
  return { counts: new Map(), firstUse: new FirstUse() };
}

/** Durations of requests by cluster. Calls and outcomes are short closed lists, which bounds the series. */
export class CallDurations {
  readonly #clusters = new Map<string, ClusterCalls>();

  /** Records a finished request. */
  record(cluster: string, call: CompletedCall): void {
    if (call.isCancelled) return;
    const calls = getOrCreate(this.#clusters, cluster, () => new ClusterCalls());
    calls.change(call, (durations) => observe(durations, callSeconds(call)));
    const reason = rejectionReason(call);
    if (reason !== undefined) calls.countRejection(call, reason);
  }

  /** Adds the span of a recorded request as exemplar, if its trace is kept. */
  addExemplar(cluster: string, call: CompletedCall, { traceId, spanId }: SpanReference): void {
    const exemplar = { traceId, spanId, value: callSeconds(call), at: call.ended.wall };
    this.#clusters.get(cluster)?.change(call, (durations) => withExemplar(durations, exemplar));
  }

  /** Returns the samples of a cluster, and forgets removed nodes. */
  samples(cluster: string, nodes: readonly string[], now: Instant): readonly Sample[] {
    return this.#clusters.get(cluster)?.samples(nodes, now) ?? [];
  }

  /** Forgets a cluster that is no longer configured. */
  forget(cluster: string): void {
    this.#clusters.delete(cluster);
  }
}

/** Returns why the node turned a request away; undefined if it did not. */
function rejectionReason({ status, code, failure }: CompletedCall): RejectionReason | undefined {
  const reported = reasonByCode.get(code ?? '') ?? reasonByStatus.get(status ?? 0);
  return reported ?? (failure === 'timeout' ? 'timeout' : undefined);
}

/** Name of the call, independent of the path form of the server. */
function callName({ name, method, template }: CompletedCall): string {
  if (name !== 'abort') return describeCall(name);
  const prefix = prefixOf('restpp', 'current');
  return `${method} ${template.startsWith(prefix) ? '' : prefix}${template}`;
}

function callSeconds({ started, ended }: CompletedCall): number {
  return toSeconds(ended.mono - started.mono);
}
