import type { CompletedCall } from '../graphdb/completed-call.ts';
import type { Instant } from '../kernel/time.ts';
import type { Span, SpanAttributes, SpanReference } from '../model/span.ts';
import { callSpan, serverAttributes } from './call-span.ts';
import { wallTimeOf } from './span-context.ts';

/** One abort, from its request until its outcome. */
export interface TracedAbort {
  readonly context: SpanReference;
  readonly cluster: string;
  readonly node: string;
  readonly started: Instant;
  readonly ended: Instant;
  /** Outcome of the request. */
  readonly outcome: 'accepted' | 'refused' | 'lost' | 'unsent';
  /** Spans of the poll cycle that listed the query, and of the query. */
  readonly links: readonly SpanReference[];
  /** Absent if no request was sent. */
  readonly call?: { readonly context: SpanReference; readonly made: CompletedCall };
}

/** Returns the trace of an abort, its root first. Sampling never drops it, because aborts are rare and important. */
export function abortSpans({ context, cluster, node, outcome, links, call, ...times }: TracedAbort): readonly Span[] {
  const { started, ended } = times;
  const root: Span = {
    ...context,
    name: 'abort query',
    kind: 'internal',
    start: started.wall,
    end: wallTimeOf(started, ended),
    attributes: {
      'graphwarden.cluster': cluster,
      'graphwarden.node': node,
      'graphwarden.outcome': outcome,
      ...(outcome !== 'accepted' && { 'error.type': outcome }),
    },
    events: [],
    links,
    ...(outcome !== 'accepted' && { error: outcome }),
  };
  if (call === undefined) return [root];
  const setting = { context: call.context, parentId: context.spanId, traceStart: started };
  return [root, callSpan(call.made, setting)];
}

/** One attempt to send a notification to a receiver. */
export interface TracedNotification {
  readonly context: SpanReference;
  readonly receiver: string;
  readonly content: 'alerts' | 'digest';
  /** Names of the rules of its alerts, each once. */
  readonly rules: readonly string[];
  readonly started: Instant;
  readonly ended: Instant;
  /** Outcome of the attempt. */
  readonly outcome: 'accepted' | 'partial' | 'limited' | 'unavailable' | 'timeout' | 'broken' | 'refused' | 'parked';
  /** HTTP status of the reply, if there was one. */
  readonly status?: number | undefined;
  /** The last request, without secrets; absent if none was made. `method` is absent if the protocol is not HTTP. */
  readonly request?: { readonly method?: string; readonly url: string } | undefined;
  /** Poll cycles that caused it. */
  readonly links: readonly SpanReference[];
}

/** Returns the trace of an attempt, without the content of the notification. Sampling never drops it, because attempts are rare. */
export function notificationSpan(notification: TracedNotification): Span {
  const { context, receiver, content, rules, outcome, links, started, ended } = notification;
  const isAccepted = outcome === 'accepted';
  return {
    ...context,
    name: `notify ${receiver}`,
    kind: 'client',
    start: started.wall,
    end: wallTimeOf(started, ended),
    attributes: {
      'graphwarden.receiver': receiver,
      'graphwarden.notification': content,
      'graphwarden.outcome': outcome,
      ...(rules.length > 0 && { 'graphwarden.rules': rules.join(',') }),
      ...requestAttributes(notification),
      ...(!isAccepted && { 'error.type': errorTypeOf(notification) }),
    },
    events: [],
    links,
    // A rate limit is an expected answer: the notification is sent again.
    ...(!isAccepted && outcome !== 'limited' && { error: outcome }),
  };
}

function requestAttributes({ request, status }: TracedNotification): SpanAttributes {
  if (request === undefined) return {};
  const { method, url } = request;
  return {
    ...(method !== undefined && { 'http.request.method': method }),
    'url.full': url,
    ...serverAttributes(new URL(url)),
    ...(status !== undefined && { 'http.response.status_code': status }),
  };
}

/** Returns the HTTP status if it is an error, otherwise the outcome. */
function errorTypeOf({ status = 0, outcome }: TracedNotification): string {
  return status >= 400 ? String(status) : outcome;
}
