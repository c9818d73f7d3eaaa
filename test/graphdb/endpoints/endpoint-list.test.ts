import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchEndpoints } from '../../../src/graphdb/endpoints/endpoint-list.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const recorded = readFileSync(join(import.meta.dirname, '../../fixtures/4.1/endpoints.json'), 'utf8');
const kinds = ['builtin', 'dynamic', 'static'] as const;

function read(dynamic: unknown, serverVersion = '4.1'): ReturnType<typeof fetchEndpoints> {
  const prefix = serverVersion === '4.1' ? '/restpp' : '';
  const pool = new FakePool(
    ...kinds.map(
      (kind) => [`GET ${prefix}/endpoints?${kind}=true`, answer(kind === 'dynamic' ? dynamic : {})] as const,
    ),
  );
  return fetchEndpoints(callerOver(pool, { serverVersion }), neverAborted());
}

describe('the list of endpoints', () => {
  it.each(['4.1', '3.9'])('is requested once for each kind, in the path form of %s', async (version) => {
    const items = factsOf(await read(recorded, version));
    expect(items).toEqual([
      {
        name: 'GET /query/fraud/ring_scan',
        kind: 'dynamic',
        graph: 'fraud',
        parts: ['depth INT64 default=4 count=0..1', 'query STRING default=ring_scan count=..'],
      },
      { name: 'POST /query/social/feed', kind: 'dynamic', graph: 'social', parts: [] },
      {
        name: 'GET /graph/{graph_name}/vertices/{vertex_type}',
        kind: 'dynamic',
        graph: '',
        parts: ['count_only BOOL default=false count=0..1'],
      },
    ]);
  });

  it('ignores unknown fields, and accepts absent ones', async () => {
    const body = {
      'GET /query/g/a': { parameters: { p: { type: 'INT64', new_field: [1] }, q: 7 }, unknown: { deep: true } },
      'GET /query/g/b': {},
      'GET /query/g/c': { parameters: null },
      message: 'text of an envelope',
      'GET no path': {},
      'GET /not/an/object': 'text',
    };
    const items = factsOf(await read(body));
    expect(items.map(({ name, parts }) => [name, parts])).toEqual([
      ['GET /query/g/a', ['p INT64 default= count=..', 'q  default= count=..']],
      ['GET /query/g/b', []],
      ['GET /query/g/c', []],
    ]);
  });

  it('has the same name with and without the prefix of the path', async () => {
    const items = factsOf(await read({ 'GET /restpp/query/fraud/a': {} }));
    expect(items).toEqual([{ name: 'GET /query/fraud/a', kind: 'dynamic', graph: 'fraud', parts: [] }]);
  });

  it.each(['__proto__', '"><b>', 'a\u0000b', 'x'.repeat(300)])('rejects the graph name «$0»', async (graph) => {
    const items = factsOf(await read({ 'GET /echo': {}, [`GET /query/${graph}/a`]: {} }));
    for (const item of items) expect(['', '__proto__']).toContain(item.graph);
  });

  it('bounds the parameters of an endpoint and the length of its name', async () => {
    const parameters = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`p${at}`, {}]));
    const body = { 'GET /query/g/a': { parameters }, [`GET /${'x'.repeat(2000)}`]: {} };
    const items = factsOf(await read(body));
    expect(items.map(({ parts }) => parts.length)).toEqual([200]);
  });

  it('is empty for empty lists', async () => {
    expect(factsOf(await read({}))).toEqual([]);
  });

  it.each([
    [403, 'auth'],
    [404, 'unsupported'],
  ] as const)('is a failure for the status %i: %s', async (status, reason) => {
    const pool = new FakePool(['GET /restpp/endpoints?builtin=true', answer({ error: true }, status)]);
    expect(failureOf(await fetchEndpoints(callerOver(pool, { serverVersion: '4.1' }), neverAborted())).reason).toBe(
      reason,
    );
  });

  it('fails with the reason body for an object without endpoints', async () => {
    const pool = new FakePool(['GET /restpp/endpoints?builtin=true', answer({ results: [] })]);
    const failure = failureOf(await fetchEndpoints(callerOver(pool, { serverVersion: '4.1' }), neverAborted()));
    expect(failure).toMatchObject({ reason: 'body' });
    expect(failure.message).toBe('GET /restpp/endpoints on m1: 1 of 1 entries are invalid');
  });
});
