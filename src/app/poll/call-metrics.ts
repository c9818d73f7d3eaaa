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
import { histogram, type Metric, type Sample } from '../../metric/metric.ts';
import type { SpanReference } from '../../model/span.ts';

/** Few buckets, because each is a series for every call of every node; an exemplar leads to the exact time. */
const bounds = [0.01, 0.05, 0.25, 1, 5, 30];

const duration = histogram({
  name: 'graphwarden_call_duration_seconds',
  help: 'Duration of requests to nodes, from the request for a connection to the last byte; cancelled requests are not counted.',
  labels: ['node', 'call', 'outcome'],
  source: 'measured by graphwarden',
});

/** Metric families of requests to nodes. */
export const callMetrics: readonly Metric[] = [duration];

/** Both outcomes exist from the first request on: Prometheus sees no increase in a series that starts at 1. */
const outcomes = ['good', 'failed'] as const;

type ByOutcome = Map<(typeof outcomes)[number], HistogramState>;

interface NodeCalls {
  readonly durations: Map<string, ByOutcome>;
  /** Returns the same array until a request ends. */
  samples: readonly Sample[] | undefined;
}

/** Durations of requests to every node. Calls and outcomes are short closed lists, which bounds the series. */
export class CallDurations {
  readonly #clusters = new Map<string, Map<string, NodeCalls>>();

  /** Records a finished request. */
  record(cluster: string, call: CompletedCall): void {
    this.#change(cluster, call, (durations) => observe(durations, callSeconds(call)));
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

  #change(cluster: string, call: CompletedCall, change: (durations: HistogramState) => HistogramState): void {
    if (call.isCancelled) return;
    const nodes = getOrCreate(this.#clusters, cluster, () => new Map<string, NodeCalls>());
    const calls = getOrCreate(nodes, call.node, (): NodeCalls => ({ durations: new Map(), samples: undefined }));
    const outcome = call.failure === undefined && (call.status ?? 0) < 400 ? 'good' : 'failed';
    const reported = getOrCreate(calls.durations, callName(call), (): ByOutcome => {
      return new Map(outcomes.map((one) => [one, emptyHistogram(bounds)]));
    });
    reported.set(outcome, change(reported.get(outcome) ?? emptyHistogram(bounds)));
    calls.samples = undefined;
  }
}

function* nodeSamples(node: string, { durations: reported }: NodeCalls): Generator<Sample> {
  for (const [call, byOutcome] of reported) {
    for (const [outcome, durations] of byOutcome) {
      yield* histogramSamples(duration, { node, call, outcome }, durations);
    }
  }
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
