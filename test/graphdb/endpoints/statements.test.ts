import { describe, expect, it } from 'vitest';
import { fetchStatements } from '../../../src/graphdb/endpoints/statements.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, type Exchange, FakePool } from '../../support/fake-pool.ts';

const path = 'GET /gsql/v1/statements';

function read(configured: Readonly<Record<string, string>>, exchanges: readonly Exchange[], serverVersion = '4.1') {
  return fetchStatements(callerOver(new FakePool(...exchanges), { serverVersion }), configured, neverAborted());
}

async function stateOf(body: object): Promise<string | undefined> {
  return factsOf(await read({ a: '1.2' }, [[`${path}/1.2`, answer(body)]]))[0]?.state;
}

describe('asynchronous statements', () => {
  it.each([
    ['4.1', '/gsql/v1/statements'],
    ['3.9', '/gsqlserver/gsql/statements'],
  ])('are requested one by one by their ids, in the path form of %s', async (version, prefix) => {
    const done = answer({
      endTime: 'Wed Jul 10 06:12:47 UTC 2024',
      error: false,
      message: 'SUCCESS',
      results: 'CANARY',
    });
    const exchanges = ['1.2', 'x-3'].map((id): Exchange => [`GET ${prefix}/${id}`, done]);
    expect(factsOf(await read({ a: '1.2', b: 'x-3' }, exchanges, version))).toEqual([
      { name: 'a', state: 'finished' },
      { name: 'b', state: 'finished' },
    ]);
  });

  it.each([
    ['finished', { error: false, message: 'Status: SUCCESS' }],
    ['finished', { error: false, message: '', endTime: 'now' }],
    ['running', { error: false, message: 'RUNNING' }],
    ['running', { error: 'false', message: null, endTime: null, newField: [1] }],
    ['running', { error: false, endTime: {} }],
    ['failed', { error: true, message: 'SUCCESS' }],
    ['failed', { error: 'true' }],
    ['failed', { error: false, message: 'Status: FAILED' }],
    ['failed', { error: false, message: 'cancelled', endTime: 'now' }],
    ['finished', { error: false, message: 'SUCCESS: 0 errors' }],
    ['unknown', { error: true, message: 'The request id 1.2 does not exist.' }],
    ['unknown', { error: true, message: 'GSQL server is not ready' }],
    ['failed', { error: true, message: 'Graph fraud does not exist.', endTime: 'now' }],
  ])('are %s for %j', async (state, body) => {
    expect(await stateOf(body)).toBe(state);
  });

  it('are unknown if the server does not know their id', async () => {
    const exchanges: readonly Exchange[] = [
      [`${path}/1`, answer({ error: true, message: 'no' }, 404)],
      [`${path}/2`, answer({ error: false, message: 'RUNNING' })],
    ];
    expect(factsOf(await read({ a: '1', b: '2' }, exchanges)).map(({ state }) => state)).toEqual([
      'unknown',
      'running',
    ]);
  });

  it.each([
    [401, 'auth'],
    [403, 'auth'],
    [404, 'unsupported'],
    [500, 'status'],
  ] as const)('are a failure if all have the status %i: %s', async (status, reason) => {
    const exchange: Exchange = [`${path}/1`, answer({ error: true, message: 'no' }, status)];
    expect(failureOf(await read({ a: '1' }, [exchange])).reason).toBe(reason);
  });

  it('fail with the reason body for a reply without a state', async () => {
    expect(failureOf(await read({ a: '1' }, [[`${path}/1`, answer({ results: [] })]])).reason).toBe('body');
  });

  it('send no request without configured statements', async () => {
    expect(factsOf(await read({}, []))).toEqual([]);
  });

  it.each(['../x', 'a/b', '', '..', 'a?b'])('are not requested for the id %j', async (id) => {
    expect(failureOf(await read({ a: id }, [])).reason).toBe('unsupported');
  });
});
