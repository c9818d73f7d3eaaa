import { describe, expect, it } from 'vitest';
import { type AbortCallOptions, abortPath, createAbortCall } from '../../src/graphdb/abort-call.ts';
import type { CompletedCall } from '../../src/graphdb/completed-call.ts';
import { createCredentials } from '../../src/graphdb/credentials.ts';
import { failure, failureReasons } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { AuthSettings } from '../../src/model/settings.ts';
import { neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer, FakePool } from '../support/fake-pool.ts';
import { bearer, pathOf } from './guarded-node.ts';

const id = '65538.RESTPP_1_1.1790000000000.N';
const order = { id, graph: 'fraud', connection: 'c1', mayWrite: () => true };
const request = `GET /restpp${pathOf(id)}`;
const aborted = answer({ error: false, results: [{ aborted_queries: [{ requestid: id, url: '' }] }] });
const accepted = { kind: 'accepted', aborted: [id] };

interface CallOptions extends Partial<Pick<AbortCallOptions, 'form' | 'prefix' | 'onCall'>> {
  readonly auth?: AuthSettings;
  readonly files?: FakeFiles;
}

/** The abort call over a pool, with no credentials unless some are given. */
function callOver(pool: FakePool, { auth = { kind: 'none' }, files = new FakeFiles(), ...more }: CallOptions = {}) {
  const clock = new FakeClock();
  const credentials = createCredentials(auth, files, clock);
  const parts = {
    node: 'm1',
    origin: 'http://m1:14240',
    prefix: '',
    form: () => 'current' as const,
    maxBytes: 5000,
    clock,
  };
  return { abort: createAbortCall({ ...parts, pool, credentials, ...more }), credentials };
}

describe('the abort call', () => {
  it('is one GET over the connection of the list', async () => {
    const pool = new FakePool([request, aborted]);
    expect(await callOver(pool, { auth: bearer('may-abort') }).abort(order, neverAborted())).toEqual(accepted);
    expect(pool.requests).toEqual([
      {
        method: 'GET',
        path: `/restpp/abortquery/fraud?requestid=${id}`,
        headers: { 'user-agent': 'graphwarden', 'accept-encoding': 'gzip', authorization: 'Bearer may-abort' },
        maxBytes: 5000,
        bound: { connection: 'c1', mayWrite: expect.any(Function) },
      },
    ]);
  });

  it('has the path form of its list, after the path of the node URL', async () => {
    const pool = new FakePool([`GET ${pathOf(id)}`, aborted], [`GET /behind/proxy/restpp${pathOf(id)}`, aborted]);
    expect(await callOver(pool, { form: () => 'older' }).abort(order, neverAborted())).toEqual(accepted);
    expect(await callOver(pool, { prefix: '/behind/proxy' }).abort(order, neverAborted())).toEqual(accepted);
  });

  it.each([
    ['the id is not valid', { id: `${id}&url=.*` }, {}],
    ['the graph is not valid', { graph: 'fraud?requestid=all&x=' }, {}],
    ['the connection of the list is unknown', { connection: '' }, {}],
    ['the path form of the list is unknown', {}, { form: () => undefined }],
    ['the token cannot be read', {}, { auth: { kind: 'bearer', token: { file: '/gone' } } as const }],
    ['the token cannot be sent', {}, { auth: bearer('line\nbreak') }],
    ['no token is available', {}, { auth: { kind: 'secret', secret: { value: new Secret('s') } } as const }],
  ])('is not sent if %s', async (_what, change, options) => {
    const { abort } = callOver(new FakePool(), options);
    expect(await abort({ ...order, ...change }, neverAborted())).toEqual({
      kind: 'unsent',
      reason: expect.any(String),
    });
  });

  it('is not sent after a hanging token file, even if the list was valid at the start', async () => {
    const files = new FakeFiles({ '/token': 'may-abort' });
    const read = Promise.withResolvers<void>();
    const readText = files.readText.bind(files);
    files.readText = async (path) => {
      await read.promise;
      return await readText(path);
    };
    const pool = new FakePool();
    const clock = new FakeClock();
    const requested: string[] = [];
    const abort = createAbortCall({
      node: 'm1',
      origin: 'http://m1:14240',
      prefix: '',
      form: () => 'current',
      maxBytes: 5000,
      clock,
      pool,
      credentials: createCredentials({ kind: 'bearer', token: { file: '/token' } }, files, clock),
    });
    const mayWrite = (): boolean => requested.push('permission') > 0;
    const reply = abort({ ...order, mayWrite }, neverAborted());
    await clock.advance(3800);
    read.resolve();
    expect(await reply).toEqual({ kind: 'unsent', reason: 'the credentials could not be read in time' });
    expect([requested, pool.requests]).toEqual([[], []]);
  });

  it('requires a final permission before it is written', async () => {
    const pool = new FakePool([request, aborted]);
    const reply = await callOver(pool).abort({ ...order, mayWrite: () => false }, neverAborted());
    expect(reply).toEqual({ kind: 'unsent', reason: 'not permitted' });
  });

  it('is not sent if it was cancelled before', async () => {
    expect(await callOver(new FakePool()).abort(order, AbortSignal.abort())).toMatchObject({ kind: 'unsent' });
  });

  it.each(failureReasons)('is lost if the result is unknown: %s', async (reason) => {
    const pool = new FakePool([request, err(failure(reason, 'no answer'))]);
    expect(await callOver(pool).abort(order, neverAborted())).toEqual({ kind: 'lost', reason: 'no answer' });
  });

  it('is unsent if the pool reports that no byte was written', async () => {
    const pool = new FakePool([request, err({ ...failure('unreachable', 'elsewhere'), unsent: true })]);
    expect(await callOver(pool).abort(order, neverAborted())).toEqual({ kind: 'unsent', reason: 'elsewhere' });
  });

  it.each([
    ['an expected reply', 200, { results: [{ aborted_queries: [] }] }, undefined],
    ['a refusal with a good status', 200, { error: true, message: 'no' }, 'body'],
    ['nonsense with a good status', 200, 'nonsense', 'body'],
    ['a refusal with its status', 403, { error: true, message: 'no' }, undefined],
  ])('reports to the listener whether the reply was valid: %s', async (_, status, body, bad) => {
    const calls: CompletedCall[] = [];
    const onCall = (call: CompletedCall): void => void calls.push(call);
    const { abort } = callOver(new FakePool([request, answer(body, status)]), { onCall });
    await abort({ ...order, onCall }, neverAborted());
    expect(calls.map((call) => [call.status, call.failure])).toEqual([
      [status, bad],
      [status, bad],
    ]);
  });

  it('releases the memory of its reply', async () => {
    let released = 0;
    const release = (): void => {
      released += 1;
    };
    const pool = new FakePool([request, aborted.ok ? { ...aborted, value: { ...aborted.value, release } } : aborted]);
    expect(await callOver(pool).abort(order, neverAborted())).toEqual(accepted);
    expect(released).toBe(1);
  });

  it('releases the memory of a reply that arrives after it was cancelled', async () => {
    const given = new AbortController();
    const released = Promise.withResolvers<string>();
    const late = ok({ status: 200, headers: {}, body: new Uint8Array(), release: () => released.resolve('released') });
    const answered = Promise.withResolvers<typeof late>();
    const pool = new FakePool();
    pool.request = () => {
      given.abort();
      return answered.promise;
    };
    expect(await callOver(pool).abort(order, given.signal)).toMatchObject({ kind: 'unsent' });
    answered.resolve(late);
    expect(await released.promise).toBe('released');
  });
});

describe('after a refusal', () => {
  const refused = answer({ error: true, code: 'REST-10016', message: 'canary' }, 403);

  it('it is not retried, and the next abort has the current token of the file', async () => {
    const files = new FakeFiles({ '/token': 'old' });
    const pool = new FakePool([request, refused]);
    const { abort } = callOver(pool, { auth: { kind: 'bearer', token: { file: '/token' } }, files });
    const reply = await abort(order, neverAborted());
    const reason = 'the server responded with status 403 (REST-10016)';
    expect(reply).toEqual({ kind: 'refused', reason, isUnauthorized: true });
    files.write('/token', 'new');
    pool.alsoExpect([request, aborted]);
    expect(await abort(order, neverAborted())).toEqual(accepted);
    expect(pool.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });

  it('the credential is not reported as refused if the file has another one', async () => {
    const files = new FakeFiles({ '/token': 'old' });
    const rotated = async () => {
      files.write('/token', 'new');
      return refused;
    };
    const pool = new FakePool([request, rotated]);
    const { abort } = callOver(pool, { auth: { kind: 'bearer', token: { file: '/token' } }, files });
    expect(await abort(order, neverAborted())).toMatchObject({ kind: 'refused', isUnauthorized: false });
  });

  it('an exchanged token is not sent again until it is replaced', async () => {
    const pool = new FakePool([request, answer('', 401)]);
    const { abort, credentials } = callOver(pool, { auth: { kind: 'secret', secret: { value: new Secret('s') } } });
    let tokens = 0;
    const exchange = async () => {
      tokens += 1;
      return ok({ token: `t${tokens}` });
    };
    const prepare = () => credentials.authorize('restpp', exchange, neverAborted());
    await prepare();
    expect(await abort(order, neverAborted())).toMatchObject({ kind: 'refused' });
    expect(await abort(order, neverAborted())).toEqual({ kind: 'unsent', reason: 'no token is available' });
    await prepare();
    pool.alsoExpect([request, aborted]);
    expect(await abort(order, neverAborted())).toEqual(accepted);
    expect(pool.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2']);
  });
});

describe('the path of an abort', () => {
  it('has one id and one graph', () => {
    expect(abortPath(order)).toEqual(ok(pathOf(id)));
    const longest = `_${'g'.repeat(127)}`;
    expect(abortPath({ id, graph: longest })).toEqual(ok(pathOf(id, longest)));
  });

  it.each([
    '',
    'all',
    '*',
    `${id}&requestid=all`,
    `${id}&url=.*`,
    `${id}#`,
    `${id}\n`,
    `${id};${id}`,
    encodeURIComponent('65538.RESTPP_1_1.1790000000000.N?'),
    id.toLowerCase(),
    `${id} HTTP/1.1\r\n\r\nGET ${pathOf(id)}`,
  ])('refuses the id %j', (hostile) => {
    expect(abortPath({ id: hostile, graph: 'fraud' })).toEqual(err('id'));
  });

  it.each([
    '',
    'fraud/..',
    'fraud?requestid=all&x=',
    'frau%64',
    'fräud',
    `g${'g'.repeat(128)}`,
    '/restpp',
    'http://elsewhere',
  ])('refuses the graph %j', (hostile) => {
    expect(abortPath({ id, graph: hostile })).toEqual(err('graph'));
  });
});

describe('a hostile abort reply', () => {
  it.each([
    ['nested 9,000 deep', `{"error":true,"message":"x","results":${'['.repeat(9000)}${']'.repeat(9000)}}`],
    ['nested as deep as allowed', `{"error":true,"message":"x","results":${'['.repeat(31)}${']'.repeat(31)}}`],
    ['of 200,000 ids', `{"error":false,"results":[{"aborted_queries":[${'{},'.repeat(200_000)}{}]}]}`],
  ])('%s is lost or refused, and is not thrown', async (_name, body) => {
    const pool = new FakePool([request, answer(body)]);
    const reply = await callOver(pool).abort(order, neverAborted());
    expect(['lost', 'refused']).toContain(reply.kind);
  });
});
