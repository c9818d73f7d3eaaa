import { describe, expect, it } from 'vitest';
import type { RequestToken } from '../../src/graphdb/access-tokens.ts';
import { TokenCache } from '../../src/graphdb/access-tokens.ts';
import { createSecretReader } from '../../src/graphdb/secret-reader.ts';
import { type Failure, failure } from '../../src/kernel/failure.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';
import { factsOf, failureOf, neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { FakeFiles } from '../support/fake-files.ts';

interface Server {
  readonly clock: FakeClock;
  readonly files: FakeFiles;
  readonly keeper: TokenCache;
  readonly exchange: RequestToken;
  /** Number of token requests. */
  requests: number;
  /** Seconds that a token lasts. */
  life: number | undefined;
  error: Failure | undefined;
  /** Lets exchanges hang until it resolves. */
  hold: Promise<unknown>;
}

/** A token endpoint that gives `token-1`, `token-2`, … and a cache that requests them. */
function start(): Server {
  const clock = new FakeClock();
  const files = new FakeFiles({ '/secret': 's' });
  const keeper = new TokenCache(createSecretReader({ file: '/secret' }, files), clock);
  const server: Server = {
    clock,
    files,
    keeper,
    exchange,
    requests: 0,
    life: 1000,
    error: undefined,
    hold: Promise.resolve(),
  };
  async function exchange(): Promise<Result<Readonly<Record<string, unknown>>, Failure>> {
    server.requests += 1;
    const mine = server.requests;
    await server.hold;
    if (server.error !== undefined) return err(server.error);
    const expiration = server.life === undefined ? 'soon' : Math.floor(clock.now().wall / 1000) + server.life;
    return ok({ error: false, token: `token-${mine}`, expiration });
  }
  return server;
}

/** A node that never answers. */
const hung: RequestToken = (_name, _body, signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(err(failure('timeout', 'hung'))));
  });

async function token({ keeper, exchange }: Server): Promise<string | undefined> {
  return factsOf(await keeper.token(exchange, neverAborted()))?.reveal();
}

describe('a token', () => {
  it('is requested once and cached', async () => {
    const server = start();
    expect(server.keeper.expiresAt()).toBeUndefined();
    expect([await token(server), await token(server)]).toEqual(['token-1', 'token-1']);
    expect(server.requests).toBe(1);
    expect(server.keeper.expiresAt()).toBe(server.clock.now().wall / 1000 + 1000);
  });

  it('is requested once for all concurrent callers', async () => {
    const server = start();
    const all = await Promise.all([token(server), token(server), token(server)]);
    expect(all).toEqual(['token-1', 'token-1', 'token-1']);
    expect(server.requests).toBe(1);
  });

  it('is renewed before it ends, while the old one is still used', async () => {
    const server = start();
    await token(server);
    await server.clock.advance(799_000);
    expect(await token(server)).toBe('token-1');
    expect(server.requests).toBe(1);
    await server.clock.advance(1000);
    expect(await token(server)).toBe('token-1');
    await server.clock.settle();
    expect(await token(server)).toBe('token-2');
    expect(server.requests).toBe(2);
  });

  it('is not used after its end: the next one is waited for', async () => {
    const server = start();
    await token(server);
    await server.clock.advance(1_000_000);
    expect(await token(server)).toBe('token-2');
  });

  it('of unknown end is renewed twice a day', async () => {
    const server = start();
    server.life = undefined;
    await token(server);
    expect(server.keeper.expiresAt()).toBeUndefined();
    await server.clock.advance(9.5 * 3_600_000);
    expect(await token(server)).toBe('token-1');
    await server.clock.advance(3_600_000);
    await token(server);
    await server.clock.settle();
    expect(await token(server)).toBe('token-2');
  });

  it('that seems to have expired already indicates a wrong clock: it is used, and renewed a minute later', async () => {
    const server = start();
    server.life = -5000;
    expect([await token(server), await token(server)]).toEqual(['token-1', 'token-1']);
    await server.clock.advance(60_000);
    await token(server);
    await server.clock.settle();
    expect(await token(server)).toBe('token-2');
    expect(server.requests).toBe(2);
  });
});

describe('a refusal', () => {
  it('replaces the token once', async () => {
    const server = start();
    const used = factsOf(await server.keeper.token(server.exchange, neverAborted()));
    expect(server.keeper.onRejected(used, 'echo')).toBe(true);
    expect(await token(server)).toBe('token-2');
  });

  it('of a token that was replaced since only leads to the new one', async () => {
    const server = start();
    const used = factsOf(await server.keeper.token(server.exchange, neverAborted()));
    server.keeper.onRejected(used, 'echo');
    await token(server);
    expect(server.keeper.onRejected(used, 'echo')).toBe(true);
    expect(await token(server)).toBe('token-2');
  });

  it('that persists with new tokens leads to renewals with backoff', async () => {
    const server = start();
    server.life = 1_000_000;
    const refusals: number[] = [];
    for (let second = 0; second < 1000; second += 5) {
      const used = factsOf(await server.keeper.token(server.exchange, neverAborted()));
      if (server.keeper.onRejected(used, 'echo')) refusals.push(second);
      await server.clock.advance(5000);
    }
    expect(refusals).toEqual([0, 60, 180, 420, 900]);
  });

  it('that persists with a new token leads to one renewal per hour', async () => {
    const server = start();
    server.life = 10_000_000;
    const refusals: number[] = [];
    for (let minute = 0; minute < 600; minute += 1) {
      const used = factsOf(await server.keeper.token(server.exchange, neverAborted()));
      if (server.keeper.onRejected(used, 'echo')) refusals.push(minute);
      await server.clock.advance(60_000);
    }
    const gaps = refusals.map((minute, at) => minute - (refusals[at - 1] ?? 0));
    expect(gaps).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60, 60]);
  });

  it('that a new token resolved may be followed by a renewal at once', async () => {
    const server = start();
    for (let turn = 0; turn < 3; turn += 1) {
      const used = factsOf(await server.keeper.token(server.exchange, neverAborted()));
      expect(server.keeper.onRejected(used, 'echo')).toBe(true);
      await token(server);
      server.keeper.renewalSucceeded('echo');
    }
    expect(server.requests).toBe(4);
  });
});

describe('refusals of several calls', () => {
  it('count for each call: one without a privilege does not prevent a new token for another', async () => {
    const server = start();
    server.life = 1_000_000;
    for (let second = 0; second < 1000; second += 5) {
      const used = factsOf(await server.keeper.token(server.exchange, neverAborted()));
      server.keeper.onRejected(used, 'processListAll');
      await token(server);
      await server.clock.advance(5000);
    }
    const revoked = factsOf(await server.keeper.token(server.exchange, neverAborted()));
    expect(server.keeper.onRejected(revoked, 'processListAll')).toBe(false);
    expect(server.keeper.onRejected(revoked, 'echo')).toBe(true);
    expect(await token(server)).not.toBe(revoked?.reveal());
  });

  it('end separately for each call that succeeds', async () => {
    const server = start();
    for (const call of ['processListAll', 'echo']) {
      const used = factsOf(await server.keeper.token(server.exchange, neverAborted()));
      server.keeper.onRejected(used, call);
    }
    server.keeper.renewalSucceeded('echo');
    const used = factsOf(await server.keeper.token(server.exchange, neverAborted()));
    expect(server.keeper.onRejected(used, 'processListAll')).toBe(false);
    expect(server.keeper.onRejected(used, 'echo')).toBe(true);
  });
});

describe('a failed token exchange', () => {
  it('is returned to the waiting callers, and the next caller tries again', async () => {
    const server = start();
    server.error = failure('unreachable', 'down');
    expect(failureOf(await server.keeper.token(server.exchange, neverAborted())).reason).toBe('unreachable');
    server.error = undefined;
    expect(await token(server)).toBe('token-2');
  });

  it('in a renewal is tried again some seconds later, while the token is still used', async () => {
    const server = start();
    await token(server);
    await server.clock.advance(800_000);
    server.error = failure('unreachable', 'down');
    for (let call = 0; call < 5; call += 1) {
      expect(await token(server)).toBe('token-1');
      await server.clock.settle();
    }
    expect(server.requests).toBe(2);
    await server.clock.advance(5000);
    await token(server);
    await server.clock.settle();
    expect(server.requests).toBe(3);
  });

  it('that is a denial is remembered for some seconds, but not for another secret', async () => {
    const server = start();
    server.error = failure('auth', 'denied');
    const tokenFailure = async (): Promise<string> =>
      failureOf(await server.keeper.token(server.exchange, neverAborted())).reason;
    expect([await tokenFailure(), await tokenFailure()]).toEqual(['auth', 'auth']);
    expect(server.requests).toBe(1);
    await server.clock.advance(5000);
    await tokenFailure();
    expect(server.requests).toBe(2);
    server.files.write('/secret', 'another');
    server.error = undefined;
    expect(await token(server)).toBe('token-3');
  });

  it('without a readable file fails with the reason auth', async () => {
    const server = start();
    server.files.remove('/secret');
    expect(failureOf(await server.keeper.token(server.exchange, neverAborted())).reason).toBe('auth');
    expect(server.requests).toBe(0);
  });

  it('ends for the caller with its own deadline', async () => {
    const server = start();
    server.hold = new Promise(() => undefined);
    const stop = new AbortController();
    const waiting = server.keeper.token(server.exchange, stop.signal);
    stop.abort();
    expect(failureOf(await waiting).reason).toBe('timeout');
  });

  it('at one node makes other callers retry through their own node', async () => {
    const server = start();
    const first = server.keeper.token(hung, neverAborted());
    const second = server.keeper.token(server.exchange, neverAborted());
    await server.clock.advance(2500);
    expect(failureOf(await first).reason).toBe('timeout');
    expect(factsOf(await second)?.reveal()).toBe('token-1');
  });
});

describe('the current token', () => {
  it('is the cached token until it expires, without a request', async () => {
    const server = start();
    expect(failureOf(server.keeper.cached()).reason).toBe('auth');
    await token(server);
    expect(factsOf(server.keeper.cached())?.reveal()).toBe('token-1');
    await server.clock.advance(999_000);
    expect(factsOf(server.keeper.cached())?.reveal()).toBe('token-1');
    await server.clock.advance(1000);
    expect(failureOf(server.keeper.cached()).reason).toBe('auth');
    expect(server.requests).toBe(1);
  });

  it('is undefined after it was refused', async () => {
    const server = start();
    await token(server);
    expect(server.keeper.onRejected(factsOf(server.keeper.cached()), 'abort')).toBe(true);
    expect(failureOf(server.keeper.cached()).reason).toBe('auth');
  });

  it('is undefined if the server requires no token', async () => {
    const server = start();
    server.error = failure('unsupported', 'no such endpoint', { code: 'REST-1000' });
    await token(server);
    expect(server.keeper.cached()).toEqual(ok(undefined));
  });
});
