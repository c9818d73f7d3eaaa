import { describe, expect, it } from 'vitest';
import { pathOf } from '../../src/graphdb/call-paths.ts';
import { type CallName, calls, describeCall, headersOf, prefixOf } from '../../src/graphdb/calls.ts';

const names = Object.keys(calls) as CallName[];

describe('the table of calls', () => {
  it('contains every request to a server', () => {
    expect(names.map(describeCall)).toEqual([
      'GET /api/ping',
      'GET /restpp/echo',
      'GET /restpp/version',
      'GET /gsql/v1/version',
      'GET /gsql/v1/schema/graphs',
      'GET /gsql/v1/schema',
      'GET /gsql/v1/schema/indexes',
      'GET /gsql/v1/schema/jobs',
      'GET /restpp/endpoints',
      'GET /informant/metrics',
      'POST /informant/metrics/get/{category}',
      'GET /ts3/api/datapoints',
      'POST /informant/current-service-status',
      'GET /restpp/statistics/{graph}',
      'GET /restpp/showprocesslistall',
      'GET /restpp/showprocesslist/{graph}',
      'GET /restpp/showdelayedlistall',
      'GET /restpp/query_status',
      'POST /restpp/workload-manager/queuestatus',
      'POST /restpp/builtins/{graph}',
      'GET /gsql/v1/queries/info',
      'GET /restpp/query/{graph}/{query}',
      'POST /gsql/v1/queries/interpret',
      'POST /restpp/query/{graph}/{query}',
      'POST /gsql/v1/library/{template}',
      'GET /restpp/graph/{graph}/vertices/{vertexType}/{vertexId}',
      'GET /restpp/graph/{graph}/edges/{sourceType}/{sourceId}',
      'GET /restpp/graph/{graph}/edges/{sourceType}/{sourceId}/{edgeType}',
      'GET /restpp/graph/{graph}/edges/{sourceType}/{sourceId}/{edgeType}/{targetType}',
      'GET /restpp/graph/{graph}/edges/{sourceType}/{sourceId}/{edgeType}/{targetType}/{targetId}',
      'POST /restpp/shortestpath/{graph}',
      'POST /restpp/allpaths/{graph}',
      'POST /restpp/ddl/{graph}',
      'GET /restpp/graph/{graph}/vertices/graphwarden_heartbeat/{rowId}',
      'DELETE /restpp/graph/{graph}/vertices/graphwarden_heartbeat/{rowId}',
      'GET /gsql/v1/loading-jobs/status',
      'GET /gsql/v1/data-sources',
      'GET /restpp/vector/status/{graph}',
      'GET /gsql/v1/udt/files/{file}',
      'GET /gsql/v1/library/.*',
      'GET /gsql/v1/udt/tuples',
      'GET /gsql/v1/stats/cardinality',
      'GET /gsql/v1/users',
      'GET /gsql/v1/groups',
      'GET /gsql/v1/roles',
      'GET /gsql/v1/statements/{requestId}',
      'GET /gsql/scim/v2/Users',
      'GET /gsql/scim/v2/Groups',
      'GET /restpp/showlicenseinfo',
      'GET /restpp/data_consistency_check',
      'GET /restpp/deleted_vertex_check',
      'POST /restpp/rebuildnow/{graph}',
      'DELETE /gsqlserver/gsql/expiredtoken',
      'POST /gsql/v1/tokens',
      'POST /restpp/requesttoken',
    ]);
  });

  it('contains no call that changes a server, except the row of the heartbeat and scheduled tasks', () => {
    const changing = names.filter((name) => /abort|rebuild|clear|drop|delete\b|install|ddl/i.test(describeCall(name)));
    expect(changing).toEqual(['loadHeartbeat', 'deleteHeartbeat', 'rebuildGraph', 'removeExpiredTokens']);
    expect(calls.removeExpiredTokens.bodiless).toBe(true);
    expect(calls.loadHeartbeat.fixed).toMatchObject({
      tag: 'graphwarden_heartbeat',
      filename: 'heartbeat',
      ack: 'all',
    });
  });

  it('sends no credentials to a call that needs none', () => {
    const open = names.filter((name) => calls[name].auth === 'none').map(describeCall);
    expect(open).toEqual(['GET /api/ping', 'POST /gsql/v1/tokens', 'POST /restpp/requesttoken']);
  });

  it('sends the credentials of the informant to the informant only', () => {
    const ofInformant = names.filter((name) => calls[name].auth === 'informant').map(describeCall);
    expect(ofInformant).toEqual(names.map(describeCall).filter((call) => call.includes(' /informant/')));
  });
});

describe('pathOf', () => {
  it.each([
    ['ping', '/api/ping', '/api/ping'],
    ['echo', '/restpp/echo', '/echo'],
    ['schemaGraphs', '/gsql/v1/schema/graphs', '/gsqlserver/gsql/schema/graphs'],
    ['informantMetrics', '/informant/metrics', '/informant/metrics'],
    ['requestToken', '/restpp/requesttoken', '/requesttoken'],
    ['loadingRuns', '/gsql/v1/loading-jobs/status', '/gsqlserver/gsql/loading-jobs?action=getprogress'],
  ] as const)('puts the prefix of each form before %s', (name, current, older) => {
    expect([pathOf(name, {}, 'current'), pathOf(name, {}, 'older')]).toEqual([current, older]);
  });

  it('returns the prefix for callers that build their own path', () => {
    const forms = ['current', 'older'] as const;
    expect(forms.map((form) => prefixOf('restpp', form))).toEqual(['/restpp', '']);
    expect(forms.map((form) => prefixOf('gsql', form))).toEqual(['/gsql/v1', '/gsqlserver/gsql']);
  });

  it('fills in segments and query', () => {
    const input = { segments: { graph: 'fraud' }, query: { seconds: '60', odd: 'a b&c' } };
    expect(pathOf('statistics', input, 'current')).toBe('/restpp/statistics/fraud?seconds=60&odd=a+b%26c');
  });

  it('keeps the fixed parameters of an older path with any input', () => {
    const input = { query: { graph: 'fraud', action: 'abort' } };
    expect(pathOf('loadingRuns', input, 'older')).toBe('/gsqlserver/gsql/loading-jobs?graph=fraud&action=getprogress');
  });

  it.each(['', '.', '..', 'a/b', '../x', 'a?b', 'a#b', 'a b', 'ä', '%2e%2e', 'a\r\nb', 'x'.repeat(129)])(
    'rejects the segment %j',
    (graph) => {
      expect(pathOf('statistics', { segments: { graph } }, 'current')).toBeUndefined();
    },
  );
});

describe('a call with several parts of the path', () => {
  const segments = { graph: 'fraud', query: 'outliers' };

  it('has no path if one of them is missing', () => {
    expect(pathOf('runQuery', { segments }, 'older')).toBe('/query/fraud/outliers');
    expect(pathOf('runQuery', { segments: { graph: 'fraud' } }, 'current')).toBeUndefined();
  });

  it('repeats a parameter', () => {
    const parameters = ['a b', 'c&d'].map((value) => ({ name: 'id', value }));
    expect(pathOf('runQuery', { segments, parameters }, 'current')).toBe(
      '/restpp/query/fraud/outliers?id=a+b&id=c%26d',
    );
  });

  it('may have another path in older versions', () => {
    expect(pathOf('interpretQuery', {}, 'older')).toBe('/gsqlserver/interpreted_query');
  });
});

it('headersOf adds the headers of the call to those of every request, and the type of the body', () => {
  const limits = { 'GSQL-TIMEOUT': '5' };
  expect(headersOf('runQuery', { headers: limits }, undefined)).toEqual({
    ...limits,
    'user-agent': 'graphwarden',
    'accept-encoding': 'gzip',
  });
  expect(headersOf('interpretQuery', { text: 'x' }, undefined)).toMatchObject({ 'content-type': 'text/plain' });
  expect(headersOf('tokens', { body: {} }, undefined)).toMatchObject({ 'content-type': 'application/json' });
});
