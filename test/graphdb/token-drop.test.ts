import { describe, expect, it } from 'vitest';
import { dropToken } from '../../src/graphdb/token-drop.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err } from '../../src/kernel/result.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { FakeClock } from '../support/clock.ts';
import { answer, type Exchange, FakePool } from '../support/fake-pool.ts';

const token = new Secret('the-token');
const secret = new Secret('the-secret');

function drop(issuer: 'tokens' | 'requestToken', form: 'current' | 'older', reply: Exchange[1]) {
  const paths = {
    tokens: { current: '/db/gsql/v1/tokens', older: '/db/gsqlserver/gsql/tokens' },
    requestToken: { current: '/db/restpp/requesttoken', older: '/db/requesttoken' },
  };
  const clock = new FakeClock();
  const pool = new FakePool([`DELETE ${paths[issuer][form]}`, reply]);
  const dropped = dropToken({ token, secret, issuer }, { pool, prefix: '/db', forms: { form: () => form }, clock });
  return { pool, clock, dropped };
}

const done = answer({ error: false, message: '' });

describe('dropping a token', () => {
  it.each(['current', 'older'] as const)(
    'names the token and authorizes with its secret, in the form %s',
    async (form) => {
      const { pool, dropped } = drop('tokens', form, done);
      expect(await dropped).toBe(true);
      expect(pool.requests[0]).toMatchObject({
        body: '{"tokens":"the-token"}',
        headers: { authorization: 'GSQL-Secret the-secret', 'content-type': 'application/json' },
      });
    },
  );

  it.each(['current', 'older'] as const)('sends the secret with a token of 3.x, in the form %s', async (form) => {
    const { pool, dropped } = drop('requestToken', form, done);
    expect(await dropped).toBe(true);
    expect(pool.requests[0]?.body).toBe('{"token":"the-token","secret":"the-secret"}');
    expect(pool.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['a server without the path', answer({}, 404)],
    ['a server that refuses', answer({ error: true }, 403)],
    ['a node that does not answer', err(failure('unreachable', 'refused'))],
  ])('returns false for %s, without a retry', async (_, reply) => {
    expect(await drop('tokens', 'current', reply).dropped).toBe(false);
  });

  it('does not wait longer than a second', async () => {
    const { clock, dropped } = drop(
      'tokens',
      'current',
      (__, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(err(failure('timeout', 'late'))))),
    );
    await clock.advance(1000);
    expect(await dropped).toBe(false);
  });

  it('does not throw if the pool throws', async () => {
    expect(
      await drop('tokens', 'current', () => {
        throw new Error('a bug');
      }).dropped,
    ).toBe(false);
  });
});
