import { describe, expect, it } from 'vitest';
import { type CheckRouteDependencies, checkRoute } from '../../../src/app/api/check-route.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import type { OperatorAction } from '../../../src/guard/storage/operator-action-rows.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { recordingLogger } from '../../support/logger.ts';
import { sendRequest } from '../fakes.ts';

const wall = Date.parse('2026-01-31T12:00:00Z');

function setUp(more: Partial<CheckRouteDependencies> = {}) {
  const [runs, actions]: [string[], OperatorAction[]] = [[], []];
  const time = { wall, mono: 0 };
  const log = recordingLogger();
  const route = checkRoute({
    log,
    config: () => ({ operators: ['alice'], clusters: [{ name: 'prod' }, { name: 'test' }] }),
    run: (cluster) => {
      runs.push(cluster);
      return 'started';
    },
    record: async (action) => {
      actions.push(action);
      return ok(undefined);
    },
    now: () => ({ ...time }),
    ...more,
  });
  const handler = createHandler([route], () => '');
  const post = async (body: unknown, sent: Partial<IncomingRequest> = {}) => {
    const text = async () => (typeof body === 'string' ? body : JSON.stringify(body));
    const reply = await sendRequest(handler, '/api/v1/checks/run', { method: 'POST', user: 'alice', text, ...sent });
    return { ...reply, answer: JSON.parse(reply.body) };
  };
  return { post, runs, actions, time, log };
}

describe('POST /api/v1/checks/run', () => {
  it('runs the checks of the cluster, audits and logs it', async () => {
    const { post, runs, actions, log } = setUp();
    expect(await post({ cluster: 'prod' })).toMatchObject({ status: 200, answer: { started: true } });
    expect(runs).toEqual(['prod']);
    const action = { what: 'run_check', by: 'alice', cluster: 'prod', subject: 'consistency', reason: '' };
    expect(actions).toEqual([{ at: wall, ...action }]);
    expect(log.lines).toMatchObject([{ message: 'checks started', fields: { cluster: 'prod', by: 'alice' } }]);
  });

  it('runs them at most once a minute for each cluster', async () => {
    const { post, runs, time } = setUp();
    await post({ cluster: 'prod' });
    time.mono = 20_500;
    expect(await post({ cluster: 'prod' })).toMatchObject({ status: 429, headers: { 'retry-after': '40' } });
    expect((await post({ cluster: 'test' })).status).toBe(200);
    time.mono = 60_000;
    expect((await post({ cluster: 'prod' })).status).toBe(200);
    expect(runs).toEqual(['prod', 'test', 'prod']);
  });

  it.each([
    ['none', 404, 'set collectors.consistency.enabled'],
    ['running', 429, 'The checks run now'],
  ] as const)('answers «%s» with %d, and the next request is not too early', async (result, status, detail) => {
    const { post, actions } = setUp({ run: () => result });
    const expected = { status, answer: { detail: expect.stringContaining(detail) } };
    expect(await post({ cluster: 'prod' })).toMatchObject(expected);
    expect(await post({ cluster: 'prod' })).toMatchObject(expected);
    expect(actions).toEqual([]);
  });

  it.each(['{', {}, { cluster: '' }, { cluster: 7 }, { cluster: 'prod', check: 'x' }])(
    'rejects the body %j',
    async (body) => {
      const { post, runs } = setUp();
      expect((await post(body)).status).toBe(400);
      expect(runs).toEqual([]);
    },
  );

  it('rejects an unknown cluster', async () => {
    const { post, runs } = setUp();
    expect((await post({ cluster: 'other' })).status).toBe(404);
    expect(runs).toEqual([]);
  });

  it.each([
    { user: 'reader' },
    { headers: { 'sec-fetch-site': 'cross-site' } },
    { headers: { 'content-type': 'text/plain' } },
  ])('rejects %j', async (sent) => {
    const { post, runs } = setUp();
    expect((await post({ cluster: 'prod' }, sent)).status).toBe(403);
    expect(runs).toEqual([]);
  });

  it('reports that the action is not stored', async () => {
    const { post } = setUp({ record: async () => err('the disk is full') });
    const detail = 'The checks run, but their audit entry was not stored: the disk is full';
    expect(await post({ cluster: 'prod' })).toMatchObject({ status: 503, answer: { detail } });
  });
});
