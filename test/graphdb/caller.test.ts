import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/graphdb/caller.ts';
import type { CallName } from '../../src/graphdb/calls.ts';
import { failure, failureReasons } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { AuthSettings } from '../../src/model/settings.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer, FakePool } from '../support/fake-pool.ts';

const good = answer({ error: false, message: 'Hello GSQL' });
const missing = answer('', 404);
const refused = answer({ error: true, code: 'REST-10016', message: 'canary' }, 403);
const token = (text: string): ReturnType<typeof answer> => answer({ error: false, token: text });
const fromFile: AuthSettings = { kind: 'bearer', token: { file: '/token' } };

/** The text of a reply. */
function textOf(caller: Caller, name: CallName) {
  return caller.text({ name }, async (bytes) => ok(new TextDecoder().decode(bytes)), neverAborted());
}

describe('a call', () => {
  it('is sent as defined in the table', async () => {
    const pool = new FakePool(['POST /informant/metrics/get/network', answer({})]);
    await callerOver(pool).json(
      'category',
      { segments: { category: 'network' }, body: { LatestNum: '1' } },
      neverAborted(),
    );
    expect(pool.requests).toEqual([
      {
        method: 'POST',
        path: '/informant/metrics/get/network',
        headers: { 'user-agent': 'graphwarden', 'accept-encoding': 'gzip', 'content-type': 'application/json' },
        body: '{"LatestNum":"1"}',
        maxBytes: 16_777_216,
      },
    ]);
  });

  it('gives text as bytes', async () => {
    const pool = new FakePool(['GET /informant/metrics', answer('a 1\n')]);
    const text = await textOf(callerOver(pool), 'informantMetrics');
    expect(factsOf(text)).toBe('a 1\n');
  });

  it('is not sent with an invalid path', async () => {
    const result = await callerOver(new FakePool()).json('statistics', { segments: { graph: '../x' } }, neverAborted());
    expect(failureOf(result)).toMatchObject({ reason: 'unsupported' });
  });

  it('names the call and its node in a failure, without parameter values', async () => {
    const pool = new FakePool([
      'GET /restpp/statistics/canary?token=canary',
      err(failure('unreachable', 'the connection was reset')),
    ]);
    const input = { segments: { graph: 'canary' }, query: { token: 'canary' } };
    const error = failureOf(await callerOver(pool).json('statistics', input, neverAborted()));
    expect(error.message).toBe('GET /restpp/statistics/{graph} on m1: the connection was reset');
  });
});

describe('credentials', () => {
  it.each([
    ['none', { kind: 'none' }, undefined, undefined],
    ['bearer', { kind: 'bearer', token: { value: new Secret('t') } }, 'Bearer t', 'Bearer t'],
    [
      'basic',
      { kind: 'basic', username: 'u', password: { value: new Secret('pä') } },
      'Basic dTpww6Q=',
      'Basic dTpww6Q=',
    ],
  ] as const)('%s are sent only to calls that require them', async (_kind, auth, restpp, gsql) => {
    const pool = new FakePool(
      ['GET /restpp/echo', good],
      ['GET /gsql/v1/schema/graphs', answer({ error: false, graphs: [] })],
      ['GET /api/ping', good],
      ['GET /informant/metrics', answer('a 1\n')],
    );
    const caller = callerOver(pool, { auth });
    await caller.json('echo', {}, neverAborted());
    await caller.json('schemaGraphs', {}, neverAborted());
    await caller.json('ping', {}, neverAborted());
    await textOf(caller, 'informantMetrics');
    expect(pool.requests.map(({ headers }) => headers.authorization)).toEqual([restpp, gsql, undefined, undefined]);
  });

  it('of the informant go to the informant only', async () => {
    const pool = new FakePool(['GET /restpp/echo', good], ['GET /informant/metrics', answer('a 1\n')]);
    const caller = callerOver(pool, { informantAuth: { kind: 'bearer', token: { value: new Secret('i') } } });
    await caller.json('echo', {}, neverAborted());
    await textOf(caller, 'informantMetrics');
    expect(pool.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer i']);
  });

  it('are read again after a refusal, and sent again if they changed', async () => {
    const files = new FakeFiles({ '/token': 'old' });
    const pool = new FakePool(['GET /restpp/echo', good]);
    const caller = callerOver(pool, { auth: fromFile, files });
    await caller.json('echo', {}, neverAborted());
    files.writeUnnoticed('/token', 'new');
    pool.alsoExpect(['GET /restpp/echo', refused], ['GET /restpp/echo', good]);
    expect((await caller.json('echo', {}, neverAborted())).ok).toBe(true);
    expect(pool.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer old',
      'Bearer old',
      'Bearer new',
    ]);
  });

  it('that have not changed are not sent twice', async () => {
    const pool = new FakePool(['GET /restpp/echo', refused]);
    const files = new FakeFiles({ '/token': 'same' });
    const error = failureOf(await callerOver(pool, { auth: fromFile, files }).json('echo', {}, neverAborted()));
    expect(error).toMatchObject({ reason: 'auth', status: 403, code: 'REST-10016' });
  });

  it('are not retried after a second refusal', async () => {
    const files = new FakeFiles({ '/token': 'one' });
    const turn = (): ReturnType<typeof answer> => {
      files.write('/token', `${files.reads.length}`);
      return refused;
    };
    const pool = new FakePool(['GET /restpp/echo', turn], ['GET /restpp/echo', turn]);
    expect(failureOf(await callerOver(pool, { auth: fromFile, files }).json('echo', {}, neverAborted())).reason).toBe(
      'auth',
    );
  });

  it('that cannot be read fail the call with auth, without a request', async () => {
    const result = await callerOver(new FakePool(), { auth: fromFile }).json('echo', {}, neverAborted());
    expect(failureOf(result).reason).toBe('auth');
  });
});

describe('a token that a secret is exchanged for', () => {
  const secret: AuthSettings = { kind: 'secret', secret: { value: new Secret('canary') } };

  it('is requested with the secret, and replaced once after a refusal', async () => {
    const pool = new FakePool(
      ['POST /gsql/v1/tokens', token('one')],
      ['GET /restpp/echo', refused],
      ['POST /gsql/v1/tokens', token('two')],
      ['GET /restpp/echo', good],
    );
    expect((await callerOver(pool, { auth: secret }).json('echo', {}, neverAborted())).ok).toBe(true);
    expect(pool.requests.map(({ body }) => body)).toEqual([
      '{"secret":"canary"}',
      undefined,
      '{"secret":"canary"}',
      undefined,
    ]);
    expect(pool.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer one',
      undefined,
      'Bearer two',
    ]);
  });

  it('is renewed again at once if the last renewal succeeded, and not otherwise', async () => {
    const pool = new FakePool(['POST /gsql/v1/tokens', token('one')]);
    const caller = callerOver(pool, { auth: secret });
    for (const fresh of ['two', 'three']) {
      pool.alsoExpect(
        ['GET /restpp/echo', refused],
        ['POST /gsql/v1/tokens', token(fresh)],
        ['GET /restpp/echo', good],
      );
      expect((await caller.json('echo', {}, neverAborted())).ok).toBe(true);
    }
    pool.alsoExpect(
      ['GET /restpp/echo', refused],
      ['POST /gsql/v1/tokens', token('four')],
      ['GET /restpp/echo', refused],
      ['GET /restpp/echo', refused],
    );
    expect((await caller.json('echo', {}, neverAborted())).ok).toBe(false);
    expect((await caller.json('echo', {}, neverAborted())).ok).toBe(false);
  });

  it('that is unavailable is the reported failure', async () => {
    const pool = new FakePool(['POST /gsql/v1/tokens', answer('', 503)]);
    const error = failureOf(await callerOver(pool, { auth: secret }).json('echo', {}, neverAborted()));
    expect(error.message).toBe('GET /restpp/echo on m1: POST /gsql/v1/tokens: the server responded with status 503');
  });
});

/** The reasons for which a call fails that is made twice. */
async function twice(pool: FakePool): Promise<readonly string[]> {
  const caller = callerOver(pool);
  const licenseFailure = async (): Promise<string> =>
    failureOf(await caller.json('license', {}, neverAborted())).reason;
  return [await licenseFailure(), await licenseFailure()];
}

describe('the path form', () => {
  const list = { error: false, results: [] };

  it('is found by a probe after the first missing path, and remembered', async () => {
    const pool = new FakePool(
      ['GET /restpp/showprocesslistall', missing],
      ['GET /restpp/echo', missing],
      ['GET /echo', good],
      ['GET /showprocesslistall', answer(list)],
      ['GET /showdelayedlistall', answer(list)],
    );
    const caller = callerOver(pool);
    expect(factsOf(await caller.json('processListAll', {}, neverAborted()))).toEqual(list);
    expect(factsOf(await caller.json('delayedList', {}, neverAborted()))).toEqual(list);
  });

  it('is probed if a page of another program answers', async () => {
    const page = answer('<!doctype html><title>studio</title>');
    const pool = new FakePool(
      ['GET /gsql/v1/schema/graphs', page],
      ['GET /gsql/v1/version', page],
      ['GET /gsqlserver/gsql/version', answer('GSQL version: 3.9.3')],
      ['GET /gsqlserver/gsql/schema/graphs', answer({ error: false, graphs: [] })],
    );
    expect((await callerOver(pool).json('schemaGraphs', {}, neverAborted())).ok).toBe(true);
  });

  it('is not probed again for a page of another program, once it is confirmed', async () => {
    const page = answer('<!doctype html><title>maintenance</title>');
    const pool = new FakePool(['GET /restpp/echo', good], ['GET /restpp/showprocesslistall', page]);
    const caller = callerOver(pool);
    expect((await caller.json('echo', {}, neverAborted())).ok).toBe(true);
    expect(failureOf(await caller.json('processListAll', {}, neverAborted())).reason).toBe('body');
  });

  it('is not changed by a call that the server has in no form', async () => {
    const pool = new FakePool(
      ['GET /restpp/showlicenseinfo', missing],
      ['GET /restpp/echo', good],
      ['GET /restpp/showlicenseinfo', missing],
    );
    const caller = callerOver(pool);
    expect(failureOf(await caller.json('license', {}, neverAborted())).reason).toBe('unsupported');
    expect(failureOf(await caller.json('license', {}, neverAborted())).reason).toBe('unsupported');
  });

  it('is confirmed if the probe is refused, and unknown if it fails otherwise', async () => {
    const missingCall = ['GET /restpp/showlicenseinfo', missing] as const;
    const spoken = new FakePool(missingCall, ['GET /restpp/echo', refused], missingCall);
    expect(await twice(spoken)).toEqual(['unsupported', 'unsupported']);
    const down = ['GET /restpp/echo', answer('', 503)] as const;
    expect(await twice(new FakePool(missingCall, down, missingCall, down))).toEqual(['unsupported', 'unsupported']);
  });

  it('of the configured version is the only one tried', async () => {
    const pool = new FakePool(['GET /showlicenseinfo', missing]);
    const result = await callerOver(pool, { serverVersion: '3.9' }).json('license', {}, neverAborted());
    expect(failureOf(result).reason).toBe('unsupported');
  });

  it('is detected again after an upgrade, a minute later at the earliest', async () => {
    const clock = new FakeClock();
    const pool = new FakePool(
      ['GET /restpp/echo', missing],
      ['GET /restpp/echo', missing],
      ['GET /echo', good],
      ['GET /echo', good],
    );
    const caller = callerOver(pool, { clock });
    expect((await caller.json('echo', {}, neverAborted())).ok).toBe(true);
    pool.alsoExpect(['GET /echo', missing]);
    expect((await caller.json('echo', {}, neverAborted())).ok).toBe(false);
    await clock.advance(60_000);
    pool.alsoExpect(
      ['GET /echo', missing],
      ['GET /echo', missing],
      ['GET /restpp/echo', good],
      ['GET /restpp/echo', good],
    );
    expect((await caller.json('echo', {}, neverAborted())).ok).toBe(true);
  });
});

it('a call returns facts or a known reason for any reply', async () => {
  const replies = fc.record({
    status: fc.integer({ min: 200, max: 599 }),
    headers: fc.dictionary(fc.constantFrom('content-type', 'retry-after', 'x'), fc.string()),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
    ),
  });
  await fc.assert(
    fc.asyncProperty(replies, async (reply) => {
      const caller = callerOver({ request: async () => ok(reply) });
      const result = await caller.json('processListAll', {}, neverAborted());
      if (!result.ok) expect(failureReasons).toContain(result.error.reason);
    }),
  );
});
