import { describe, expect, it } from 'vitest';
import { createAbortCall } from '../../src/graphdb/abort-call.ts';
import { createCaller } from '../../src/graphdb/caller.ts';
import { type CompletedCall, redactedUrl } from '../../src/graphdb/completed-call.ts';
import { openCluster } from '../../src/graphdb/connect.ts';
import { createCredentials } from '../../src/graphdb/credentials.ts';
import { createPathForms } from '../../src/graphdb/path-forms.ts';
import { cancelled, failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { bareCluster, neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { digest } from '../support/digest.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer, FakePool } from '../support/fake-pool.ts';
import { bearer, pathOf } from './guarded-node.ts';

const good = answer({ error: false, message: 'Hello GSQL' });
const list = answer({ error: false, results: [] });
const missing = answer('', 404);

/** Returns a caller with the list of calls that it reports. */
function reported(pool: FakePool, auth = bearer('t')) {
  const clock = new FakeClock();
  const files = new FakeFiles({ '/token': 'old' });
  const made: CompletedCall[] = [];
  const caller = createCaller({
    node: 'm1',
    origin: 'https://m1:14240',
    prefix: '/behind',
    pool,
    credentials: createCredentials(auth, files, clock),
    informantCredentials: createCredentials({ kind: 'none' }, files, clock),
    forms: createPathForms('auto', clock),
    maxBytes: 1000,
    clock,
    digest,
    onCall: (call) => made.push(call),
  });
  return { caller, made, clock, files };
}

describe('a call that was made', () => {
  it('is reported with its times and status, and without contents of request or reply', async () => {
    const pool = new FakePool([
      'GET /behind/restpp/statistics/fraud?seconds=canary',
      async () => {
        await clock.sleep(250);
        return answer({ canary: {} });
      },
    ]);
    const { caller, made, clock } = reported(pool);
    const started = clock.now();
    const input = { segments: { graph: 'fraud' }, query: { seconds: 'canary' } };
    const call = caller.json('statistics', input, neverAborted());
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
        retries: 0,
      },
    ]);
  });

  it.each([
    ['a status', answer('', 500), { status: 500, failure: 'status' }],
    ['a refusal', answer('', 403), { status: 403, failure: 'auth' }],
    ['an error flag', answer({ error: true, message: 'canary' }), { status: 200, failure: 'body' }],
    ['no answer', err(failure('unreachable', 'canary')), { failure: 'unreachable' }],
  ])('has its failure: %s', async (_, reply, expected) => {
    const { caller, made } = reported(new FakePool(['GET /behind/api/ping', reply]));
    await caller.json('ping', {}, neverAborted());
    expect(made).toMatchObject([{ ...expected, isCancelled: false }]);
    expect(made[0]?.status).toBe('status' in expected ? expected.status : undefined);
    expect(JSON.stringify(made)).not.toContain('canary');
  });

  it.each([
    ['it timed out', undefined, false],
    ['the caller cancelled it', cancelled, true],
  ])('that was aborted reports whether %s', async (_, reason, isCancelled) => {
    const abort = new AbortController();
    const giveUp = (): ReturnType<typeof answer> => {
      abort.abort(reason);
      return err(failure('timeout', 'given up'));
    };
    const { caller, made } = reported(new FakePool(['GET /behind/api/ping', giveUp]));
    await caller.json('ping', {}, abort.signal);
    expect(made).toMatchObject([{ failure: 'timeout', isCancelled }]);
  });

  it.each([
    ['a reply', ok({ status: 200, headers: {}, body: Buffer.from('{"error":false,"message":"pong"}'), queued: 70 })],
    ['a failure', err({ ...failure('timeout', 'late'), queued: 70 })],
  ])('has the time for which it waited for a connection: %s', async (_, reply) => {
    const { caller, made } = reported(new FakePool(['GET /behind/api/ping', reply]));
    await caller.json('ping', {}, neverAborted());
    expect(made).toMatchObject([{ queued: 70 }]);
  });

  it('that is repeated states that, with the path form', async () => {
    const pool = new FakePool(
      ['GET /behind/restpp/showprocesslistall', missing],
      ['GET /behind/restpp/echo', missing],
      ['GET /behind/echo', good],
      ['GET /behind/showprocesslistall', list],
    );
    const { caller, made } = reported(pool);
    await caller.json('processListAll', {}, neverAborted());
    expect(made.map(({ template, retries }) => [template, retries])).toEqual([
      ['/restpp/showprocesslistall', 0],
      ['/restpp/echo', 0],
      ['/echo', 0],
      ['/showprocesslistall', 1],
    ]);
  });

  it('that is repeated with other credentials states that', async () => {
    const refused = (): ReturnType<typeof answer> => {
      files.write('/token', 'new');
      return answer('', 401);
    };
    const pool = new FakePool(['GET /behind/restpp/echo', refused], ['GET /behind/restpp/echo', good]);
    const { caller, made, files } = reported(pool, { kind: 'bearer', token: { file: '/token' } });
    await caller.json('echo', {}, neverAborted());
    expect(made.map(({ status, retries }) => [status, retries])).toEqual([
      [401, 0],
      [200, 1],
    ]);
  });
});

describe('an observed node', () => {
  const cycle = { traceId: '1'.repeat(32), spanId: '2'.repeat(16) };

  it('reports the calls of one poll to its observer, and all calls to the cluster', async () => {
    const [ours, all]: [CompletedCall[], CompletedCall[]] = [[], []];
    const called = 'GET /restpp/showprocesslistall';
    const pool = new FakePool([called, list], [called, list], ['GET /api/ping', good]);
    const cluster = openCluster(
      bareCluster,
      { bodyLimit: 5000, onCall: (call) => all.push(call) },
      { openPool: () => pool, clock: new FakeClock(), random: { next: () => 0 }, files: new FakeFiles(), digest },
    );
    const node = cluster.node({ name: 'm1', url: 'http://m1:14240' });
    await node.db.processListAll(neverAborted());
    const db = node.observedBy({ cycle, onCall: (call) => ours.push(call) });
    await db.processListAll(neverAborted());
    await db.ping(neverAborted());
    expect([db.cluster, db.node]).toEqual(['test', 'm1']);
    expect(ours.map(({ name }) => name)).toEqual(['processListAll', 'ping']);
    expect(all.map(({ name }) => name)).toEqual(['processListAll', 'processListAll', 'ping']);
  });

  it('shares its caches with unobserved requests', async () => {
    const version = answer({ error: 'false', message: `gpe release_4.1_x ${'a'.repeat(40)}` });
    const pool = new FakePool(['GET /restpp/version', version], ['GET /gsql/v1/version', answer('')]);
    const cluster = openCluster(
      { ...bareCluster, serverVersion: '4.1.0' },
      { bodyLimit: 5000 },
      { openPool: () => pool, clock: new FakeClock(), random: { next: () => 0 }, files: new FakeFiles(), digest },
    );
    const node = cluster.node({ name: 'm1', url: 'http://m1:14240' });
    const first = await node.db.versions(neverAborted());
    expect(await node.observedBy({ cycle, onCall: () => undefined }).versions(neverAborted())).toEqual(first);
  });
});

describe('an abort', () => {
  const id = '65538.RESTPP_1_1.1790000000000.N';
  const order = { id, graph: 'fraud', connection: 'c1', mayWrite: () => true };

  it.each([
    ['accepted', { error: false, results: [{ aborted_queries: [] }] }, {}],
    ['answered with an invalid reply', { error: false, results: [] }, { failure: 'body' }],
  ])('that is %s is reported to the cluster and to its caller, without the id', async (_what, body, failed) => {
    const [ours, all]: [CompletedCall[], CompletedCall[]] = [[], []];
    const clock = new FakeClock();
    const parts = { node: 'm1', origin: 'http://m1:14240', prefix: '/p', maxBytes: 1000, clock };
    const given = answer(body);
    const reply = given.ok ? ok({ ...given.value, peer: '10.0.0.1:14240' }) : given;
    const abort = createAbortCall({
      ...parts,
      pool: new FakePool([`GET /p/restpp${pathOf(id)}`, reply]),
      credentials: createCredentials({ kind: 'none' }, new FakeFiles(), clock),
      form: () => 'current',
      onCall: (call) => all.push(call),
    });
    await abort({ ...order, onCall: (call) => ours.push(call) }, neverAborted());
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
        retries: 0,
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
