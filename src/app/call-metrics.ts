import { entryOf } from '../collect/entry-of.ts';
import { describeCall, prefixOf } from '../graphdb/calls.ts';
import type { MadeCall } from '../graphdb/made-call.ts';
import { inSeconds } from '../kernel/time.ts';
import { type Distribution, distribution, distributionSamples, exemplify, observe } from '../metric/distribution.ts';
import { histogram, type Metric, type Sample } from '../metric/metric.ts';
import type { SpanPlace } from '../model/span.ts';

/** Few, since each is a series for every call of every node: an exemplar leads to the exact time. */
const bounds = [0.01, 0.05, 0.25, 1, 5, 30];

const duration = histogram({
  name: 'graphwarden_call_duration_seconds',
  help: 'How long our own calls to nodes took, from wanting a connection to the last byte; those that we gave up unasked are not counted.',
  labels: ['node', 'call', 'outcome'],
  source: 'measured by us',
});

/** The families in which calls to nodes are measured. */
export const callMetrics: readonly Metric[] = [duration];

/** Failed or not: both are there from the first call on, for an increase from nothing is none to Prometheus. */
const outcomes = ['good', 'failed'] as const;

type ByOutcome = Map<(typeof outcomes)[number], Distribution>;

interface NodeCalls {
  readonly told: Map<string, ByOutcome>;
  /** The same array for as long as no call ends. */
  samples: readonly Sample[] | undefined;
}

/** How long the calls to every node took. Calls and outcomes come from short lists, so there is an end to the series. */
export class CallDurations {
  readonly #clusters = new Map<string, Map<string, NodeCalls>>();

  /** Takes a call that is over. */
  count(cluster: string, call: MadeCall): void {
    this.#change(cluster, call, (durations) => observe(durations, lengthOf(call)));
  }

  /** Takes the span of a call that was counted before, in a trace that is kept. */
  exemplify(cluster: string, call: MadeCall, { traceId, spanId }: SpanPlace): void {
    const exemplar = { traceId, spanId, value: lengthOf(call), at: call.ended.wall };
    this.#change(cluster, call, (durations) => exemplify(durations, exemplar));
  }

  /** What the page shows of a cluster, by node; nodes that are gone are forgotten. */
  *samples(cluster: string, nodes: readonly string[]): Generator<readonly [node: string, samples: readonly Sample[]]> {
    const known = this.#clusters.get(cluster);
    for (const [node, calls] of known ?? []) {
      calls.samples ??= [...samplesOf(node, calls)];
      if (nodes.includes(node)) yield [node, calls.samples];
      else known?.delete(node);
    }
  }

  /** A cluster is watched no more. */
  forget(cluster: string): void {
    this.#clusters.delete(cluster);
  }

  #change(cluster: string, call: MadeCall, change: (durations: Distribution) => Distribution): void {
    if (call.isCancelled) return;
    const nodes = entryOf(this.#clusters, cluster, () => new Map<string, NodeCalls>());
    const calls = entryOf(nodes, call.node, (): NodeCalls => ({ told: new Map(), samples: undefined }));
    const outcome = call.failure === undefined && (call.status ?? 0) < 400 ? 'good' : 'failed';
    const told = entryOf(calls.told, nameOf(call), (): ByOutcome => {
      return new Map(outcomes.map((one) => [one, distribution(bounds)]));
    });
    told.set(outcome, change(told.get(outcome) ?? distribution(bounds)));
    calls.samples = undefined;
  }
}

function* samplesOf(node: string, { told }: NodeCalls): Generator<Sample> {
  for (const [call, byOutcome] of told) {
    for (const [outcome, durations] of byOutcome) {
      yield* distributionSamples(duration, { node, call, outcome }, durations);
    }
  }
}

/** The same whatever path form a server speaks. */
function nameOf({ name, method, template }: MadeCall): string {
  if (name !== 'abort') return describeCall(name);
  const prefix = prefixOf('restpp', 'current');
  return `${method} ${template.startsWith(prefix) ? '' : prefix}${template}`;
}

function lengthOf({ started, ended }: MadeCall): number {
  return inSeconds(ended.mono - started.mono);
}
