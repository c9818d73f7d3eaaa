import { describe, expect, it } from 'vitest';
import { openCluster } from '../../src/graphdb/connect.ts';
import type { GraphDb } from '../../src/graphdb/graph-db.ts';
import { failure } from '../../src/kernel/failure.ts';
import type { OpenHttpPool } from '../../src/kernel/http.ts';
import { err } from '../../src/kernel/result.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { bareCluster, clusterOver, failureOf, neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { digest } from '../support/digest.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer, FakePool } from '../support/fake-pool.ts';

const good = answer({ error: false, message: 'pong', results: [] });

/** A pool whose replies are all empty successes. */
const openEmptyPool: OpenHttpPool = () => ({
  request: async () => answer({ error: false, message: '', results: [], token: 'exchanged' }),
  sockets: () => 1,
  close: async () => undefined,
});

/** The first series of a page. */
function seriesOf(page: Awaited<ReturnType<GraphDb['informantMetrics']>> | undefined): unknown {
  return page?.ok === true ? page.value.families[0]?.series[0] : undefined;
}

describe('a connected node', () => {
  it('has its names, and prefixes every call with the path of its URL', async () => {
    const pool = new FakePool(['GET /behind/proxy/api/ping', good]);
    const { db } = clusterOver({ 'http://m1:14240': pool }).node({ name: 'm1', url: 'http://m1:14240/behind/proxy/' });
    expect([db.cluster, db.node]).toEqual(['test', 'm1']);
    expect(await db.ping(neverAborted())).toEqual({ ok: true, value: true });
    expect(pool.requests[0]?.maxBytes).toBe(5000);
  });

  it.each([
    ['a bearer token', { kind: 'bearer', token: { file: 'abort' } }],
    ['a password', { kind: 'basic', username: 'ada', password: { file: 'abort' } }],
    ['a secret that is exchanged', { kind: 'secret', secret: { file: 'abort' } }],
  ] as const)('reports after a list that %s for aborts cannot be read, until it can', async (_, abortAuth) => {
    const files = new FakeFiles();
    const ports = { openPool: openEmptyPool, clock: new FakeClock(), random: { next: () => 0.5 }, files, digest };
    const cluster = openCluster({ ...bareCluster, abortAuth }, { bodyLimit: 5000, guarded: true }, ports);
    const node = cluster.node({ name: 'm1', url: 'http://m1' });
    const listed = async () => {
      await node.db.processListAll(neverAborted());
      await ports.clock.settle();
      return node.lacksAbortCredentials();
    };
    expect(node.lacksAbortCredentials()).toBe(false);
    expect(await listed()).toBe(true);
    files.write('abort', 'hunter');
    expect(await listed()).toBe(false);
    files.remove('abort');
    expect(await listed()).toBe(abortAuth.kind !== 'secret');
  });

  it('has four sockets at most', async () => {
    const opened: number[] = [];
    const openPool: OpenHttpPool = ({ sockets }) => {
      opened.push(sockets);
      return new FakePool(['GET /api/ping', good]);
    };
    const ports = { openPool, clock: new FakeClock(), random: { next: () => 0.5 }, files: new FakeFiles(), digest };
    const { db } = openCluster(bareCluster, { bodyLimit: 5000 }, ports).node({ name: 'm1', url: 'http://m1' });
    await db.ping(neverAborted());
    expect(opened).toEqual([4]);
  });

  it('splits its sockets if its cluster is guarded when it is opened', async () => {
    const opened: unknown[] = [];
    const openPool: OpenHttpPool = ({ sockets, oneAddress }) => {
      opened.push([sockets, oneAddress]);
      return { request: async () => good, sockets: () => sockets, close: async () => undefined };
    };
    const ports = { openPool, clock: new FakeClock(), random: { next: () => 0.5 }, files: new FakeFiles(), digest };
    const options = { bodyLimit: 5000, guarded: false };
    const cluster = openCluster(bareCluster, options, ports);
    const open = async (): Promise<number> => {
      const node = cluster.node({ name: 'm1', url: 'http://m1' });
      options.guarded = !options.guarded;
      await node.db.ping(neverAborted());
      await node.db.processListAll(neverAborted());
      return node.sockets();
    };
    expect([await open(), opened.splice(0)]).toEqual([4, [[4, undefined]]]);
    expect([await open(), opened.splice(0)]).toEqual([
      4,
      [
        [2, undefined],
        [2, true],
      ],
    ]);
  });

  it('never shows other parts of its URL', async () => {
    const pool = new FakePool(['GET /api/ping', answer('', 500)]);
    const { db } = clusterOver({ 'http://m1:14240': pool }).node({ name: 'm1', url: 'http://user:canary@m1:14240' });
    expect(JSON.stringify(failureOf(await db.ping(neverAborted())))).not.toContain('canary');
    expect(JSON.stringify(pool.requests)).not.toContain('canary');
  });

  it('is closed separately, or with its cluster', async () => {
    const [one, two] = [new FakePool(['GET /api/ping', good]), new FakePool(['GET /api/ping', good])];
    const cluster = clusterOver({ 'http://m1': one, 'http://m2': two });
    const [first, second] = ['m1', 'm2'].map((name) => cluster.node({ name, url: `http://${name}` }));
    await first?.db.ping(neverAborted());
    await second?.db.ping(neverAborted());
    expect([first?.sockets(), second?.sockets()]).toEqual([1, 1]);
    await first?.close();
    expect([one.closed, two.closed]).toEqual([true, false]);
    await cluster.close();
    expect([two.closed, second?.sockets()]).toEqual([true, 0]);
  });
});

describe('the nodes of a cluster', () => {
  it('share the path form and the token that one of them determined', async () => {
    const missing = answer('', 404);
    const refused = answer({ error: true, code: 'REST-10016' }, 403);
    const one = new FakePool(
      ['POST /gsql/v1/tokens', missing],
      ['GET /gsql/v1/version', missing],
      ['GET /gsqlserver/gsql/version', answer('GSQL version: 3.9.3')],
      ['POST /gsqlserver/gsql/tokens', missing],
      ['POST /restpp/requesttoken', missing],
      ['GET /restpp/echo', missing],
      ['GET /echo', refused],
      ['POST /requesttoken', answer({ error: false, token: 'plain', expiration: 1900000000 })],
      ['GET /restpp/showdelayedlistall', missing],
      ['GET /showdelayedlistall', good],
    );
    const two = new FakePool(['GET /showdelayedlistall', good]);
    const readAuth = { kind: 'secret', secret: { value: new Secret('s3cret') } } as const;
    const cluster = clusterOver({ 'http://m1': one, 'http://m2': two }, { readAuth });
    const [first, second] = ['m1', 'm2'].map((name) => cluster.node({ name, url: `http://${name}` }));
    expect(await first?.db.delayedList(neverAborted())).toEqual({ ok: true, value: [] });
    expect(await second?.db.delayedList(neverAborted())).toEqual({ ok: true, value: [] });
    expect(two.requests[0]?.headers.authorization).toBe('Bearer plain');
    expect(second?.tokenExpiresAt()).toBe(1900000000);
  });

  it('drop a token that one of them requests while all of them close', async () => {
    const issued = Promise.withResolvers<ReturnType<typeof answer>>();
    const one = new FakePool(['POST /gsql/v1/tokens', () => issued.promise]);
    const two = new FakePool(['DELETE /gsql/v1/tokens', good]);
    const readAuth = { kind: 'secret', secret: { value: new Secret('s3cret') } } as const;
    const clock = new FakeClock();
    const cluster = clusterOver({ 'http://m1': one, 'http://m2': two }, { readAuth, serverVersion: '4.1' }, clock);
    const [first] = ['m1', 'm2'].map((name) => cluster.node({ name, url: `http://${name}` }));
    const abort = new AbortController();
    const listing = first?.db.delayedList(abort.signal);
    await clock.settle();
    abort.abort();
    const closing = cluster.close();
    await clock.settle();
    expect([one.closed, two.closed]).toEqual([false, false]);
    issued.resolve(answer({ error: false, token: 'late', expiration: 1900000000 }));
    await closing;
    await listing;
    expect(two.requests.map(({ body }) => body)).toEqual(['{"tokens":"late"}']);
    expect([one.closed, two.closed]).toEqual([true, true]);
  });

  it('share the graph names', async () => {
    const one = new FakePool(['GET /gsql/v1/schema/graphs', answer({ error: false, graphs: [{ graphName: 'g' }] })]);
    const cluster = clusterOver({ 'http://m1': one, 'http://m2': new FakePool() });
    for (const name of ['m1', 'm2']) {
      const { db } = cluster.node({ name, url: `http://${name}` });
      expect(await db.graphs(neverAborted())).toEqual({ ok: true, value: ['g'] });
    }
  });

  it('share the series of the informant', async () => {
    const page = answer('# TYPE svc_service_status gauge\nsvc_service_status{service_name="GPE"} 6\n');
    const pools = [1, 2].map(() => new FakePool(['GET /informant/metrics', page]));
    const cluster = clusterOver(Object.fromEntries(pools.map((pool, at) => [`http://m${at}`, pool])));
    const [first, second] = await Promise.all(
      [0, 1].map(
        async (at) => await cluster.node({ name: `m${at}`, url: `http://m${at}` }).db.informantMetrics(neverAborted()),
      ),
    );
    expect(seriesOf(first)).toBeDefined();
    expect(seriesOf(second)).toBe(seriesOf(first));
  });
});

describe('a planted secret', () => {
  const canary = { value: new Secret('canary') };
  const settings = [
    { kind: 'bearer', token: canary },
    { kind: 'basic', username: 'user', password: canary },
    { kind: 'secret', secret: canary },
  ] as const;
  const echoed = '{"error":true,"code":"REST-10016","message":"canary Y2FuYXJ5 dXNlcjpjYW5hcnk="}';
  const replies = [
    answer(echoed),
    answer(echoed, 401),
    answer(echoed, 500),
    answer(`<html>${echoed}</html>`),
    answer(`${echoed}]`),
    answer(''),
    err(failure('unreachable', 'the connection was reset')),
  ];

  it.each(settings)('is not shown in a failure, for any echo of the server: $kind', async (readAuth) => {
    for (const reply of replies) {
      const openPool: OpenHttpPool = () => ({
        request: async () => reply,
        sockets: () => 0,
        close: async () => undefined,
      });
      const ports = { openPool, clock: new FakeClock(), random: { next: () => 0.5 }, files: new FakeFiles(), digest };
      const { db } = openCluster({ ...bareCluster, readAuth }, { bodyLimit: 5000 }, ports).node({
        name: 'm1',
        url: 'http://m1',
      });
      const results = [
        await db.echo(neverAborted()),
        await db.graphs(neverAborted()),
        await db.statistics('g', neverAborted()),
      ];
      expect(results.every(({ ok }) => !ok)).toBe(true);
      expect(JSON.stringify(results)).not.toMatch(/canary|Y2FuYXJ5|dXNlcjpjYW5hcnk/);
    }
  });
});
