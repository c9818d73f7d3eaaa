import { describe, expect, it } from 'vitest';
import { fetchCardinality } from '../../../src/graphdb/endpoints/cardinality.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const current = 'GET /gsql/v1/stats/cardinality?graph=fraud';

function read(results: unknown, request = current, serverVersion = '4.1'): ReturnType<typeof fetchCardinality> {
  const pool = new FakePool([request, answer({ error: false, message: '', results })]);
  return fetchCardinality(callerOver(pool, { serverVersion }), 'fraud', neverAborted());
}

const documented = {
  vertex_counts: [{ count: 5, type: 'Account' }],
  edge_counts: [
    { count: 5, type: 'isLocatedIn' },
    { count: 10, from: 'Account', to: 'City', type: 'isLocatedIn' },
    { count: 2, from: 'Account', to: 'Phone', type: 'has' },
    { count: 3, from: 'Person', to: 'Phone', type: 'has' },
  ],
};

describe('the stored cardinality', () => {
  it.each([
    ['4.1', current],
    ['3.9', 'GET /gsqlserver/gsql/stats/cardinality?graph=fraud'],
  ])('is requested in the path form of %s; parts count only where there is no total', async (version, request) => {
    expect(factsOf(await read(documented, request, version))).toEqual({
      graph: 'fraud',
      vertices: [{ type: 'Account', count: 5 }],
      edges: [
        { type: 'isLocatedIn', count: 5 },
        { type: 'has', count: 2 },
        { type: 'has', count: 3 },
      ],
    });
  });

  it('accepts absent and unknown fields', async () => {
    const empty = { graph: 'fraud', vertices: [], edges: [] };
    expect(factsOf(await read({}))).toEqual(empty);
    expect(factsOf(await read({ vertex_counts: null, new_field: [1] }))).toEqual(empty);
  });

  it('skips rows without a type or with other types', async () => {
    const rows = [
      {},
      { type: 'a' },
      { type: '', count: 1 },
      { type: 'a', count: -1 },
      null,
      { type: 'good', count: '7' },
    ];
    expect(factsOf(await read({ vertex_counts: rows })).vertices).toEqual([{ type: 'good', count: 7 }]);
  });

  it.each(['"><b>', 'a\nb', '__proto__'])('accepts the type %j', async (type) => {
    expect(factsOf(await read({ edge_counts: [{ type, count: 1 }] })).edges).toEqual([{ type, count: 1 }]);
  });

  it.each([
    [403, 'auth'],
    [404, 'unsupported'],
  ] as const)('is a failure for the status %i: %s', async (status, reason) => {
    const pool = new FakePool([current, answer({ error: true, message: 'no' }, status)]);
    const caller = callerOver(pool, { serverVersion: '4.1' });
    expect(failureOf(await fetchCardinality(caller, 'fraud', neverAborted())).reason).toBe(reason);
  });

  it.each([[[]], ['text'], [{ vertex_counts: {} }]])(
    'fails with the reason body for the results %j',
    async (results) => {
      expect(failureOf(await read(results)).reason).toBe('body');
    },
  );

  it.each(['../drop-all', 'a&vertex=b', ''])('is not requested for the graph %j', async (graph) => {
    const caller = callerOver(new FakePool(), { serverVersion: '4.1' });
    expect(failureOf(await fetchCardinality(caller, graph, neverAborted())).reason).toBe('unsupported');
  });
});
