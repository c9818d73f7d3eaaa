import type { MadeCall } from '../graphdb/made-call.ts';
import type { Instant } from '../kernel/time.ts';
import type { Span, SpanAttributes, SpanPlace } from '../model/span.ts';
import { bare, serverAttributes } from './server-attributes.ts';
import { since } from './span-place.ts';

/** Where a call's span belongs, and from when its trace counts. */
export interface CallSetting {
  readonly place: SpanPlace;
  readonly parentId?: string;
  readonly began: Instant;
  readonly links?: readonly SpanPlace[];
}

/** A request to a node as the stable conventions for HTTP clients have it. Nothing in it was said by a user. */
export function callSpan(call: MadeCall, { place, parentId, began, links = [] }: CallSetting): Span {
  const error = errorOf(call);
  return {
    ...place,
    ...(parentId !== undefined && { parentId }),
    name: `${call.method} ${call.template}`,
    kind: 'client',
    start: since(began, call.started),
    end: since(began, call.ended),
    attributes: { ...requestOf(call), ...answerOf(call), ...(error !== undefined && { 'error.type': error }) },
    events: [],
    links,
    ...(error !== undefined && { error }),
  };
}

function requestOf({ method, template, url, node, resends }: MadeCall): SpanAttributes {
  return {
    'http.request.method': method,
    'url.template': template,
    'url.full': url,
    ...serverAttributes(new URL(url)),
    'graphwarden.node': node,
    ...(resends > 0 && { 'http.request.resend_count': resends }),
  };
}

function answerOf({ status, bytes, peer, isCancelled }: MadeCall): SpanAttributes {
  const [, address, port] = /^(.*):(\d+)$/.exec(peer ?? '') ?? [];
  return {
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(bytes !== undefined && { 'graphwarden.response.decoded_size': bytes }),
    ...(address !== undefined && { 'network.peer.address': bare(address), 'network.peer.port': Number(port) }),
    ...(isCancelled && { 'graphwarden.cancelled': true }),
  };
}

/** The status where that is an error, or else the reason why there is no good answer: both are of a short list. */
function errorOf({ status = 0, failure, isCancelled }: MadeCall): string | undefined {
  if (isCancelled) return undefined;
  return status >= 400 ? String(status) : failure;
}
