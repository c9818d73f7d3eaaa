import { readDate } from './dates.ts';

/**
 * When a token ends, in seconds since the epoch: a JWT says so itself, for others the answer that brought
 * it does, as epoch (3.x) or as text (4.x). Undefined where neither can be understood.
 */
export function expiryOf(token: string, expiration: unknown): number | undefined {
  return expiryInToken(token) ?? readDate(expiration);
}

/** The `exp` claim of a JWT; undefined for plain tokens. */
export function expiryInToken(token: string): number | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null && 'exp' in claims ? readDate(claims.exp) : undefined;
  } catch {
    return undefined;
  }
}
