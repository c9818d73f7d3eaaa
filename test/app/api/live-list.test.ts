import { describe, expect, it } from 'vitest';
import { clusterOf, configOf, sendRequest } from '../fakes.ts';
import { startTwoReplicas, type TestReplica } from '../two-replicas.ts';

const config = configOf([clusterOf('prod', ['m1']), clusterOf('test', ['t1']), clusterOf('dev', ['d1'])]);

async function get(replica: TestReplica, target: string) {
  const { status, body } = await sendRequest(replica.app.handler, target);
  return { status, ...(JSON.parse(body) as { items: { name: string; cluster: string; owner?: string }[] }) };
}

const collectorsOf = (items: readonly { cluster: string }[]) => [...new Set(items.map(({ cluster }) => cluster))];

describe('live lists of two replicas', () => {
  it('have the clusters of both, in the order of the configuration, with their owners', async () => {
    const { a, b } = await startTwoReplicas(config, { test: 'b' });
    for (const replica of [a, b]) {
      const { items, ...page } = await get(replica, '/api/v1/clusters');
      expect(items.map(({ name, owner }) => [name, owner])).toEqual([
        ['prod', 'host-a'],
        ['test', 'host-b'],
        ['dev', 'host-a'],
      ]);
      expect(page).toEqual({ status: 200, total: 3, limit: 100, offset: 0 });
      expect(collectorsOf((await get(replica, '/api/v1/collectors')).items)).toEqual(['prod', 'test', 'dev']);
    }
  });

  it('are filtered and paged as a whole, and request only matching clusters', async () => {
    const { b } = await startTwoReplicas(config, { test: 'b' });
    const all = await get(b, '/api/v1/collectors?limit=1000');
    const page = await get(b, '/api/v1/collectors?limit=2&offset=1');
    expect(page.items).toEqual(all.items.slice(1, 3));
    b.sent.length = 0;
    expect(collectorsOf((await get(b, '/api/v1/collectors?cluster=dev&state=healthy')).items)).toEqual(['dev']);
    expect(b.sent.map(({ path }) => path)).toEqual(['/api/v1/collectors?cluster=dev&state=healthy']);
    expect(collectorsOf((await get(b, '/api/v1/collectors?cluster=test')).items)).toEqual(['test']);
    expect(b.sent).toHaveLength(1);
  });

  it('share an answer for a second', async () => {
    const { b } = await startTwoReplicas(config, { test: 'b' });
    b.sent.length = 0;
    await Promise.all([get(b, '/api/v1/clusters'), get(b, '/api/v1/clusters?limit=1')]);
    await get(b, '/api/v1/clusters?offset=2');
    expect(b.sent).toHaveLength(1);
    await b.clock.advance(1500);
    await get(b, '/api/v1/clusters');
    expect(b.sent).toHaveLength(2);
  });

  it('name the clusters of a replica that does not answer, and retry it later', async () => {
    const { b, wire } = await startTwoReplicas(config, { test: 'b' });
    wire.problem = 'the replica host-a at http://a:9916 did not answer: timeout';
    const missing = [{ replica: 'host-a', clusters: ['prod', 'dev'], reason: wire.problem }];
    expect(await get(b, '/api/v1/clusters')).toMatchObject({ total: 1, items: [{ name: 'test' }], missing });
    expect(await get(b, '/api/v1/queries?cluster=prod')).toMatchObject({
      status: 200,
      total: 0,
      missing: [{ clusters: ['prod'] }],
    });
    expect(await get(b, '/api/v1/alerts')).toMatchObject({ missing: [{ clusters: ['prod', 'dev', ''] }] });
    expect(await get(b, '/api/v1/guard')).toMatchObject({ missing });
    expect(await get(b, '/api/v1/notifications')).toMatchObject({ total: 0, missing: [{ replica: 'host-a' }] });
    expect(await get(b, '/api/v1/availability')).toMatchObject({ missing });
    expect(await get(b, '/api/v1/collectors?cluster=test')).not.toHaveProperty('missing');
    delete wire.problem;
    await b.clock.advance(2500);
    expect(await get(b, '/api/v1/clusters')).not.toHaveProperty('missing');
  });

  it('name the clusters that no replica owns', async () => {
    const { b } = await startTwoReplicas(config, { test: 'b', dev: '' });
    expect(await get(b, '/api/v1/clusters')).toMatchObject({
      total: 2,
      missing: [{ replica: '', clusters: ['dev'], reason: 'no replica owns these clusters at present' }],
    });
  });

  it('name the clusters that their owner does not monitor yet, or has lost', async () => {
    const { b, wire } = await startTwoReplicas(config, { test: 'b' });
    wire.owners.test = 'a';
    expect(await get(b, '/api/v1/clusters?name=test')).not.toHaveProperty('missing');
    wire.owners.prod = 'b';
    expect(await get(b, '/api/v1/clusters?name=prod')).toMatchObject({
      missing: [
        { replica: 'host-b', clusters: ['prod'], reason: 'the replica host-b is about to monitor these clusters' },
      ],
    });
  });

  it('reject a value that is unknown to all replicas', async () => {
    const { b } = await startTwoReplicas(config, { test: 'b' });
    expect((await get(b, '/api/v1/collectors?node=m1')).items.length).toBeGreaterThan(0);
    const { status, body } = await sendRequest(b.app.handler, '/api/v1/collectors?node=m9');
    expect([status, JSON.parse(body).detail]).toEqual([400, expect.stringContaining("There is no node 'm9'")]);
    expect((await sendRequest(b.app.handler, '/api/v1/clusters?name=nope')).status).toBe(400);
    expect((await sendRequest(b.app.handler, '/api/v1/clusters?nope=1')).status).toBe(400);
  });

  it('request no other replica to answer a replica', async () => {
    const { b } = await startTwoReplicas(config, { test: 'b' });
    b.sent.length = 0;
    const reply = await sendRequest(b.app.peerHandler, '/api/v1/clusters', {
      replica: 'x',
      remoteAddress: '127.0.0.1',
    });
    expect(JSON.parse(reply.body)).toMatchObject({ clusters: ['test'], items: [{ name: 'test' }] });
    expect(b.sent).toEqual([]);
  });
});
