import { describe, expect, it } from 'vitest';
import { issueToken, removeExpiredTokens, requestToken } from '../../../src/simulator/endpoints/token-requests.ts';
import type { SimulatedAuth } from '../../../src/simulator/options.ts';
import { TokenIssuer } from '../../../src/simulator/tokens.ts';
import { callOn, jsonOf, noon, worldOf } from '../test-world.ts';

const secret: SimulatedAuth = { kind: 'secret', secret: 'hush' };
const basic: SimulatedAuth = { kind: 'basic', username: 'anna', password: 'pw' };
const headers = { authorization: `Basic ${Buffer.from('anna:pw').toString('base64')}` };

describe('issueToken', () => {
  it('issues a token for a secret, with its expiration as text', async () => {
    const tokens = new TokenIssuer();
    const call = callOn(worldOf({ auth: secret }), { tokens, body: '{"secret":"hush","graph":"fraud"}' });
    const answer = Object(await jsonOf(issueToken(call))) as { token: string };
    expect(answer).toEqual({
      expiration: 'Tue Sep 29 12:00:00 UTC 2026',
      error: false,
      message: 'Generate new JWT token successfully.',
      token: expect.stringMatching(/^eyJ/),
    });
    expect(tokens.check(answer.token, noon)).toBe('good');
  });

  it.each([60, '60'])('applies the lifetime %j in seconds', async (lifetime) => {
    const call = callOn(worldOf({ auth: secret }), { body: JSON.stringify({ secret: 'hush', lifetime }) });
    expect(await jsonOf(issueToken(call))).toMatchObject({ expiration: 'Tue Sep 22 12:01:00 UTC 2026' });
  });

  it('measures the lifetime on the clock of the server', async () => {
    const call = callOn(worldOf({ auth: secret, clockSkew: 3_600_000 }), { body: '{"secret":"hush","lifetime":60}' });
    expect(await jsonOf(issueToken(call))).toMatchObject({ expiration: 'Tue Sep 22 13:01:00 UTC 2026' });
  });

  it('issues a token to a user without a secret', async () => {
    expect(await jsonOf(issueToken(callOn(worldOf({ auth: basic }), { headers })))).toMatchObject({ error: false });
  });

  it.each([
    ['a wrong secret', secret, { body: '{"secret":"shout"}' }, 401],
    ['no secret', secret, {}, 401],
    ['no user', basic, { body: '{}' }, 401],
    ['a secret where there are only users', basic, { body: '{"secret":"hush"}', headers }, 401],
    ['nonsense', secret, { body: 'nonsense' }, 400],
  ] as const)('refuses %s', (_, auth, request, status) => {
    expect(issueToken(callOn(worldOf({ auth }), request))).toMatchObject({ status });
  });
});

describe('requestToken', () => {
  const version = '3.9.3';

  it('issues a plain token for a secret, with its expiration in seconds', async () => {
    const call = callOn(worldOf({ auth: secret, version }), { body: '{"secret":"hush","lifetime":60}' });
    expect(await jsonOf(requestToken(call))).toEqual({
      code: 'REST-0000',
      expiration: noon / 1000 + 60,
      error: false,
      message: expect.any(String),
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('returns the token in the results for a user', async () => {
    const answer = await jsonOf(
      requestToken(callOn(worldOf({ auth: basic, version }), { headers, body: '{"graph":"fraud"}' })),
    );
    expect(answer).toMatchObject({ code: 'REST-0000', results: { token: expect.stringMatching(/^[0-9a-f]{32}$/) } });
    expect(answer).not.toHaveProperty('token');
  });

  it('rejects wrong secrets, and does not exist without token authentication', async () => {
    const refused = requestToken(callOn(worldOf({ auth: secret, version }), { body: '{"secret":"shout"}' }));
    expect(await jsonOf(refused)).toMatchObject({ code: 'REST-10016' });
    const nonsense = requestToken(callOn(worldOf({ auth: secret, version }), { body: '[' }));
    expect(await jsonOf(nonsense)).toMatchObject({ code: 'REST-30000' });
    expect(await jsonOf(requestToken(callOn(worldOf({ version }))))).toMatchObject({
      code: 'REST-1000',
      message: expect.stringContaining('url = /requesttoken'),
    });
  });
});

describe('removeExpiredTokens', () => {
  it('removes those that have expired, and no others', async () => {
    const tokens = new TokenIssuer();
    const old = tokens.issue('jwt', { at: noon - 2000, lifetime: 1000 });
    const valid = tokens.issue('jwt', { at: noon, lifetime: 1000 });
    const call = callOn(worldOf(), { tokens });
    expect(await jsonOf(removeExpiredTokens(call))).toMatchObject({
      error: false,
      message: 'Removed 1 expired tokens.',
    });
    expect([tokens.check(old.token, noon), tokens.check(valid.token, noon)]).toEqual(['unknown', 'good']);
  });

  it('refuses a list of users', async () => {
    expect(removeExpiredTokens(callOn(worldOf(), { body: '{"user":["a"]}' }))).toMatchObject({ status: 400 });
  });
});
