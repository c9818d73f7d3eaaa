import type { CompletedCall } from '../graphdb/completed-call.ts';
import type { Instant } from '../kernel/time.ts';
import type { Span, SpanReference } from '../model/span.ts';
import { callSpan } from './call-span.ts';
import { wallTimeOf } from './span-context.ts';

/** One abort, from the order until it is known what came of it. */
export interface TracedAbort {
  readonly place: SpanReference;
  readonly cluster: string;
  readonly node: string;
  readonly started: Instant;
  readonly ended: Instant;
  /** What the answer came to. */
  readonly outcome: 'taken' | 'refused' | 'lost' | 'unsent';
  /** The cycle that saw the query, and the query itself. */
  readonly links: readonly SpanReference[];
  /** Absent where nothing was sent. */
  readonly call?: { readonly place: SpanReference; readonly made: CompletedCall };
}

/** The trace of an abort, its root first. To be kept whatever sampling says: there are few, and each has to be explained. */
export function abortSpans({ place, cluster, node, outcome, links, call, ...times }: TracedAbort): readonly Span[] {
  const { started, ended } = times;
  const root: Span = {
    ...place,
    name: 'abort query',
    kind: 'internal',
    start: started.wall,
    end: wallTimeOf(started, ended),
    attributes: {
      'graphwarden.cluster': cluster,
      'graphwarden.node': node,
      'graphwarden.outcome': outcome,
      ...(outcome !== 'taken' && { 'error.type': outcome }),
    },
    events: [],
    links,
    ...(outcome !== 'taken' && { error: outcome }),
  };
  if (call === undefined) return [root];
  const setting = { place: call.place, parentId: place.spanId, traceStart: started };
  return [root, callSpan(call.made, setting)];
}

/** One attempt to send a notification to a receiver. */
export interface TracedNotification {
  readonly place: SpanReference;
  readonly receiver: string;
  readonly notificationId: 'alerts' | 'digest';
  /** Names of the rules that it is about, none twice. */
  readonly rules: readonly string[];
  readonly started: Instant;
  readonly ended: Instant;
  /** What the answer means. */
  readonly outcome: 'accepted' | 'limited' | 'unavailable' | 'broken' | 'refused';
  /** The cycles that it came from. */
  readonly links: readonly SpanReference[];
}

/** Returns the trace of an attempt, without the content of the notification. It is not sampled, because attempts are rare. */
export function notificationSpan({
  place,
  receiver,
  notificationId,
  rules,
  outcome,
  links,
  ...times
}: TracedNotification): Span {
  return {
    ...place,
    name: `notify ${receiver}`,
    kind: 'client',
    start: times.started.wall,
    end: wallTimeOf(times.started, times.ended),
    attributes: {
      'graphwarden.receiver': receiver,
      'graphwarden.notification': notificationId,
      'graphwarden.outcome': outcome,
      ...(rules.length > 0 && { 'graphwarden.rules': rules.join(',') }),
      ...(outcome !== 'accepted' && { 'error.type': outcome }),
    },
    events: [],
    links,
    // A rate limit is an expected answer: the notification is sent again.
    ...(outcome !== 'accepted' && outcome !== 'limited' && { error: outcome }),
  };
}
