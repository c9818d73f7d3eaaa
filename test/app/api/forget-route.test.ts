import { describe, expect, it } from 'vitest';
import { forgetRoute } from '../../../src/app/api/forget-route.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import type { OperatorAction } from '../../../src/guard/storage/operator-action-rows.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { err, ok, type Result } from '../../../src/kernel/result.ts';
import type { ReplicaId } from '../../../src/model/transition.ts';
import { recordingLogger } from '../../support/logger.ts';
import { sendRequest } from '../fakes.ts';

const engine: ReplicaId = { cluster: 'prod', service: 'GPE', partition: '1', replica: '2' };

function setUp(outcome: Result<boolean, string> = ok(true)) {
  const forgotten: ReplicaId[] = [];
  const acts: OperatorAction[] = [];
  const log = recordingLogger();
  const dependencies = {
    log,
    config: () => ({ operators: ['alice'] }),
    forget: async (replica: ReplicaId, act: OperatorAction) => {
      forgotten.push(replica);
      acts.push(act);
      return outcome;
    },
    now: () => ({ wall: 5, mono: 6 }),
  };
  const handler = createHandler([forgetRoute(dependencies)], () => '');
  const post = async (body: unknown, request: Partial<IncomingRequest> = {}) => {
    const text = async () => (typeof body === 'string' ? body : JSON.stringify(body));
    const { status, body: answer } = await sendRequest(handler, '/api/v1/services/forget', {
      method: 'POST',
      text,
      ...request,
    });
    return { status, answer };
  };
  return { post, forgotten, acts, log };
}

describe('POST /api/v1/services/forget', () => {
  it('forgets a service and logs the operator', async () => {
    const { post, forgotten, acts, log } = setUp();
    expect(await post(engine, { user: 'alice', remoteAddress: '10.0.0.9' })).toEqual({
      status: 200,
      answer: '{"forgotten":true}\n',
    });
    expect(forgotten).toEqual([engine]);
    expect(JSON.stringify(log.lines)).toContain('"by":"alice"');
    expect(acts).toEqual([{ at: 5, what: 'forget', by: 'alice', cluster: 'prod', subject: 'GPE 1 2', reason: '' }]);
  });

  it('accepts a service without partition and replica', async () => {
    const { post, forgotten } = setUp();
    expect((await post({ cluster: 'prod', service: 'ETCD' })).status).toBe(200);
    expect(forgotten).toEqual([{ cluster: 'prod', service: 'ETCD', partition: '', replica: '' }]);
  });

  it('rejects a user who is no operator', async () => {
    const { post, forgotten } = setUp();
    expect((await post(engine, { user: 'scraper' })).status).toBe(403);
    expect((await post(engine, { remoteAddress: '10.0.0.9' })).status).toBe(403);
    expect((await post(engine, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect(forgotten).toEqual([]);
  });

  it('reports that the action is not stored', async () => {
    const { post } = setUp(err('the disk is full'));
    expect(await post(engine)).toMatchObject({ status: 503, answer: expect.stringContaining('the disk is full') });
  });

  it('returns 404 for an unknown one', async () => {
    expect((await setUp(ok(false)).post(engine)).status).toBe(404);
  });

  it.each(['', '{', 'null', '[]', '7', {}, { cluster: 'prod' }, { service: 'GPE' }, { ...engine, replica: 2 }])(
    'rejects %j',
    async (body) => {
      const { post, forgotten } = setUp();
      expect((await post(body)).status).toBe(400);
      expect(forgotten).toEqual([]);
    },
  );
});
