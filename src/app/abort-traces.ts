import type { AbortReply } from '../graphdb/abort-reply.ts';
import type { CallListener, MadeCall } from '../graphdb/made-call.ts';
import type { HeardList } from '../graphdb/overheard.ts';
import type { AbortOrder } from '../guard/decision/output.ts';
import type { Digest } from '../kernel/digest.ts';
import type { Random } from '../kernel/system.ts';
import type { Clock } from '../kernel/time.ts';
import type { SpanPlace, SpanSink } from '../model/span.ts';
import { abortSpans } from '../trace/abort.ts';
import { queryTrace } from '../trace/places.ts';
import { placeIn, rootPlace } from '../trace/span-place.ts';

/** An abort under way, as its trace follows it. */
export interface OpenAbort {
  readonly called: CallListener;
  /** It is known what came of it. */
  over(reply: AbortReply): void;
}

interface AbortTracePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly spans: SpanSink;
  /** Hears of each cycle that something links to now. */
  readonly linked: (cycle: SpanPlace) => void;
}

/** Nodes that are listed are the latest: of those that are gone, the oldest can be forgotten. */
const mostNodes = 1000;

/** Traces aborts, and remembers for each node which cycle saw what runs there. */
export class AbortTraces {
  readonly #ports: AbortTracePorts;
  readonly #cycles = new Map<string, SpanPlace>();

  constructor(ports: AbortTracePorts) {
    this.#ports = ports;
  }

  /** Takes a list that a node gave: what is aborted next was on it. */
  heard({ cluster, node, cycle, answer }: HeardList): void {
    if (cycle === undefined || !answer.ok) return;
    const key = JSON.stringify([cluster, node]);
    this.#cycles.delete(key);
    this.#cycles.set(key, cycle);
    const [oldest = ''] = this.#cycles.size > mostNodes ? this.#cycles.keys() : [];
    this.#cycles.delete(oldest);
  }

  /** An abort is about to be sent. Nothing waits for this. */
  begin(cluster: string, { node, id }: Pick<AbortOrder, 'node' | 'id'>): OpenAbort {
    const { clock, random, digest, spans, linked } = this.#ports;
    const place = rootPlace(random);
    const cycle = this.#cycles.get(JSON.stringify([cluster, node]));
    if (cycle !== undefined) linked(cycle);
    const links = [...(cycle === undefined ? [] : [cycle]), queryTrace(cluster, id, digest)];
    const started = clock.now();
    let made: MadeCall | undefined;
    return {
      called: (call) => {
        made = call;
      },
      over: ({ kind: outcome }) => {
        const call = made && { place: placeIn(place, random), made };
        const abort = { place, cluster, node, started, ended: clock.now(), outcome, links, ...(call && { call }) };
        for (const span of abortSpans(abort)) spans.take(span);
      },
    };
  }
}
