import { arrivalTime, parseRequestId } from '../graphdb/query-identity.ts';
import type { Digest } from '../kernel/system.ts';
import { type Millis, toSeconds } from '../kernel/time.ts';
import type { ListedQuery } from '../model/query.ts';
import type { Span, SpanAttributes } from '../model/span.ts';
import { serverAttributes } from './call-span.ts';
import type { EndedQuery } from './query-tracking.ts';
import { querySpanContext } from './span-context.ts';

/** Where a query ran. */
export interface QueryOrigin {
  readonly cluster: string;
  readonly node: string;
  /** URL of the node; undefined if the node was removed. */
  readonly url: string | undefined;
  /** Time of this process minus that of the node; undefined if it is unknown. */
  readonly offset: Millis | undefined;
}

/** Maximum error of a measured clock offset; a shorter wait counts as none. */
const clockOffsetError: Millis = 1000;

const operations = { installed: 'RUN QUERY', interpreted: 'INTERPRET QUERY', builtin: 'CALL' } as const;

const failedOutcomes = { expired: 'the query exceeded its timeout', aborted: 'the query was aborted' } as const;

/** Returns the span of a database query, by the conventions for databases, without parameters and texts. */
export function querySpan(ended: EndedQuery, origin: QueryOrigin, digest: Digest): Span {
  const { query, lastSeen, outcome } = ended;
  const begun = query.age === undefined ? ended.firstSeen.wall : lastSeen.wall - query.age;
  const start = Math.min(estimatedArrival(query.id, origin.offset, begun) ?? begun, lastSeen.wall);
  const operation = operations[query.kind];
  return {
    ...querySpanContext(origin.cluster, query.id, digest),
    name: `${operation} ${query.kind === 'interpreted' ? query.graph : query.query}`.trim(),
    kind: 'server',
    start,
    end: lastSeen.wall,
    attributes: {
      ...databaseAttributes(query, operation),
      ...originAttributes(query, origin),
      ...lifetimeAttributes(ended, begun - start),
    },
    resource: databaseResource(origin),
    events: [],
    links: [],
    ...(outcome === 'expired' || outcome === 'aborted' ? { error: failedOutcomes[outcome] } : {}),
  };
}

/**
 * Returns when the query arrived, by the clock of this process, from the time in its request id; undefined if it is unknown
 * or not clearly before `begun`, when the query began to run.
 */
function estimatedArrival(id: string, offset: Millis | undefined, begun: number): number | undefined {
  const arrivedAt = arrivalTime(id);
  if (arrivedAt === undefined || offset === undefined) return undefined;
  const at = arrivedAt + offset;
  return begun - at > clockOffsetError ? at : undefined;
}

/** Returns the node as the service of the span, because the query runs there. */
function databaseResource({ cluster, node }: QueryOrigin): NonNullable<Span['resource']> {
  return { 'service.name': 'graphdb', 'service.namespace': cluster, 'service.instance.id': node };
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

function originAttributes({ id }: ListedQuery, { cluster, node, url }: QueryOrigin): SpanAttributes {
  const address = url === undefined ? null : URL.parse(url);
  const instance = parseRequestId(id)?.instance;
  return {
    ...(address === null ? {} : serverAttributes(address)),
    'graphwarden.cluster': cluster,
    'graphwarden.node': node,
    ...(instance === undefined ? {} : { 'graphwarden.instance': instance }),
    'graphwarden.query.id': id,
  };
}

function lifetimeAttributes({ query, outcome, policy }: EndedQuery, queued: Millis): SpanAttributes {
  const { grantedTimeout } = query;
  return {
    'graphwarden.query.outcome': outcome,
    ...(outcome === 'expired' ? { 'error.type': 'timeout' } : {}),
    ...(outcome === 'aborted' ? { 'error.type': 'aborted' } : {}),
    ...(policy === undefined ? {} : { 'graphwarden.query.policy': policy === '' ? 'operator' : policy }),
    'graphwarden.query.queued_seconds': toSeconds(queued),
    ...(grantedTimeout === undefined ? {} : { 'graphwarden.query.granted_timeout_seconds': toSeconds(grantedTimeout) }),
  };
}
