import { arrivalOf, readRequestId } from '../graphdb/request-id.ts';
import type { Digest } from '../kernel/digest.ts';
import { inSeconds, type Millis } from '../kernel/time.ts';
import type { ListedQuery } from '../model/query.ts';
import type { Span, SpanAttributes } from '../model/span.ts';
import { queryTrace } from './places.ts';
import type { EndedQuery } from './query-lives.ts';
import { serverAttributes } from './server-attributes.ts';

/** Where a query ran. */
export interface QueryPlace {
  readonly cluster: string;
  readonly node: string;
  /** Of the node; undefined where it is gone by now. */
  readonly url: string | undefined;
  /** To be taken from our time to get the node's; undefined where that is not known. */
  readonly offset: Millis | undefined;
}

/** What measuring the offset of a clock may be out by, so that a shorter wait is none. */
const noise: Millis = 1000;

const operations = { installed: 'RUN QUERY', interpreted: 'INTERPRET QUERY', builtin: 'CALL' } as const;

const troubles = { expired: 'it ran into its time-out', aborted: 'it was aborted' } as const;

/** A query of the database as a span, by the conventions for databases: never what its client wrote. */
export function querySpan(ended: EndedQuery, place: QueryPlace, digest: Digest): Span {
  const { query, lastSeen, outcome } = ended;
  const begun = query.age === undefined ? ended.firstSeen.wall : lastSeen.wall - query.age;
  const start = Math.min(arrival(query.id, place.offset, begun) ?? begun, lastSeen.wall);
  const operation = operations[query.kind];
  return {
    ...queryTrace(place.cluster, query.id, digest),
    name: `${operation} ${query.kind === 'interpreted' ? query.graph : query.query}`.trim(),
    kind: 'server',
    start,
    end: lastSeen.wall,
    attributes: {
      ...databaseAttributes(query, operation),
      ...placeAttributes(query, place),
      ...lifeAttributes(ended, begun - start),
    },
    events: [],
    links: [],
    ...(outcome === 'expired' || outcome === 'aborted' ? { error: troubles[outcome] } : {}),
  };
}

/** By our clock. What the id tells is believed as far as the server's own measure of the running time allows. */
function arrival(id: string, offset: Millis | undefined, begun: number): number | undefined {
  const arrivedAt = arrivalOf(id);
  if (arrivedAt === undefined || offset === undefined) return undefined;
  const at = arrivedAt + offset;
  return begun - at > noise ? at : undefined;
}

function databaseAttributes({ graph, query, kind }: ListedQuery, operation: string): SpanAttributes {
  return {
    'db.system.name': 'graphdb',
    ...(graph === '' ? {} : { 'db.namespace': graph }),
    'db.operation.name': operation,
    ...(kind === 'installed' ? { 'db.stored_procedure.name': query } : {}),
    'db.query.summary': kind === 'interpreted' ? operation : `${operation} ${query}`,
  };
}

function placeAttributes({ id }: ListedQuery, { cluster, node, url }: QueryPlace): SpanAttributes {
  const address = url === undefined ? null : URL.parse(url);
  const instance = readRequestId(id)?.instance;
  return {
    ...(address === null ? {} : serverAttributes(address)),
    'graphwarden.cluster': cluster,
    'graphwarden.node': node,
    ...(instance === undefined ? {} : { 'graphwarden.instance': instance }),
    'graphwarden.query.id': id,
  };
}

function lifeAttributes({ query, outcome, policy }: EndedQuery, queued: Millis): SpanAttributes {
  const { grantedTimeout } = query;
  return {
    'graphwarden.query.outcome': outcome,
    ...(outcome === 'expired' ? { 'error.type': 'timeout' } : {}),
    ...(outcome === 'aborted' ? { 'error.type': 'aborted' } : {}),
    ...(policy === undefined ? {} : { 'graphwarden.query.policy': policy === '' ? 'operator' : policy }),
    'graphwarden.query.queued_seconds': inSeconds(queued),
    ...(grantedTimeout === undefined ? {} : { 'graphwarden.query.granted_timeout_seconds': inSeconds(grantedTimeout) }),
  };
}
