import { describe, expect, it } from 'vitest';
import { fetchGraphSize } from '../../../src/graphdb/endpoints/graph-size.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const envelope = { version: { api: 'v2', schema: 0 }, error: false, message: '' };

function read(vertices: object, edges: object = { results: [] }, serverVersion = '4.1') {
  const request = `POST ${serverVersion === '4.1' ? '/restpp' : ''}/builtins/fraud`;
  const replies = [vertices, edges].map((body) => [request, answer({ ...envelope, ...body })] as const);
  const pool = new FakePool(...replies);
  return { pool, size: fetchGraphSize(callerOver(pool, { serverVersion }), 'fraud', neverAborted()) };
}

describe('the size of a graph', () => {
  it.each(['4.1', '3.9'])('is requested from the cache of the server, in the path form of %s', async (version) => {
    const { pool, size } = read(
      { results: [{ v_type: 'User', count: 4 }] },
      { results: [{ e_type: 'Liked', count: '9' }] },
      version,
    );
    expect(factsOf(await size)).toEqual({
      graph: 'fraud',
      vertices: [{ type: 'User', count: 4 }],
      edges: [{ type: 'Liked', count: 9 }],
    });
    expect(pool.requests.map(({ body }) => body)).toEqual([
      '{"function":"stat_vertex_number","type":"*"}',
      '{"function":"stat_edge_number","type":"*"}',
    ]);
    for (const { path } of pool.requests) expect(path).not.toMatch(/realtime|\?/);
  });

  it('ignores unknown fields', async () => {
    const { size } = read({ results: [{ v_type: 'A', count: 1, since: 'new' }], more: {} }, { results: null });
    expect(factsOf(await size)).toMatchObject({ vertices: [{ type: 'A', count: 1 }], edges: [] });
  });

  it.each([
    { e_type: 'B' },
    { count: 3 },
    { e_type: '', count: 3 },
    { e_type: 'C', count: -1 },
    { e_type: 'D', count: 'many' },
    { e_type: 'x'.repeat(2000), count: 1 },
    7,
    null,
  ])('fails with the reason body if an entry is invalid, because the total would be too low: $0', async (invalid) => {
    const { size } = read({ results: [] }, { results: [{ e_type: 'A', count: 1 }, invalid] });
    expect(failureOf(await size)).toMatchObject({
      reason: 'body',
      message: expect.stringMatching(/^POST \/restpp\/builtins\/\{graph\} on m1: 1 of \d entries are invalid$/),
    });
  });

  it.each(['"><b>', 'a\nb', '__proto__', 'ö'])('accepts the type %j', async (type) => {
    const { size } = read({ results: [{ v_type: type, count: 1 }] });
    expect(factsOf(await size).vertices).toEqual([{ type, count: 1 }]);
  });

  it.each([
    [403, 'auth'],
    [404, 'unsupported'],
    [500, 'status'],
  ] as const)('is a failure for the status %i: %s', async (status, reason) => {
    const pool = new FakePool(['POST /restpp/builtins/fraud', answer({ error: true }, status)]);
    const caller = callerOver(pool, { serverVersion: '4.1' });
    expect(failureOf(await fetchGraphSize(caller, 'fraud', neverAborted())).reason).toBe(reason);
  });

  it('fails with the reason body for an answer without a list', async () => {
    const pool = new FakePool(['POST /restpp/builtins/fraud', answer({ ...envelope, results: { User: 4 } })]);
    const failure = failureOf(
      await fetchGraphSize(callerOver(pool, { serverVersion: '4.1' }), 'fraud', neverAborted()),
    );
    expect(failure.message).toBe('POST /restpp/builtins/{graph} on m1: the response contains no list of results');
  });

  it.each(['../clear-store', 'a b', ''])('is not requested for the graph %j', async (graph) => {
    const caller = callerOver(new FakePool(), { serverVersion: '4.1' });
    expect(failureOf(await fetchGraphSize(caller, graph, neverAborted())).reason).toBe('unsupported');
  });
});
