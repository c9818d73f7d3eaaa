import { type Collector, rawProcessListOf } from '../../collect/collector.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { AbortReply } from '../../graphdb/abort-reply.ts';
import type { CallListener, CompletedCall } from '../../graphdb/completed-call.ts';
import type { AbortCommand } from '../../guard/decision/output.ts';
import type { Digest, Random } from '../../kernel/system.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Alert } from '../../model/alert.ts';
import type { CollectorTarget } from '../../model/collector-key.ts';
import type { SpanRecorder, SpanReference } from '../../model/span.ts';
import { abortSpans } from '../../trace/action-spans.ts';
import { newChildContext, newRootContext, querySpanContext } from '../../trace/span-context.ts';

/** Trace of an abort in progress. */
export interface AbortTrace {
  readonly onCall: CallListener;
  /** Called with the outcome. */
  finish(reply: AbortReply): void;
}

interface AbortTracePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly spans: SpanRecorder;
  /** Called with each cycle that a span now links to. */
  readonly linked: (cycle: SpanReference) => void;
}

/** Maximum number of remembered nodes, and of remembered aborts; the oldest are forgotten. */
const maxRemembered = 1000;

/** Traces aborts, and remembers for each node the cycle that last listed its queries. */
export class AbortTraces {
  readonly #ports: AbortTracePorts;
  readonly #cycles = new Map<string, SpanReference>();
  /** Latest aborts, by cluster and request id. */
  readonly #aborts = new Map<string, SpanReference>();

  constructor(ports: AbortTracePorts) {
    this.#ports = ports;
  }

  /** Remembers the cycle of a process list, to which the next abort on the node links. */
  onPollResult(
    { cluster, node, definition }: Pick<CollectorTarget, 'cluster' | 'node'> & { readonly definition: Collector },
    { result, cycle }: Pick<PollResult, 'result' | 'cycle'>,
  ): void {
    if (cycle === undefined || rawProcessListOf(definition, result) === undefined) return;
    remember(this.#cycles, JSON.stringify([cluster, node]), cycle);
  }

  /** Returns the span of the abort that an alert reports; undefined if it reports none. */
  abortOf({ labels }: Pick<Alert, 'labels'>): SpanReference | undefined {
    const { cluster_name: cluster = '', request_id: id = '' } = labels;
    return this.#aborts.get(JSON.stringify([cluster, id]));
  }

  /** Starts the trace of an abort that is about to be sent. */
  begin(cluster: string, { node, id }: Pick<AbortCommand, 'node' | 'id'>): AbortTrace {
    const { clock, random, digest, spans, linked } = this.#ports;
    const context = newRootContext(random);
    remember(this.#aborts, JSON.stringify([cluster, id]), context);
    const cycle = this.#cycles.get(JSON.stringify([cluster, node]));
    if (cycle !== undefined) linked(cycle);
    const links = [...(cycle === undefined ? [] : [cycle]), querySpanContext(cluster, id, digest)];
    const started = clock.now();
    let made: CompletedCall | undefined;
    return {
      onCall: (call) => {
        made = call;
      },
      finish: ({ kind: outcome }) => {
        const call = made && { context: newChildContext(context, random), made };
        const abort = {
          context,
          cluster,
          node,
          started,
          ended: clock.now(),
          outcome,
          links,
          ...(call && { call }),
        };
        for (const span of abortSpans(abort)) spans.record(span);
      },
    };
  }
}

function remember(contexts: Map<string, SpanReference>, key: string, context: SpanReference): void {
  contexts.delete(key);
  contexts.set(key, context);
  const [oldest = ''] = contexts.size > maxRemembered ? contexts.keys() : [];
  contexts.delete(oldest);
}
