import { expect, it } from 'vitest';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { clusterOf, configOf, sendRequest } from '../fakes.ts';
import { startTwoReplicas, type TestReplica } from '../two-replicas.ts';

const base = configOf([clusterOf('prod', ['m1']), clusterOf('test', ['t1'])]);
const config = { ...base, operators: ['ada'] };

async function start() {
  const started = await startTwoReplicas(config, { test: 'b' });
  started.b.sent.length = 0;
  return started;
}

async function post(replica: TestReplica, target: string, body: unknown = {}, more: Partial<IncomingRequest> = {}) {
  const text = async () => JSON.stringify(body);
  const reply = await sendRequest(replica.app.handler, target, { method: 'POST', text, user: 'ada', ...more });
  return { status: reply.status, type: reply.headers['content-type'], answer: JSON.parse(reply.body) };
}

async function auditOf({ app }: TestReplica): Promise<readonly string[]> {
  const { items } = JSON.parse((await sendRequest(app.handler, '/api/v1/guard/audit')).body);
  return items.map(({ action, by }: { action: string; by: string }) => `${action} ${by}`);
}

it('forwarding › sends an action on a cluster of another replica to its owner, in the name of the operator', async () => {
  const { a, b } = await start();
  const resumed = await post(b, '/api/v1/guard/resume?cluster=prod');
  expect(resumed.status).toBe(200);
  expect(b.sent).toMatchObject([{ method: 'POST', path: '/api/v1/guard/resume?cluster=prod', user: 'ada' }]);
  expect(await auditOf(a)).toContain('resume ada');
  expect(await auditOf(b)).not.toContain('resume ada');
});

it('forwarding › sends every action on one cluster, with its path and its body', async () => {
  const { b } = await start();
  const replica = { cluster: 'prod', service: 'GPE', partition: '', replica: '' };
  expect(await post(b, '/api/v1/services/forget', replica)).toEqual({
    status: 404,
    type: 'application/problem+json; charset=utf-8',
    answer: expect.objectContaining({ detail: 'The service instance is not known.' }),
  });
  const breaker = { cluster: 'prod', breaker: 'no_relief runaway' };
  expect((await post(b, '/api/v1/guard/breakers/reset', breaker)).answer.detail).toContain('is not open in cluster');
  expect((await post(b, '/api/v1/checks/run', { cluster: 'prod' })).answer.detail).toContain('No check is enabled');
  const query = '/api/v1/clusters/prod/nodes/m1/queries/7.RESTPP_1_1.1790000000000.N';
  expect((await post(b, `${query}/abort`, { reason: 'slow' })).status).toBeGreaterThanOrEqual(400);
  expect((await sendRequest(b.app.handler, `${query}/why`)).status).toBe(200);
  expect((await sendRequest(b.app.handler, '/probe?target=prod/m1')).body).toContain('graphdb_up{cluster_name="prod"');
  expect(b.sent.map(({ method, path, body, timeout }) => [method, path, body, timeout])).toEqual([
    ['POST', '/api/v1/services/forget', JSON.stringify(replica), 12_000],
    ['POST', '/api/v1/guard/breakers/reset', JSON.stringify(breaker), 12_000],
    ['POST', '/api/v1/checks/run', '{"cluster":"prod"}', 12_000],
    ['POST', `${query}/abort`, '{"reason":"slow"}', 50_000],
    ['GET', `${query}/why`, undefined, 12_000],
    ['GET', '/probe?target=prod%2Fm1', undefined, 12_000],
  ]);
});

it('forwarding › passes on when to repeat a request that the owner limits', async () => {
  const { b, wire } = await start();
  wire.answer = { status: 429, retryAfter: '42', body: '{}' };
  const path = '/api/v1/guard/resume?cluster=prod';
  const limited = await sendRequest(b.app.handler, path, { method: 'POST', text: async () => '{}', user: 'ada' });
  expect([limited.status, limited.headers['retry-after']]).toEqual([429, '42']);
  wire.answer = { status: 200, body: '{}' };
  const done = await sendRequest(b.app.handler, path, { method: 'POST', text: async () => '{}', user: 'ada' });
  expect([done.status, done.headers['retry-after']]).toEqual([200, undefined]);
});

it('forwarding › sends no request for an unauthorized user or a cross-site request', async () => {
  const { b } = await start();
  expect((await post(b, '/api/v1/guard/resume?cluster=prod', {}, { user: 'bob' })).status).toBe(403);
  const headers = { 'sec-fetch-site': 'cross-site' };
  expect((await post(b, '/api/v1/guard/resume?cluster=prod', {}, { headers })).status).toBe(403);
  expect(b.sent).toEqual([]);
  await sendRequest(b.app.handler, '/probe?target=prod/m1', { user: 'ada', headers });
  expect(b.sent).toHaveLength(1);
  expect(b.sent[0]?.user).toBeUndefined();
});

it('forwarding › reports that the owner does not answer, or that no replica owns the cluster', async () => {
  const { b, wire } = await start();
  wire.problem = 'the replica host-a at http://a:9916 did not answer: timeout';
  const path = '/api/v1/guard/resume?cluster=prod';
  expect(await post(b, path)).toMatchObject({
    status: 503,
    answer: { detail: `There is no response from host-a, which owns the cluster 'prod': ${wire.problem}.` },
  });
  wire.owners.prod = '';
  expect((await post(b, path)).answer.detail).toBe(
    "No replica owns the cluster 'prod' at present. Repeat the request later.",
  );
});

it('forwarding › does not forward requests of other replicas, on unknown clusters, and without a cluster', async () => {
  const { a, b } = await start();
  const more = { method: 'POST', user: 'ada', replica: 'b', text: async () => '{"cluster":"test"}' };
  expect((await sendRequest(a.app.peerHandler, '/api/v1/checks/run', more)).status).toBe(404);
  expect((await post(b, '/api/v1/checks/run', { cluster: 'nope' })).answer.detail).toContain(
    'not in the configuration',
  );
  expect((await post(b, '/api/v1/checks/run', [])).status).toBe(400);
  expect((await post(b, '/api/v1/guard/pause')).status).toBe(200);
  expect([...a.sent.filter(({ method }) => method === 'POST'), ...b.sent]).toEqual([]);
});

it('forwarding › finds an incident of another replica, or reports that it may belong to a replica that does not answer', async () => {
  const { b, wire } = await start();
  expect((await sendRequest(b.app.handler, '/api/v1/incidents/none')).status).toBe(404);
  expect((await post(b, '/api/v1/incidents/none/acknowledge')).status).toBe(404);
  wire.problem = 'it did not answer';
  await b.clock.advance(2000);
  const { status, answer } = await post(b, '/api/v1/incidents/none/acknowledge');
  expect([status, answer.detail]).toEqual([
    503,
    "No incident with the ID 'none' is found, but the search is incomplete: host-a (it did not answer).",
  ]);
});
