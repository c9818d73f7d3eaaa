import { describe, expect, it } from 'vitest';
import { fetchVectorStatus } from '../../../src/graphdb/endpoints/vector-status.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const request = 'GET /restpp/vector/status/fraud';

function read(body: unknown, status = 200): ReturnType<typeof fetchVectorStatus> {
  const pool = new FakePool([request, answer(body, status)]);
  return fetchVectorStatus(callerOver(pool, { serverVersion: '4.2' }), 'fraud', neverAborted());
}

function success(results: unknown): object {
  const version = { edition: 'enterprise', api: 'v2', schema: 0 };
  return { version, error: false, message: 'fetched status success', results, code: 'REST-0000' };
}

describe('the status of vector indexes', () => {
  it.each([
    ['with the name of one engine', success({ NeedRebuildServers: ['GPE_1#1'] }), 1],
    ['with the name of no engine', success({ NeedRebuildServers: [] }), 0],
    [
      'with an invalid name and an unknown field',
      success({ NeedRebuildServers: ['GPE_1#1', '"><b>\n'], new_field: {} }),
      2,
    ],
    ['with the status Ready_for_query', { status: 'Ready_for_query' }, 0],
    ['with the status Rebuild_processing', { status: 'Rebuild_processing' }, 1],
    ['with Ready_for_query true', { Ready_for_query: true }, 0],
    ['with Ready_for_query "false"', { Ready_for_query: 'false' }, 1],
  ])('counts the rebuilding engines of a reply %s', async (_, body, rebuilding) => {
    expect(factsOf(await read(body))).toEqual({ graph: 'fraud', rebuilding });
  });

  it('has no prefix before 4.0', async () => {
    const pool = new FakePool(['GET /vector/status/fraud', answer(success({ NeedRebuildServers: [] }))]);
    const caller = callerOver(pool, { serverVersion: '3.9' });
    expect(factsOf(await fetchVectorStatus(caller, 'fraud', neverAborted())).rebuilding).toBe(0);
  });

  it.each([success({}), success([]), success(null), {}, { NeedRebuildServers: 3 }])(
    'fails with the reason body for %j',
    async (body) => {
      expect(failureOf(await read(body)).reason).toBe('body');
    },
  );

  it.each([
    [403, 'auth'],
    [404, 'unsupported'],
  ] as const)('is a failure for the status %i: %s', async (status, reason) => {
    expect(failureOf(await read({ error: true }, status)).reason).toBe(reason);
  });

  it.each(['../drop-all', 'a/b', ''])('is not requested for the graph %j', async (graph) => {
    const caller = callerOver(new FakePool(), { serverVersion: '4.2' });
    expect(failureOf(await fetchVectorStatus(caller, graph, neverAborted())).reason).toBe('unsupported');
  });
});
