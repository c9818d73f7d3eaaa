import { describe, expect, it } from 'vitest';
import { type AccessLevel, accessError, hasUserCredentials } from '../../src/simulator/access.ts';
import type { SimulatedAuth } from '../../src/simulator/options.ts';
import { TokenIssuer } from '../../src/simulator/tokens.ts';
import { serverRelease } from '../../src/simulator/versions.ts';

const none: SimulatedAuth = { kind: 'none' };
const bearer: SimulatedAuth = { kind: 'bearer', token: 'token-of-thirty-two-characters--' };
const twoNodes: SimulatedAuth = { ...bearer, abortToken: 'token-with-abort-privilege' };
const basic: SimulatedAuth = { kind: 'basic', username: 'anna', password: 'pass:word' };
const guardedBasic: SimulatedAuth = { ...basic, enableAuth: true };
const secret: SimulatedAuth = { kind: 'secret', secret: 'hush' };

const shown = {
  nothing: {},
  token: { authorization: 'Bearer token-of-thirty-two-characters--' },
  abortToken: { authorization: 'Bearer token-with-abort-privilege' },
  wrongToken: { authorization: 'Bearer another-token-altogether' },
  user: { authorization: `Basic ${Buffer.from('anna:pass:word').toString('base64')}` },
  wrongUser: { authorization: `Basic ${Buffer.from('anna:guess').toString('base64')}` },
  secret: { authorization: 'GSQL-Secret hush' },
  wrongSecret: { authorization: 'GSQL-Secret shout' },
} as const;

function outcome(
  auth: SimulatedAuth,
  guarded: AccessLevel,
  headers: Readonly<Record<string, string>>,
  version = '4.1.2',
) {
  const tokens = new TokenIssuer(...(auth.kind === 'bearer' ? [auth.token, auth.abortToken ?? auth.token] : []));
  const refused = accessError(guarded, headers, { auth, release: serverRelease(version), tokens, now: 0 });
  return refused === undefined ? 'in' : refused.status;
}

type Case = readonly [SimulatedAuth, AccessLevel, keyof typeof shown];

describe('the auth matrix', () => {
  const cases: readonly (readonly [string, Case, 'in' | number])[] = [
    ['open routes need no credentials', [bearer, 'open', 'nothing'], 'in'],
    ['the data plane is open by default', [none, 'restpp', 'nothing'], 'in'],
    ['the GSQL server is never open', [none, 'gsql', 'nothing'], 401],
    ['any user is accepted', [none, 'gsql', 'user'], 'in'],
    ['a token opens the data plane', [bearer, 'restpp', 'token'], 'in'],
    ['a request without a token does not open the data plane', [bearer, 'restpp', 'nothing'], 403],
    ['a wrong token does not open the data plane', [bearer, 'restpp', 'wrongToken'], 403],
    ['a user is not a token', [bearer, 'restpp', 'user'], 403],
    ['a token opens the GSQL server', [bearer, 'gsql', 'token'], 'in'],
    ['a wrong token does not open the GSQL server', [bearer, 'gsql', 'wrongToken'], 401],
    ['a user opens the GSQL server', [basic, 'gsql', 'user'], 'in'],
    ['a wrong user does not open the GSQL server', [basic, 'gsql', 'wrongUser'], 401],
    ['the data plane is open without a token if only users are configured', [basic, 'restpp', 'nothing'], 'in'],
    ['a user does not open a data plane that requires tokens', [guardedBasic, 'restpp', 'user'], 403],
    ['a secret opens the GSQL server', [secret, 'gsql', 'secret'], 'in'],
    ['a wrong secret does not open the GSQL server', [secret, 'gsql', 'wrongSecret'], 401],
    ['a secret is not a token', [secret, 'restpp', 'secret'], 403],
    ['aborts are open if the data plane is open', [none, 'abort', 'nothing'], 'in'],
    ['a token allows aborts', [bearer, 'abort', 'token'], 'in'],
    ['a request without a token does not abort', [bearer, 'abort', 'nothing'], 403],
    ['a wrong token does not allow aborts', [twoNodes, 'abort', 'wrongToken'], 403],
    ['a token for aborts allows aborts', [twoNodes, 'abort', 'abortToken'], 'in'],
    ['a token for aborts does not open the data plane', [twoNodes, 'restpp', 'abortToken'], 403],
    ['a token for reading opens the data plane', [twoNodes, 'restpp', 'token'], 'in'],
    ['a token for reading does not allow aborts', [twoNodes, 'abort', 'token'], 403],
  ];

  it.each(cases)('%s', (_, [auth, guarded, headers], expected) => {
    expect(outcome(auth, guarded, shown[headers])).toBe(expected);
  });

  it('depends on the release', () => {
    expect(outcome(bearer, 'gsql', shown.token, '4.1.1')).toBe(401);
    expect(outcome(secret, 'gsql', shown.secret, '4.0.0')).toBe(401);
    expect(outcome(bearer, 'restpp', shown.token, '3.9.3')).toBe('in');
  });
});

describe('accessError', () => {
  const tokens = new TokenIssuer();
  const door = { auth: secret, release: serverRelease('4.1.2'), tokens, now: 10_000 };

  it('names a missing token and masks a wrong one', () => {
    expect(accessError('restpp', {}, door)?.body).toContain("input token = '' is empty or too short");
    const { body = '' } = accessError('restpp', { authorization: 'Bearer eyJhbGciOiJub25lIn0.abcdefgh' }, door) ?? {};
    expect(body).toContain("input token = 'eyJh****efgh' is invalid");
    expect(body).toContain('REST-10016');
  });

  it('distinguishes an expired token from a wrong one', () => {
    const { token } = tokens.issue('jwt', { at: 0, lifetime: 5_000 });
    expect(accessError('restpp', { authorization: `Bearer ${token}` }, { ...door, now: 4_999 })).toBeUndefined();
    expect(accessError('restpp', { authorization: `Bearer ${token}` }, door)?.body).toContain('REST-10019');
    expect(accessError('gsql', { authorization: `Bearer ${token}` }, door)?.status).toBe(401);
  });
});

describe('hasUserCredentials', () => {
  it('accepts the configured user', () => {
    expect(hasUserCredentials(shown.user, basic)).toBe(true);
    expect(hasUserCredentials(shown.wrongUser, basic)).toBe(false);
    expect(hasUserCredentials(shown.user, secret)).toBe(false);
    expect(hasUserCredentials({}, none)).toBe(false);
  });
});
