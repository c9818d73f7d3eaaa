import { describe, expect, it } from 'vitest';
import { guardRoutes } from '../../../src/app/api/guard-routes.ts';
import { openApiDocument } from '../../../src/app/api/openapi-route.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import type { Refusal } from '../../../src/app/guard/guard-control.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { err } from '../../../src/kernel/result.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { policyOf } from '../../guard/match-inputs.ts';
import { recordingLogger } from '../../support/logger.ts';
import { abortView, decisionView, FakeGuardControl, pendingAbort } from '../fake-guard-control.ts';
import { clusterOf, configOf, sendRequest } from '../fakes.ts';

const id = '7.RESTPP_1_1.1790000000000.N';
const abortPath = `/api/v1/clusters/prod/nodes/m1/queries/${id}/abort`;
const breaker = { cluster: 'prod', breaker: 'same_query fraud ring_scan' };

function setUp() {
  const control = new FakeGuardControl();
  const log = recordingLogger();
  const clusters = [clusterOf('prod', ['m1']), clusterOf('test', ['m2'])];
  const plain = configOf(clusters, { operators: ['alice'] });
  const policies = [policyOf(), policyOf(undefined, { name: 'shy', mode: 'observe' })];
  const config = { ...plain, guard: { ...plain.guard, mode: 'enforce', policies } } as const;
  const routes = guardRoutes({ log, config: () => config, control: () => control, history: memoryStore() });
  const handler = createHandler(routes, () => '');
  const call = async (target: string, request: Partial<IncomingRequest> = {}) => {
    const { status, body } = await sendRequest(handler, target, request);
    return { status, answer: JSON.parse(body) };
  };
  const post = (target: string, body: unknown = '', request: Partial<IncomingRequest> = {}) => {
    const text = async () => (typeof body === 'string' ? body : JSON.stringify(body));
    return call(target, { method: 'POST', text, ...request });
  };
  return { control, log, call, post, routes };
}

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
      const { post, control } = setUp();
      control.reasons.add('operator');
      expect((await post(target, body, stranger)).status).toBe(403);
      expect([...control.reasons]).toEqual(['operator']);
      expect([control.abortRequests, control.resets]).toEqual([[], []]);
    },
  );

  it.each(actions)('%s accepts an operator', async (target, body) => {
    const { post } = setUp();
    expect((await post(target, body, { user: 'alice', remoteAddress: '10.0.0.9' })).status).toBe(200);
  });

  it.each(actions)('%s rejects GET', async (target) => {
    const { call, control } = setUp();
    expect((await call(target)).status).toBe(405);
    expect(control.abortRequests).toEqual([]);
  });

  it('is declared in the OpenAPI document', () => {
    const { routes } = setUp();
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
    const { call, control } = setUp();
    const readiness = { cluster: 'prod', policy: 'runaway', mode: 'enforce' };
    control.reasons.add('file');
    expect((await call('/api/v1/guard')).answer).toEqual({
      paused: true,
      reasons: ['file'],
      mode: 'enforce',
      policies: [
        { name: 'runaway', mode: 'enforce' },
        { name: 'shy', mode: 'observe' },
      ],
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

describe('GET /api/v1/guard/decisions', () => {
  async function keys(query: string) {
    const { call, control } = setUp();
    control.views = [
      { ...pendingAbort, key: 'a', cluster: 'prod', mode: 'enforce', phase: 'verifying' },
      decisionView({ key: 'b', cluster: 'test', node: 'm2', outcome: 'withdrawn', skipReason: 'paused' }),
      decisionView({ key: 'c', policy: '', mode: 'manual', manual: { by: 'alice', reason: 'it hurts' } }),
    ];
    const { status, answer } = await call(`/api/v1/guard/decisions${query}`);
    return status === 200 ? answer.items.map(({ key }: { key: string }) => key) : status;
  }

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

describe('guard pause and resume', () => {
  it('pauses and resumes', async () => {
    const { post, control } = setUp();
    expect(await post('/api/v1/guard/pause')).toEqual({ status: 200, answer: { paused: true, reasons: ['operator'] } });
    expect(control.paused().isPaused).toBe(true);
    expect(await post('/api/v1/guard/resume')).toEqual({ status: 200, answer: { paused: false, reasons: [] } });
  });

  it('reports the remaining reason for the pause', async () => {
    const { post, control } = setUp();
    control.reasons.add('file');
    const { status, answer } = await post('/api/v1/guard/resume');
    expect([status, answer.detail]).toEqual([409, 'The guard is still paused: there is a file.']);
  });

  it('reports a pause that is not stored', async () => {
    const { post, control } = setUp();
    control.failsToStore = true;
    const { status, answer } = await post('/api/v1/guard/pause');
    expect([status, answer.detail]).toEqual([
      503,
      'The guard is paused, but resumes at the next restart: the disk is full.',
    ]);
    expect(control.paused().isPaused).toBe(true);
  });
});

describe('circuit breaker reset', () => {
  const path = '/api/v1/guard/breakers/reset';

  it('closes the circuit breaker and logs the operator', async () => {
    const { post, control, log } = setUp();
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
    const { post, control } = setUp();
    expect((await post(path, body)).status).toBe(status);
    expect(control.resets).toEqual([]);
  });

  it('reports a reset that is not stored', async () => {
    const { post, control } = setUp();
    control.failsToStore = true;
    expect(await post(path, breaker)).toMatchObject({ status: 503 });
  });
});

describe('manual abort', () => {
  it('returns the outcome and logs the operator', async () => {
    const { post, control, log } = setUp();
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
    const { post, control } = setUp();
    await post(abortPath, { reason: 'it hurts', whilePaused: true });
    expect(control.abortRequests).toMatchObject([{ whilePaused: true, by: 'local' }]);
  });

  it.each<[Refusal['kind'], number]>([
    ['unknown_node', 404],
    ['unknown_query', 404],
    ['refused', 409],
    ['not_stored', 503],
  ])('%s gives the status %d, with the reason', async (kind, expected) => {
    const { post, control } = setUp();
    control.abortResult = err({ kind, message: 'because' });
    const { status, answer } = await post(abortPath, { reason: 'it hurts' });
    expect([status, answer.detail]).toEqual([expected, 'because']);
  });

  it('returns outcome and granted timeout', async () => {
    const { post, control } = setUp();
    control.abortResult = { ok: true, value: abortView({ outcome: 'withdrawn', grantedTimeout: 16_000 }) };
    expect((await post(abortPath, { reason: 'x' })).answer).toMatchObject({
      outcome: 'withdrawn',
      grantedTimeoutSeconds: 16,
    });
  });

  it.each(['all', '.*', '7', `${id}&url=x`, `${id}x`, '7.restpp_1_1.1790000000000.N'])(
    'rejects %s, which is not a request ID',
    async (wrong) => {
      const { post, control } = setUp();
      const path = `/api/v1/clusters/prod/nodes/m1/queries/${encodeURIComponent(wrong)}/abort`;
      expect((await post(path, { reason: 'it hurts' })).status).toBe(400);
      expect(control.abortRequests).toEqual([]);
    },
  );

  it.each(['', '{', {}, { reason: '' }, { reason: 'x', force: true }])('rejects the body %j', async (body) => {
    const { post, control } = setUp();
    expect((await post(abortPath, body)).status).toBe(400);
    expect(control.abortRequests).toEqual([]);
  });

  it('rejects an unknown cluster', async () => {
    const { post, control } = setUp();
    const { status } = await post(abortPath.replace('prod', 'other'), { reason: 'it hurts' });
    expect([status, control.abortRequests]).toEqual([404, []]);
  });
});
