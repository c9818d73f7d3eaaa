import { describe, expect, it } from 'vitest';
import { jwtExpiry, tokenExpiry } from '../../src/graphdb/access-tokens.ts';

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function jwt(claims: unknown): string {
  return `${encode({ alg: 'HS256' })}.${encode(claims)}.c2ln`;
}

const plain = '0123456789abcdef0123456789abcdef';
const july = Date.UTC(2024, 6, 10, 6, 12, 47) / 1000;

describe('the end of a token', () => {
  it.each([
    ['is in the token itself', jwt({ exp: 1790000000, sub: 'é?>' }), 'Wed Jul 10 06:12:47 HKT 2024', 1790000000],
    ['is in the answer as a Unix time', plain, 1790000000, 1790000000],
    ['is in the answer as text', plain, 'Wed Jul 10 06:12:47 UTC 2024', july],
    ['is in the answer for a JWT without an expiration', jwt({ sub: 'x' }), 'Wed Jul 10 06:12:47 UTC 2024', july],
    ['is unknown if neither has it', plain, undefined, undefined],
    ['is unknown if the text has an unknown time zone', plain, 'Wed Jul 10 06:12:47 HKT 2024', undefined],
    ['is unknown if it is before 1970', plain, -1, undefined],
  ])('%s', (_where, token, expiration, expected) => {
    expect(tokenExpiry(token, expiration)).toBe(expected);
  });

  it.each([
    plain,
    '',
    'a.b',
    'a.b.c',
    'a.%%%.c',
    `a.${btoa('[1]')}.c`,
    `a.${btoa('{"exp":"soon"}')}.c`,
    `a.${btoa('null')}.c`,
  ])('is not in %j', (token) => {
    expect(jwtExpiry(token)).toBeUndefined();
  });
});
