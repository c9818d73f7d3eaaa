import type { MadeCall } from '../graphdb/made-call.ts';
import type { Instant } from '../kernel/time.ts';
import type { Span, SpanPlace } from '../model/span.ts';
import { callSpan } from './call-span.ts';
import { since } from './span-place.ts';

/** One abort, from the order until it is known what came of it. */
export interface TracedAbort {
  readonly place: SpanPlace;
  readonly cluster: string;
  readonly node: string;
  readonly started: Instant;
  readonly ended: Instant;
  /** What the answer came to. */
  readonly outcome: 'taken' | 'refused' | 'lost' | 'unsent';
  /** The cycle that saw the query, and the query itself. */
  readonly links: readonly SpanPlace[];
  /** Absent where nothing was sent. */
  readonly call?: { readonly place: SpanPlace; readonly made: MadeCall };
}

/** The trace of an abort, its root first. To be kept whatever sampling says: there are few, and each has to be explained. */
export function abortSpans({ place, cluster, node, outcome, links, call, ...times }: TracedAbort): readonly Span[] {
  const { started, ended } = times;
  const root: Span = {
    ...place,
    name: 'abort query',
    kind: 'internal',
    start: started.wall,
    end: since(started, ended),
    attributes: { 'graphwarden.cluster': cluster, 'graphwarden.node': node, 'graphwarden.outcome': outcome },
    events: [],
    links,
    ...(outcome !== 'taken' && { error: outcome }),
  };
  if (call === undefined) return [root];
  const setting = { place: call.place, parentId: place.spanId, began: started };
  return [root, callSpan(call.made, setting)];
}
