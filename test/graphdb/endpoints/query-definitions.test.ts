import { describe, expect, it } from 'vitest';
import { fetchQueryDefinitions } from '../../../src/graphdb/endpoints/query-definitions.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const current = 'GET /gsql/v1/queries/info?graph=fraud';

function read(results: unknown, request = current, serverVersion = '4.1'): ReturnType<typeof fetchQueryDefinitions> {
  const pool = new FakePool([request, answer({ error: false, message: '', results })]);
  return fetchQueryDefinitions(callerOver(pool, { serverVersion }), 'fraud', neverAborted());
}

const documented = {
  name: 'ring_scan',
  installed: true,
  installing: false,
  enabled: true,
  isHidden: false,
  isACLSpecified: false,
  graphUpdate: false,
  status: 'VALID',
  syntax: 'GSQL',
  code: 'CREATE QUERY ring_scan() { }',
  callerQueries: [],
  endpoint: { query: { fraud: { ring_scan: {} } } },
};

describe('the definitions of queries', () => {
  it.each([
    ['4.1', current],
    ['3.9', 'GET /gsqlserver/gsql/queries/info?graph=fraud'],
  ])('are requested for a graph, in the path form of %s, and come without the text', async (version, request) => {
    expect(factsOf(await read([documented], request, version))).toEqual([
      { graph: 'fraud', name: 'ring_scan', state: 'installed' },
    ]);
  });

  it.each([
    ['installing', { installing: true, status: 'INVALID' }],
    ['invalid', { status: 'INVALID', enabled: false }],
    ['invalid', { status: 'ANY_NEW_WORD' }],
    ['disabled', { enabled: false }],
    ['disabled', { enabled: 'false' }],
    ['draft', { installed: false }],
    ['installed', { status: null, enabled: null, installing: null }],
    ['installed', { new_field: { deep: [1] } }],
  ])('have the state %s for %j', async (state, fields) => {
    expect(factsOf(await read([{ ...documented, ...fields }]))).toMatchObject([{ state }]);
  });

  it('are drafts if all fields but the name are absent', async () => {
    expect(factsOf(await read([{ name: 'a' }]))).toEqual([{ graph: 'fraud', name: 'a', state: 'draft' }]);
  });

  it.each([{}, { name: '' }, { name: 7 }, { name: 'a', installed: 'perhaps' }, null, 'text'])(
    'fail with the reason body if one is invalid, because its query would seem to be dropped: %j',
    async (entry) => {
      expect(failureOf(await read([{ name: 'good' }, entry])).reason).toBe('body');
      expect(factsOf(await read([{ name: 'good' }])).map(({ name }) => name)).toEqual(['good']);
    },
  );

  it.each(['"><b>', 'a\nb', '__proto__', "it's"])('accept the name %j', async (name) => {
    expect(factsOf(await read([{ ...documented, name }]))).toMatchObject([{ name }]);
  });

  it.each([
    [401, 'auth'],
    [403, 'auth'],
    [404, 'unsupported'],
  ] as const)('are a failure for the status %i: %s', async (status, reason) => {
    const pool = new FakePool([current, answer({ error: true, message: 'no' }, status)]);
    const caller = callerOver(pool, { serverVersion: '4.1' });
    expect(failureOf(await fetchQueryDefinitions(caller, 'fraud', neverAborted())).reason).toBe(reason);
  });

  it('fail with the reason body for an answer without a list', async () => {
    expect(failureOf(await read({ ring_scan: documented })).reason).toBe('body');
  });

  it.each(['../drop-all', 'a&flag=-force', 'a b', '', '%2e'])('are not requested for the graph %j', async (graph) => {
    const caller = callerOver(new FakePool(), { serverVersion: '4.1' });
    const failure = failureOf(await fetchQueryDefinitions(caller, graph, neverAborted()));
    expect(failure).toMatchObject({ reason: 'unsupported' });
    expect(failure.message).toBe('GET /gsql/v1/queries/info on m1: the name of the graph is invalid');
  });
});
