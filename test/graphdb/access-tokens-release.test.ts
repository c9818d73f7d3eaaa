import { expect, it } from 'vitest';
import { type RequestToken, TokenCache } from '../../src/graphdb/access-tokens.ts';
import { createSecretReader } from '../../src/graphdb/secret-reader.ts';
import { ok } from '../../src/kernel/result.ts';
import { factsOf, failureOf, neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { FakeFiles } from '../support/fake-files.ts';

/** A server that issues `token-1`, `token-2`, … once `hold` resolves. */
function start(hold: Promise<unknown> = Promise.resolve()) {
  const clock = new FakeClock();
  const cache = new TokenCache(createSecretReader({ file: '/secret' }, new FakeFiles({ '/secret': 's' })), clock);
  let issued = 0;
  const exchange: RequestToken = async () => {
    issued += 1;
    const token = `token-${issued}`;
    await hold;
    return ok({ error: false, token, expiration: Math.floor(clock.now().wall / 1000) + 1000 });
  };
  return { clock, cache, token: () => cache.token(exchange, neverAborted()), issued: () => issued };
}

it('a release returns the token of a request in flight, which must be dropped too', async () => {
  const hold = Promise.withResolvers();
  const { clock, cache, token } = start(hold.promise);
  const waiting = token();
  await clock.settle();
  const released = cache.release();
  hold.resolve(true);
  expect((await released)?.token.reveal()).toBe('token-1');
  expect(factsOf(await waiting)?.reveal()).toBe('token-1');
  expect(await cache.release()).toBeUndefined();
});

it('after a release no token is requested, until the connections are opened again', async () => {
  const { cache, token, issued } = start();
  await token();
  expect((await cache.release())?.token.reveal()).toBe('token-1');
  expect(failureOf(await token()).reason).toBe('auth');
  expect(issued()).toBe(1);
  cache.reopen();
  expect(factsOf(await token())?.reveal()).toBe('token-2');
});

it('a release waits no longer than a second for a server that hangs', async () => {
  const { clock, cache, token } = start(new Promise(() => undefined));
  void token();
  await clock.settle();
  const released = cache.release();
  await clock.advance(1000);
  expect(await released).toBeUndefined();
});
