import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exchangeSecret } from '../../src/graphdb/access-tokens.ts';
import { failure } from '../../src/kernel/failure.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../support/client.ts';
import { answer, type Exchange, FakePool } from '../support/fake-pool.ts';

function recorded(file: string): string {
  return readFileSync(join(import.meta.dirname, '../fixtures', file), 'utf8');
}

/** Exchanges a secret over a script of answers. */
async function exchanged(
  ...script: Exchange[]
): Promise<{ result: Awaited<ReturnType<typeof exchangeSecret>>; pool: FakePool }> {
  const pool = new FakePool(...script);
  const caller = callerOver(pool, { serverVersion: '4.1' });
  const result = await exchangeSecret(
    new Secret('s3cret'),
    (name, body, signal) => caller.json(name, { body }, signal),
    neverAborted(),
  );
  return { result, pool };
}

const gsql = 'POST /gsql/v1/tokens';
const restpp = 'POST /restpp/requesttoken';
const plain = '0123456789abcdef0123456789abcdef';

describe('the exchange of a secret', () => {
  it('requests the GSQL server and parses the expiration text', async () => {
    const { result, pool } = await exchanged([gsql, answer(recorded('4.1/tokens.json'))]);
    const { token, expiresAt } = factsOf(result);
    expect(token?.reveal()).toBe('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ3YXJkZW4ifQ.c2lnbmF0dXJl');
    expect(expiresAt).toBe(Date.UTC(2024, 6, 10, 6, 12, 47) / 1000);
    expect(pool.requests[0]).toMatchObject({ body: '{"secret":"s3cret"}' });
    expect(pool.requests[0]?.headers.authorization).toBeUndefined();
  });

  it.each([
    ['is missing', answer('', 404)],
    ['is no method of the path', answer('', 405)],
    ['is a page of another program', answer('<html></html>', 200, { 'content-type': 'text/html' })],
  ])('continues with the data plane if that %s', async (_what, reply) => {
    const { result } = await exchanged([gsql, reply], [restpp, answer(recorded('3.9/request-token.json'))]);
    const { token, expiresAt } = factsOf(result);
    expect([token?.reveal(), expiresAt]).toEqual([plain, 1790000000]);
  });

  it('finds the token inside the results', async () => {
    const { result } = await exchanged(
      [gsql, answer('', 404)],
      [restpp, answer(recorded('3.9/request-token-in-results.json'))],
    );
    const { token, expiresAt } = factsOf(result);
    expect([token?.reveal(), expiresAt]).toEqual([plain, 1790000000]);
  });

  it('finds the expiration inside the results', async () => {
    const reply = answer({ error: false, results: { token: plain, expiration: 1790000001 } });
    const { result } = await exchanged([gsql, answer('', 404)], [restpp, reply]);
    expect(factsOf(result).expiresAt).toBe(1790000001);
  });

  it('returns no token if authentication is disabled on the data plane', async () => {
    const off = answer(recorded('3.9/request-token-off.json'), 404);
    expect(factsOf((await exchanged([gsql, answer('', 404)], [restpp, off])).result)).toEqual({
      issuer: 'requestToken',
    });
    const as200 = answer(recorded('3.9/request-token-off.json'));
    expect(factsOf((await exchanged([gsql, answer('', 404)], [restpp, as200])).result)).toEqual({
      issuer: 'requestToken',
    });
  });

  it('accepts a token without an expiration time', async () => {
    const { result } = await exchanged([gsql, answer({ error: false, token: plain })]);
    expect(factsOf(result)).toEqual({ token: expect.anything(), issuer: 'tokens' });
  });

  it('is not retried elsewhere after a refusal', async () => {
    const { result } = await exchanged([gsql, answer({ error: true }, 401)]);
    expect(failureOf(result).reason).toBe('auth');
  });

  it('fails with the reason of the data plane', async () => {
    const { result } = await exchanged([gsql, answer('', 404)], [restpp, answer('', 503)]);
    expect(failureOf(result)).toMatchObject({ reason: 'status', status: 503 });
  });

  it.each([{ error: false }, { error: false, token: '' }, { error: false, token: 7 }, { error: false, results: {} }])(
    'finds no token in %j',
    async (body) => {
      expect(failureOf((await exchanged([gsql, answer(body)])).result).reason).toBe('body');
    },
  );

  it('does not contain the secret in any message', async () => {
    const errors = [failure('timeout', 'x'), failure('auth', 'x')].map((error) => ({ ok: false, error }) as const);
    for (const error of errors) {
      const { result } = await exchanged([gsql, error]);
      expect(JSON.stringify(result)).not.toContain('s3cret');
    }
  });
});
