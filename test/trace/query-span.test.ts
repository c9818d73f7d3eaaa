import { describe, expect, it } from 'vitest';
import type { ListedQuery } from '../../src/model/query.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { type QueryOrigin, querySpan } from '../../src/trace/query-span.ts';
import type { EndedQuery } from '../../src/trace/query-tracking.ts';
import { querySpanContext } from '../../src/trace/span-context.ts';

const arrived = 1_790_000_000_723;
const id = `131087.RESTPP_1_1.${arrived}.N`;
const origin: QueryOrigin = { cluster: 'prod', node: 'm1', url: 'http://10.0.0.1:14240', offset: 0 };

/** A query that was last listed at `age`, which was so many milliseconds after it arrived. */
function ended(listed: Partial<ListedQuery>, after: number, more: Partial<EndedQuery> = {}): EndedQuery {
  const query: ListedQuery = { state: 'running', id, graph: 'fraud', query: 'ring_scan', kind: 'installed', ...listed };
  const lastSeen = { wall: arrived + after, mono: after };
  const firstSeen = { wall: arrived + 1000, mono: 1000 };
  return { query, firstSeen, lastSeen, missedAt: lastSeen, isEndUnknown: false, outcome: 'ended', ...more };
}

describe('the span of a query', () => {
  it('has the attributes of the database conventions, without client input', () => {
    const span = querySpan(ended({ age: 30_000, grantedTimeout: 60_000 }, 30_000), origin, digest);
    expect(span).toEqual({
      resource: { 'service.name': 'graphdb', 'service.namespace': 'prod', 'service.instance.id': 'm1' },
      ...querySpanContext('prod', id, digest),
      name: 'RUN QUERY ring_scan',
      kind: 'server',
      start: arrived,
      end: arrived + 30_000,
      attributes: {
        'db.system.name': 'graphdb',
        'db.namespace': 'fraud',
        'db.operation.name': 'RUN QUERY',
        'db.stored_procedure.name': 'ring_scan',
        'db.query.summary': 'RUN QUERY ring_scan',
        'server.address': '10.0.0.1',
        'server.port': 14240,
        'graphwarden.cluster': 'prod',
        'graphwarden.node': 'm1',
        'graphwarden.instance': 'RESTPP_1_1',
        'graphwarden.query.id': id,
        'graphwarden.query.outcome': 'ended',
        'graphwarden.query.queued_seconds': 0,
        'graphwarden.query.granted_timeout_seconds': 60,
      },
      events: [],
      links: [],
    });
  });

  it.each([
    { age: 30_000, after: 30_000, offset: 0, start: 0, queued: 0 },
    { age: 30_000, after: 42_000, offset: 0, start: 0, queued: 12 },
    { age: 30_000, after: 30_900, offset: 0, start: 900, queued: 0 },
    { age: 30_000, after: 42_000, offset: undefined, start: 12_000, queued: 0 },
    { age: 30_000, after: 7_242_000, offset: 7_200_000, start: 7_200_000, queued: 12 },
    { age: 30_000, after: -15_000, offset: -45_000, start: -45_000, queued: 0 },
    // The clock stands other than is thought: what the server measured rules.
    { age: 30_000, after: 30_000, offset: 5000, start: 0, queued: 0 },
    // A server that measured nothing.
    { age: undefined, after: 30_000, offset: undefined, start: 1000, queued: 0 },
    { age: undefined, after: 30_000, offset: -600, start: -600, queued: 1.6 },
  ])('begins by the local clock: %j', ({ age, after, offset, start, queued }) => {
    const span = querySpan(ended(age === undefined ? {} : { age }, after), { ...origin, offset }, digest);
    expect(span.start - arrived).toBe(start);
    expect(span.end - arrived).toBe(after);
    expect(span.attributes['graphwarden.query.queued_seconds']).toBe(queued);
  });

  it.each([
    { outcome: 'expired', type: 'timeout', error: 'the query exceeded its timeout' },
    { outcome: 'aborted', policy: 'runaway', type: 'aborted', error: 'the query was aborted', reported: 'runaway' },
    { outcome: 'aborted', policy: '', type: 'aborted', error: 'the query was aborted', reported: 'operator' },
    { outcome: 'lost' },
  ] as const)('has the end of the query: %j', (one) => {
    const { outcome, policy, type, error, reported } = {
      policy: undefined,
      type: undefined,
      error: undefined,
      reported: undefined,
      ...one,
    };
    const span = querySpan(
      ended({ age: 1000 }, 1000, { outcome, ...(policy === undefined ? {} : { policy }) }),
      origin,
      digest,
    );
    expect(span.error).toBe(error);
    expect(span.attributes['error.type']).toBe(type);
    expect(span.attributes['graphwarden.query.outcome']).toBe(outcome);
    expect(span.attributes['graphwarden.query.policy']).toBe(reported);
  });

  it.each([
    [{ kind: 'interpreted', query: 'interpreted', graph: '' }, 'INTERPRET QUERY', 'INTERPRET QUERY'],
    [{ kind: 'interpreted', query: 'interpreted', graph: 'fraud' }, 'INTERPRET QUERY fraud', 'INTERPRET QUERY'],
    [{ kind: 'builtin', query: 'shortestpath', graph: 'fraud' }, 'CALL shortestpath', 'CALL shortestpath'],
  ] as const)('of %j is named after the query', (listed, name, summary) => {
    const span = querySpan(ended(listed, 1000), origin, digest);
    expect([span.name, span.attributes['db.query.summary']]).toEqual([name, summary]);
    expect(span.attributes['db.stored_procedure.name']).toBe(undefined);
    expect(span.attributes['db.namespace']).toBe(listed.graph === '' ? undefined : 'fraud');
  });

  it('omits unknown attributes', () => {
    const span = querySpan(ended({ id: 'odd', graph: '' }, 5000), { ...origin, url: undefined }, digest);
    const known = Object.keys(span.attributes);
    const unknown = ['server.address', 'server.port', 'graphwarden.instance', 'db.namespace', 'error.type'];
    expect(known.filter((name) => unknown.includes(name))).toEqual([]);
    const plain = querySpan(ended({}, 5000), { ...origin, url: 'https://graph.example.org' }, digest);
    expect([plain.attributes['server.address'], plain.attributes['server.port']]).toEqual(['graph.example.org', 443]);
  });
});
