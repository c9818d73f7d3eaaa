import { getOrCreate } from '../../collect/keyed-rows.ts';
import { describeCall, prefixOf } from '../../graphdb/calls.ts';
import type { CompletedCall } from '../../graphdb/completed-call.ts';
import { toSeconds } from '../../kernel/time.ts';
import {
  emptyHistogram,
  type HistogramState,
  histogramSamples,
  observe,
  withExemplar,
} from '../../metric/histogram-state.ts';
import { counter, histogram, type Metric, type Sample, sample } from '../../metric/metric.ts';
import type { SpanReference } from '../../model/span.ts';

/** Few buckets, because each is a series for every call of every node; an exemplar leads to the exact time. */
const bounds = [0.01, 0.05, 0.25, 1, 5, 30];

const duration = histogram({
  name: 'graphwarden_call_duration_seconds',
  help: 'Duration of requests to nodes, from the request for a connection to the last byte; cancelled requests are not counted.',
  labels: ['node', 'call', 'outcome'],
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

const rejectionReasons = ['too_many_requests', 'unavailable', 'queue_full', 'no_engine', 'timeout'] as const;

type RejectionReason = (typeof rejectionReasons)[number];

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

/** Both outcomes exist from the first request on: Prometheus sees no increase in a series that starts at 1. */
const outcomes = ['good', 'failed'] as const;

type ByOutcome = Map<(typeof outcomes)[number], HistogramState>;

interface NodeCalls {
  readonly durations: Map<string, ByOutcome>;
  readonly rejected: Map<RejectionReason, number>;
  /** Returns the same array until a request ends. */
  samples: readonly Sample[] | undefined;
}

/** Durations of requests to every node. Calls and outcomes are short closed lists, which bounds the series. */
export class CallDurations {
  readonly #clusters = new Map<string, Map<string, NodeCalls>>();

  /** Records a finished request. */
  record(cluster: string, call: CompletedCall): void {
    this.#change(cluster, call, (durations) => observe(durations, callSeconds(call)));
    this.#countRejection(cluster, call);
  }

  /** Adds the span of a recorded request as exemplar, if its trace is kept. */
  addExemplar(cluster: string, call: CompletedCall, { traceId, spanId }: SpanReference): void {
    const exemplar = { traceId, spanId, value: callSeconds(call), at: call.ended.wall };
    this.#change(cluster, call, (durations) => withExemplar(durations, exemplar));
  }

  /** Yields the samples of a cluster by node, and forgets removed nodes. */
  *samples(cluster: string, nodes: readonly string[]): Generator<readonly [node: string, samples: readonly Sample[]]> {
    const known = this.#clusters.get(cluster);
    for (const [node, calls] of known ?? []) {
      calls.samples ??= [...nodeSamples(node, calls)];
      if (nodes.includes(node)) yield [node, calls.samples];
      else known?.delete(node);
    }
  }

  /** Forgets a cluster that is no longer configured. */
  forget(cluster: string): void {
    this.#clusters.delete(cluster);
  }

  #countRejection(cluster: string, call: CompletedCall): void {
    const reason = rejectionReason(call);
    const calls = this.#clusters.get(cluster)?.get(call.node);
    if (reason === undefined || calls === undefined) return;
    calls.rejected.set(reason, (calls.rejected.get(reason) ?? 0) + 1);
  }

  #change(cluster: string, call: CompletedCall, change: (durations: HistogramState) => HistogramState): void {
    if (call.isCancelled) return;
    const nodes = getOrCreate(this.#clusters, cluster, () => new Map<string, NodeCalls>());
    const calls = getOrCreate(
      nodes,
      call.node,
      (): NodeCalls => ({
        durations: new Map(),
        rejected: new Map(),
        samples: undefined,
      }),
    );
    const outcome = call.failure === undefined && (call.status ?? 0) < 400 ? 'good' : 'failed';
    const reported = getOrCreate(calls.durations, callName(call), (): ByOutcome => {
      return new Map(outcomes.map((one) => [one, emptyHistogram(bounds)]));
    });
    reported.set(outcome, change(reported.get(outcome) ?? emptyHistogram(bounds)));
    calls.samples = undefined;
  }
}

function* nodeSamples(node: string, { durations: reported, rejected: counts }: NodeCalls): Generator<Sample> {
  for (const reason of rejectionReasons) yield sample(rejected, { node, reason }, counts.get(reason) ?? 0);
  for (const [call, byOutcome] of reported) {
    for (const [outcome, durations] of byOutcome) {
      yield* histogramSamples(duration, { node, call, outcome }, durations);
    }
  }
}

/** Returns why the node turned a request away; undefined if it did not. */
function rejectionReason({ status, code, failure, isCancelled }: CompletedCall): RejectionReason | undefined {
  if (isCancelled) return undefined;
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
