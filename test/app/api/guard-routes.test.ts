import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/app/api/openapi-route.ts';
import type { Refusal } from '../../../src/app/guard/guard-control.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { err } from '../../../src/kernel/result.ts';
import { abortView, decisionView, pendingAbort } from '../fake-guard-control.ts';
import { setUpGuardRoutes } from './guard-routes-fixture.ts';

const id = '7.RESTPP_1_1.1790000000000.N';
const abortPath = `/api/v1/clusters/prod/nodes/m1/queries/${id}/abort`;
const breaker = { cluster: 'prod', breaker: 'same_query fraud ring_scan' };

const others: readonly Partial<IncomingRequest>[] = [
  { user: 'scraper' },
  { remoteAddress: '10.0.0.9' },
  { headers: { 'sec-fetch-site': 'cross-site' } },
  { headers: { origin: 'https://elsewhere.example' } },
  { remoteAddress: '127.0.0.1' },
];
const actions = [
  ['/api/v1/guard/pause', ''],
  ['/api/v1/guard/resume', ''],
  ['/api/v1/guard/breakers/reset', breaker],
  [abortPath, { reason: 'it hurts' }],
] as const;

describe('operator authorization', () => {
  it.each(actions.flatMap(([target, body]) => others.map((one) => [target, body, one] as const)))(
    '%s rejects the body %j from %j',
    async (target, body, stranger) => {
      const { post, control } = setUpGuardRoutes();
      control.reasons.add('operator');
      expect((await post(target, body, stranger)).status).toBe(403);
      expect([...control.reasons]).toEqual(['operator']);
      expect([control.abortRequests, control.resets]).toEqual([[], []]);
    },
  );

  it.each(actions)('%s accepts an operator', async (target, body) => {
    const { post } = setUpGuardRoutes();
    expect((await post(target, body, { user: 'alice', remoteAddress: '10.0.0.9' })).status).toBe(200);
  });

  it.each(actions)('%s rejects GET', async (target) => {
    const { call, control } = setUpGuardRoutes();
    expect((await call(target)).status).toBe(405);
    expect(control.abortRequests).toEqual([]);
  });

  it('is declared in the OpenAPI document', () => {
    const { routes } = setUpGuardRoutes();
    const { components } = openApiDocument(routes, { version: '1', server: '' });
    expect(
      routes
        .filter(({ method }) => method === 'POST')
        .every(({ errorResponses }) => errorResponses?.[403] !== undefined),
    ).toBe(true);
    expect(components).toHaveProperty('schemas.AbortRequest.properties.whilePaused');
  });
});

describe('GET /api/v1/guard', () => {
  it('returns the state of the guard', async () => {
    const { call, control } = setUpGuardRoutes();
    const readiness = { cluster: 'prod', policy: 'runaway', mode: 'enforce' };
    control.reasons.add('file');
    expect((await call('/api/v1/guard')).answer).toEqual({
      paused: true,
      reasons: ['file'],
      clusters: ['prod', 'test'].map((cluster) => ({ cluster, paused: true, reasons: ['file'] })),
      mode: 'enforce',
      policies: [
        { name: 'runaway', mode: 'enforce', sentences: expect.arrayContaining(['runaway: enforces.']) },
        { name: 'shy', mode: 'observe', sentences: expect.arrayContaining([expect.stringMatching(/^shy: observes/)]) },
      ],
      budgets: [{ cluster: 'prod', node: 'm1', left: 1, max: 3, withinSeconds: 600 }],
      breakers: [
        {
          cluster: 'prod',
          key: 'same_query fraud ring_scan',
          reason: 'same_query',
          graph: 'fraud',
          query: 'ring_scan',
          policy: '',
          since: '2026-09-22T04:53:20.000Z',
        },
      ],
      readiness: [
        { ...readiness, node: 'm1', ready: true, reasons: [], held: 0, since: null },
        {
          ...readiness,
          node: 'm2',
          ready: false,
          reasons: ['not_covered', 'node_budget'],
          held: 1,
          since: '2026-09-22T04:53:20.000Z',
        },
      ],
      rejectedConfig: null,
    });
  });
});

/** Keys of the decisions that a query returns, or the status of a problem. */
async function keys(query: string) {
  const { call, control } = setUpGuardRoutes();
  control.views = [
    { ...pendingAbort, key: 'a', cluster: 'prod', mode: 'enforce', phase: 'verifying' },
    decisionView({ key: 'b', cluster: 'test', node: 'm2', outcome: 'withdrawn', skipReason: 'paused' }),
    decisionView({ key: 'c', policy: '', mode: 'manual', manual: { by: 'alice', reason: 'it hurts' } }),
  ];
  const { status, answer } = await call(`/api/v1/guard/decisions${query}`);
  return status === 200 ? answer.items.map(({ key }: { key: string }) => key) : status;
}

describe('GET /api/v1/guard/decisions', () => {
  it.each([
    ['', ['a', 'b', 'c']],
    ['?cluster=test', ['b']],
    ['?node=m1', ['a', 'c']],
    ['?policy=', ['c']],
    ['?outcome=', ['a']],
    ['?outcome=withdrawn', ['b']],
    ['?limit=1&offset=1', ['b']],
    ['?outcome=done', 400],
    ['?id=7', 400],
    ['?limit=0', 400],
  ])('%s gives %j', async (query, expected) => {
    expect(await keys(query)).toEqual(expected);
  });
});

describe('circuit breaker reset', () => {
  const path = '/api/v1/guard/breakers/reset';

  it('closes the circuit breaker and logs the operator', async () => {
    const { post, control, log } = setUpGuardRoutes();
    expect(await post(path, breaker, { user: 'alice' })).toEqual({ status: 200, answer: { reset: true } });
    expect(control.resets).toEqual(['prod same_query fraud ring_scan alice']);
    expect(JSON.stringify(log.lines)).toContain('"by":"alice"');
  });

  it.each([
    [{ ...breaker, cluster: 'other' }, 404],
    [{ ...breaker, cluster: 'test' }, 404],
    [{ ...breaker, breaker: 'no_relief x' }, 404],
    [{ cluster: 'prod' }, 400],
    ['', 400],
  ])('%j is %d', async (body, status) => {
    const { post, control } = setUpGuardRoutes();
    expect((await post(path, body)).status).toBe(status);
    expect(control.resets).toEqual([]);
  });

  it('reports a reset that is not stored', async () => {
    const { post, control } = setUpGuardRoutes();
    control.failsToStore = true;
    expect(await post(path, breaker)).toMatchObject({ status: 503 });
  });
});

describe('manual abort', () => {
  it('returns the outcome and logs the operator', async () => {
    const { post, control, log } = setUpGuardRoutes();
    const { status, answer } = await post(abortPath, { reason: ' it hurts ' }, { user: 'alice' });
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      cluster: 'prod',
      id,
      outcome: 'confirmed',
      manual: { by: 'alice', reason: 'it hurts' },
    });
    expect(control.abortRequests).toEqual([
      { cluster: 'prod', node: 'm1', id, by: 'alice', reason: 'it hurts', whilePaused: false },
    ]);
    expect(log.lines).toMatchObject([{ message: 'manual abort requested', fields: { by: 'alice', id } }]);
  });

  it('overrides a pause with whilePaused', async () => {
    const { post, control } = setUpGuardRoutes();
    await post(abortPath, { reason: 'it hurts', whilePaused: true });
    expect(control.abortRequests).toMatchObject([{ whilePaused: true, by: 'local' }]);
  });

  it.each<[Refusal['kind'], number]>([
    ['unknown_node', 404],
    ['unknown_query', 404],
    ['refused', 409],
    ['not_stored', 503],
  ])('%s gives the status %d, with the reason', async (kind, expected) => {
    const { post, control } = setUpGuardRoutes();
    control.abortResult = err({ kind, message: 'because' });
    const { status, answer } = await post(abortPath, { reason: 'it hurts' });
    expect([status, answer.detail]).toEqual([expected, 'because']);
  });

  it('returns outcome and granted timeout', async () => {
    const { post, control } = setUpGuardRoutes();
    control.abortResult = { ok: true, value: abortView({ outcome: 'withdrawn', grantedTimeout: 16_000 }) };
    expect((await post(abortPath, { reason: 'x' })).answer).toMatchObject({
      outcome: 'withdrawn',
      grantedTimeoutSeconds: 16,
    });
  });

  it.each(['all', '.*', '7', `${id}&url=x`, `${id}x`, '7.restpp_1_1.1790000000000.N'])(
    'rejects %s, which is not a request ID',
    async (wrong) => {
      const { post, control } = setUpGuardRoutes();
      const path = `/api/v1/clusters/prod/nodes/m1/queries/${encodeURIComponent(wrong)}/abort`;
      expect((await post(path, { reason: 'it hurts' })).status).toBe(400);
      expect(control.abortRequests).toEqual([]);
    },
  );

  it.each(['', '{', {}, { reason: '' }, { reason: 'x', force: true }])('rejects the body %j', async (body) => {
    const { post, control } = setUpGuardRoutes();
    expect((await post(abortPath, body)).status).toBe(400);
    expect(control.abortRequests).toEqual([]);
  });

  it('rejects an unknown cluster', async () => {
    const { post, control } = setUpGuardRoutes();
    const { status } = await post(abortPath.replace('prod', 'other'), { reason: 'it hurts' });
    expect([status, control.abortRequests]).toEqual([404, []]);
  });
});
