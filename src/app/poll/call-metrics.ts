import { getOrCreate } from '../../collect/keyed-rows.ts';
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

/**
 * Bucket bounds in seconds; few, because each is a series of every cluster. An exemplar leads to the request with its
 * node and duration.
 */
const bounds = [0.01, 0.05, 0.25, 1, 5, 30];

const duration = histogram({
  name: 'graphwarden_call_duration_seconds',
  help: 'Duration of requests to the nodes of the cluster, from the request for a connection to the last byte; cancelled requests are not counted.',
  labels: ['outcome'],
  source: 'measured by graphwarden',
});

const rejected = counter({
  name: 'graphwarden_calls_rejected_total',
  help: 'Requests of graphwarden that the node rejected under load, by reason: too many requests, unavailable, a full queue, no response from an engine, or a timeout.',
  labels: ['node', 'reason'],
  source: 'status and code of responses',
  // The series of a removed node are removed, even if they are the last of the family.
  keep: false,
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

type Outcome = 'good' | 'failed';

/** Requests of one cluster. */
class ClusterCalls {
  /** New series of failures are shown as 0 first, so that the first failure is an increase. */
  readonly #durations = new Map<Outcome, HistogramState>();
  readonly #firstUse = new FirstUse<Outcome>();
  readonly #rejected = new Map<string, RejectionsOfNode>();
  #samples: { readonly at: number; readonly list: readonly Sample[] } | undefined;

  change(call: CompletedCall, change: (durations: HistogramState) => HistogramState): void {
    const outcome = call.failure === undefined && (call.status ?? 0) < 400 ? 'good' : 'failed';
    this.#durations.set(outcome, change(this.#durations.get(outcome) ?? emptyHistogram(bounds)));
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
    const uses = [this.#firstUse, ...this.#rejected.values().map(({ firstUse }) => firstUse)];
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
    for (const [outcome, durations] of this.#durations) {
      const isZero = outcome === 'failed' && this.#firstUse.isZero(outcome, now);
      yield* histogramSamples(duration, { outcome }, isZero ? emptyHistogram(bounds) : durations);
    }
  }

  *#rejectionSamples(now: Instant): Generator<Sample> {
    for (const [node, { counts, firstUse }] of this.#rejected) {
      for (const [reason, count] of firstUse.shown(counts, now)) yield sample(rejected, { node, reason }, count);
    }
  }
}

interface RejectionsOfNode {
  readonly counts: Map<RejectionReason, number>;
  readonly firstUse: FirstUse<RejectionReason>;
}

function newRejections(): RejectionsOfNode {
  return { counts: new Map(), firstUse: new FirstUse() };
}

/** Durations of requests by cluster and outcome. */
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

/** Returns why the node rejected a request; undefined if it did not. */
function rejectionReason({ status, code, failure }: CompletedCall): RejectionReason | undefined {
  const reported = reasonByCode.get(code ?? '') ?? reasonByStatus.get(status ?? 0);
  return reported ?? (failure === 'timeout' ? 'timeout' : undefined);
}

function callSeconds({ started, ended }: CompletedCall): number {
  return toSeconds(ended.mono - started.mono);
}
