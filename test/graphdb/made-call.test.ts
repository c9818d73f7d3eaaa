import { describe, expect, it } from 'vitest';
import { createAbortCall } from '../../src/graphdb/abort-call.ts';
import { createCaller } from '../../src/graphdb/caller.ts';
import { openCluster } from '../../src/graphdb/connect.ts';
import { createCredentials } from '../../src/graphdb/credentials.ts';
import { type MadeCall, redactedUrl } from '../../src/graphdb/made-call.ts';
import { createPathForms } from '../../src/graphdb/path-forms.ts';
import { cancelled } from '../../src/kernel/cancelled.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { bareCluster, patient } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer, FakePool } from '../support/fake-pool.ts';
import { bearer, pathOf } from './guarded-node.ts';

const good = answer({ error: false, message: 'Hello GSQL' });
const list = answer({ error: false, results: [] });
const missing = answer('', 404);

/** A caller that keeps what it tells of its calls. */
function told(pool: FakePool, auth = bearer('t')) {
  const clock = new FakeClock();
  const files = new FakeFiles({ '/token': 'old' });
  const made: MadeCall[] = [];
  const caller = createCaller({
    node: 'm1',
    origin: 'https://m1:14240',
    prefix: '/behind',
    pool,
    credentials: createCredentials(auth, files, clock),
    forms: createPathForms('auto', clock),
    maxBytes: 1000,
    clock,
    called: (call) => made.push(call),
  });
  return { caller, made, clock, files };
}

describe('a call that was made', () => {
  it('is told with its times, its status and nothing that was asked or answered', async () => {
    const pool = new FakePool([
      'GET /behind/restpp/statistics/fraud?seconds=canary',
      async () => {
        await clock.sleep(250);
        return answer({ canary: {} });
      },
    ]);
    const { caller, made, clock } = told(pool);
    const started = clock.now();
    const input = { segments: { graph: 'fraud' }, query: { seconds: 'canary' } };
    const call = caller.json('statistics', input, patient());
    await clock.advance(250);
    expect((await call).ok).toBe(true);
    expect(made).toEqual([
      {
        node: 'm1',
        name: 'statistics',
        method: 'GET',
        template: '/restpp/statistics/{graph}',
        url: 'https://m1:14240/behind/restpp/statistics/fraud?seconds=REDACTED',
        status: 200,
        bytes: 13,
        started,
        ended: clock.now(),
        isCancelled: false,
        resends: 0,
      },
    ]);
  });

  it.each([
    ['a status', answer('', 500), { status: 500, failure: 'status' }],
    ['a refusal', answer('', 403), { status: 403, failure: 'auth' }],
    ['an error flag', answer({ error: true, message: 'canary' }), { status: 200, failure: 'body' }],
    ['no answer', err(failure('unreachable', 'canary')), { failure: 'unreachable' }],
  ])('has its failure: %s', async (_, reply, expected) => {
    const { caller, made } = told(new FakePool(['GET /behind/api/ping', reply]));
    await caller.json('ping', {}, patient());
    expect(made).toMatchObject([{ ...expected, isCancelled: false }]);
    expect(made[0]?.status).toBe('status' in expected ? expected.status : undefined);
    expect(JSON.stringify(made)).not.toContain('canary');
  });

  it.each([
    ['its time was over', undefined, false],
    ['nobody wants it any more', cancelled, true],
  ])('that was given up tells whether %s', async (_, reason, isCancelled) => {
    const abort = new AbortController();
    const giveUp = (): ReturnType<typeof answer> => {
      abort.abort(reason);
      return err(failure('timeout', 'given up'));
    };
    const { caller, made } = told(new FakePool(['GET /behind/api/ping', giveUp]));
    await caller.json('ping', {}, abort.signal);
    expect(made).toMatchObject([{ failure: 'timeout', isCancelled }]);
  });

  it('that is asked again says so, and in which form', async () => {
    const pool = new FakePool(
      ['GET /behind/restpp/showprocesslistall', missing],
      ['GET /behind/restpp/echo', missing],
      ['GET /behind/echo', good],
      ['GET /behind/showprocesslistall', list],
    );
    const { caller, made } = told(pool);
    await caller.json('processListAll', {}, patient());
    expect(made.map(({ template, resends }) => [template, resends])).toEqual([
      ['/restpp/showprocesslistall', 0],
      ['/restpp/echo', 0],
      ['/echo', 0],
      ['/showprocesslistall', 1],
    ]);
  });

  it('that is asked again with other credentials says so', async () => {
    const refused = (): ReturnType<typeof answer> => {
      files.write('/token', 'new');
      return answer('', 401);
    };
    const pool = new FakePool(['GET /behind/restpp/echo', refused], ['GET /behind/restpp/echo', good]);
    const { caller, made, files } = told(pool, { kind: 'bearer', token: { file: '/token' } });
    await caller.json('echo', {}, patient());
    expect(made.map(({ status, resends }) => [status, resends])).toEqual([
      [401, 0],
      [200, 1],
    ]);
  });
});

describe('a watched node', () => {
  const cycle = { traceId: '1'.repeat(32), spanId: '2'.repeat(16) };

  it('tells the calls of one read to its watch, all calls to the cluster, and whom a list was for', async () => {
    const [ours, all]: [MadeCall[], MadeCall[]] = [[], []];
    const heard: unknown[] = [];
    const called = 'GET /restpp/showprocesslistall';
    const pool = new FakePool([called, list], [called, list], ['GET /api/ping', good]);
    const cluster = openCluster(
      bareCluster,
      { bodyLimit: 5000, called: (call) => all.push(call), heard: (one) => heard.push(one.cycle) },
      { openPool: () => pool, clock: new FakeClock(), random: { next: () => 0 }, files: new FakeFiles() },
    );
    const node = cluster.node({ name: 'm1', url: 'http://m1:14240' });
    await node.db.processListAll(patient());
    const db = node.watched({ cycle, called: (call) => ours.push(call) });
    await db.processListAll(patient());
    await db.ping(patient());
    expect([db.cluster, db.node]).toEqual(['test', 'm1']);
    expect(ours.map(({ name }) => name)).toEqual(['processListAll', 'ping']);
    expect(all.map(({ name }) => name)).toEqual(['processListAll', 'processListAll', 'ping']);
    expect(heard).toEqual([undefined, cycle]);
  });

  it('shares what it remembers with the reads that nobody watches', async () => {
    const version = answer({ error: 'false', message: `gpe release_4.1_x ${'a'.repeat(40)}` });
    const pool = new FakePool(['GET /restpp/version', version], ['GET /gsql/v1/version', answer('')]);
    const cluster = openCluster(
      { ...bareCluster, serverVersion: '4.1.0' },
      { bodyLimit: 5000 },
      { openPool: () => pool, clock: new FakeClock(), random: { next: () => 0 }, files: new FakeFiles() },
    );
    const node = cluster.node({ name: 'm1', url: 'http://m1:14240' });
    const first = await node.db.versions(patient());
    expect(await node.watched({ cycle, called: () => undefined }).versions(patient())).toEqual(first);
  });
});

describe('an abort', () => {
  const id = '65538.RESTPP_1_1.1790000000000.N';
  const order = { path: pathOf(id), address: '10.0.0.1:14240' };

  it.each([
    ['taken', { error: false, results: [{ aborted_queries: [] }] }, {}],
    ['answered as nobody should', { error: false, results: [] }, { failure: 'body' }],
  ])('that is %s is told to the cluster and to whoever ordered it, without the id', async (_what, body, failed) => {
    const [ours, all]: [MadeCall[], MadeCall[]] = [[], []];
    const clock = new FakeClock();
    const parts = { node: 'm1', origin: 'http://m1:14240', prefix: '/p', maxBytes: 1000, clock };
    const given = answer(body);
    const reply = given.ok ? ok({ ...given.value, peer: '10.0.0.1:14240' }) : given;
    const abort = createAbortCall({
      ...parts,
      pool: new FakePool([`GET /p/restpp${order.path}`, reply]),
      credentials: createCredentials({ kind: 'none' }, new FakeFiles(), clock),
      form: () => 'current',
      called: (call) => all.push(call),
    });
    await abort({ ...order, called: (call) => ours.push(call) }, patient());
    expect(ours).toEqual([
      {
        node: 'm1',
        name: 'abort',
        method: 'GET',
        template: '/restpp/abortquery/{graph}',
        url: 'http://m1:14240/p/restpp/abortquery/fraud?requestid=REDACTED',
        status: 200,
        bytes: JSON.stringify(body).length,
        peer: '10.0.0.1:14240',
        started: clock.now(),
        ended: clock.now(),
        isCancelled: false,
        resends: 0,
        ...failed,
      },
    ]);
    expect(all).toEqual(ours);
  });
});

describe('a redacted url', () => {
  it.each([
    ['/echo', 'http://m1/echo'],
    ['/a?x=1', 'http://m1/a?x=REDACTED'],
    ['/a?x=1&y=&z', 'http://m1/a?x=REDACTED&y=REDACTED&z=REDACTED'],
    ['/a?x=1?y=2', 'http://m1/a?x=REDACTED'],
  ])('of %s is %s', (path, url) => {
    expect(redactedUrl('http://m1', path)).toBe(url);
  });
});
