import type { CompletedCall } from '../graphdb/completed-call.ts';
import type { Instant } from '../kernel/time.ts';
import type { Span, SpanAttributes, SpanReference } from '../model/span.ts';
import { wallTimeOf } from './span-context.ts';

/** Returns the attributes of the server of a URL, as the semantic conventions name them. */
export function serverAttributes(url: URL): SpanAttributes {
  const { hostname, port, protocol } = url;
  return {
    'server.address': withoutBrackets(hostname),
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}

/** Returns a host without the brackets that an IPv6 address has in a URL. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Parent of the span of a request, and the clock of its trace. */
export interface CallSpanContext {
  readonly context: SpanReference;
  readonly parentId?: string;
  readonly traceStart: Instant;
  readonly links?: readonly SpanReference[];
}

/** Returns the span of a request to a node, by the conventions for HTTP clients. It contains no user data. */
export function callSpan(call: CompletedCall, { context, parentId, traceStart, links = [] }: CallSpanContext): Span {
  const error = errorTypeOf(call);
  return {
    ...context,
    ...(parentId !== undefined && { parentId }),
    name: `${call.method} ${call.template}`,
    kind: 'client',
    start: wallTimeOf(traceStart, call.started),
    end: wallTimeOf(traceStart, call.ended),
    attributes: {
      ...requestAttributes(call),
      ...responseAttributes(call),
      ...(error !== undefined && { 'error.type': error }),
    },
    events: [],
    links,
    ...(error !== undefined && { error }),
  };
}

function requestAttributes({ method, template, url, node, retries }: CompletedCall): SpanAttributes {
  return {
    'http.request.method': method,
    'url.template': template,
    'url.full': url,
    ...serverAttributes(new URL(url)),
    'graphwarden.node': node,
    ...(retries > 0 && { 'http.request.resend_count': retries }),
  };
}

function responseAttributes({ status, bytes, peer, isCancelled }: CompletedCall): SpanAttributes {
  const [, address, port] = /^(.*):(\d+)$/.exec(peer ?? '') ?? [];
  return {
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(bytes !== undefined && { 'graphwarden.response.decoded_size': bytes }),
    ...(address !== undefined && {
      'network.peer.address': withoutBrackets(address),
      'network.peer.port': Number(port),
    }),
    ...(isCancelled && { 'graphwarden.cancelled': true }),
  };
}

/** Returns the HTTP status if it is an error, otherwise the reason of the failure; both have a closed set of values. */
function errorTypeOf({ status = 0, failure, isCancelled }: CompletedCall): string | undefined {
  // A server that lacks an endpoint refuses it at every poll, which is expected.
  if (isCancelled || failure === 'unsupported') return undefined;
  return status >= 400 ? String(status) : failure;
}
