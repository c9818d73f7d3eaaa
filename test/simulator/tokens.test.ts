import { describe, expect, it } from 'vitest';
import { TokenIssuer } from '../../src/simulator/tokens.ts';

describe('TokenIssuer', () => {
  it('accepts a permanent token at any time, and rejects unknown tokens', () => {
    const faultHandlers = new TokenIssuer('standing');
    expect(faultHandlers.check('standing', Number.MAX_SAFE_INTEGER)).toBe('good');
    expect(faultHandlers.check('else', 0)).toBe('unknown');
    expect(new TokenIssuer().check('', 0)).toBe('unknown');
  });

  it('issues tokens with a lifetime', () => {
    const faultHandlers = new TokenIssuer();
    const { token, expiresAt } = faultHandlers.issue('plain', { at: 1_000, lifetime: 500 });
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    expect(expiresAt).toBe(1_500);
    expect([1_000, 1_499, 1_500].map((at) => faultHandlers.check(token, at))).toEqual(['good', 'good', 'expired']);
  });

  it('issues unique JWTs that name their graph', () => {
    const faultHandlers = new TokenIssuer();
    const terms = { at: 1_000, lifetime: 60_000, graph: 'fraud' };
    const tokens = [faultHandlers.issue('jwt', terms), faultHandlers.issue('jwt', terms)].map(({ token }) => token);
    expect(new Set(tokens).size).toBe(2);
    expect(tokens[0]).toMatch(/^eyJ[\w-]+\.[\w-]+\.[0-9a-f]{32}$/);
    const claims: unknown = JSON.parse(Buffer.from(tokens[0]?.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ iss: 'graphwarden-simulator', exp: 61, graph: 'fraud' });
  });
});
