import { describe, expect, it } from 'vitest';
import { fetchStatistics } from '../../../src/graphdb/endpoints/statistics.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const request = 'GET /restpp/statistics/fraud?seconds=60&segments=100';

function read(body: unknown, status = 200): ReturnType<typeof fetchStatistics> {
  const caller = callerOver(new FakePool([request, answer(body, status)]), { serverVersion: '4.1' });
  return fetchStatistics(caller, 'fraud', neverAborted());
}

const zero = { completed: 0, timeouts: 0, perSecond: 0, average: 0, minimum: 0, maximum: 0, percentiles: [] };

describe('statistics', () => {
  it('have zero for absent numbers', async () => {
    expect(factsOf(await read({ 'GET /query/fraud/q': {} }))).toEqual([
      { graph: 'fraud', method: 'GET', path: '/query/fraud/q', ...zero },
    ]);
  });

  it('identify an endpoint by method and path', async () => {
    const body = {
      version: {},
      message: '',
      GET: {},
      'get /x': {},
      'GET x': {},
      'DELETE /graph/{g}/x': {},
      'GET /a b': {},
    };
    expect(factsOf(await read(body)).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'DELETE /graph/{g}/x',
      'GET /a b',
    ]);
  });

  it('drop an endpoint with an invalid record', async () => {
    const body = {
      'GET /a': 7,
      'GET /b': { CompletedRequests: 'many' },
      'GET /c': { LatencyPercentile: 'x' },
      'GET /d': { QPS: 1.5 },
    };
    expect(factsOf(await read(body))).toEqual([{ graph: 'fraud', method: 'GET', path: '/d', ...zero, perSecond: 1.5 }]);
  });

  it('are empty for an envelope without endpoints, and fail if no member is an endpoint', async () => {
    expect(factsOf(await read({ version: {}, error: false, message: '', code: 'REST-0000' }))).toEqual([]);
    const renamed = { 'GET:/query/fraud/q': { CompletedRequests: 1 } };
    expect(failureOf(await read(renamed)).message).toMatch(/: 1 of 1 entries are invalid$/);
  });

  it('fail with the reason body for an error with status 200, and unsupported for an unknown graph', async () => {
    expect(failureOf(await read({ error: true, code: 'REST-30400' }))).toMatchObject({
      reason: 'body',
      code: 'REST-30400',
    });
    expect(failureOf(await read({ error: true, code: 'REST-1004' }, 404))).toMatchObject({ reason: 'unsupported' });
  });

  it('are not requested for an invalid graph name', async () => {
    const caller = callerOver(new FakePool());
    expect(failureOf(await fetchStatistics(caller, '../echo', neverAborted())).reason).toBe('unsupported');
  });
});
