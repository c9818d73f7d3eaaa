import { Buffer } from 'node:buffer';
import type { Millis } from '../kernel/time.ts';
import { hexId } from './seeded-random.ts';

/** Issued token. */
export interface Token {
  readonly token: string;
  /** Ms since the epoch. */
  readonly expiresAt: number;
}

/** Result of the check of a token. */
export type TokenStatus = 'good' | 'expired' | 'unknown';

/** Default lifetime of a token in 4.x. */
export const tokenLifetime: Millis = 7 * 86_400_000;

/** Issues and checks tokens. */
export class TokenIssuer {
  readonly #configured: readonly string[];
  #issued: readonly Token[] = [];

  /** The tokens of the configuration never expire. */
  constructor(...configured: readonly string[]) {
    this.#configured = configured;
  }

  /** Issues an unsigned JWT, or a token of 32 characters as in 3.x. `at` is ms since the epoch. */
  issue(form: 'jwt' | 'plain', { at, lifetime, graph }: { at: number; lifetime: Millis; graph?: string }): Token {
    const expiresAt = at + lifetime;
    const id = hexId('token', at, this.#issued.length);
    const claims = { iss: 'graphwarden-simulator', jti: id, exp: Math.floor(expiresAt / 1000), graph };
    const token = form === 'plain' ? id : [{ alg: 'none', typ: 'JWT' }, claims].map(base64Url).concat(id).join('.');
    this.#issued = [...this.#issued, { token, expiresAt }];
    return { token, expiresAt };
  }

  /** Forgets an issued token; false if it was not issued. */
  drop(token: string): boolean {
    const kept = this.#issued.filter((one) => one.token !== token);
    const isKnown = kept.length < this.#issued.length;
    this.#issued = kept;
    return isKnown;
  }

  /** Forgets the tokens that are expired at a time, ms since the epoch, and returns their number. */
  removeExpired(at: number): number {
    const kept = this.#issued.filter(({ expiresAt }) => expiresAt > at);
    const removed = this.#issued.length - kept.length;
    this.#issued = kept;
    return removed;
  }

  /** Returns the status of a token at a time, ms since the epoch. */
  check(token: string, at: number): TokenStatus {
    if (this.#configured.includes(token)) return 'good';
    const given = this.#issued.find((one) => one.token === token);
    if (given === undefined) return 'unknown';
    return given.expiresAt > at ? 'good' : 'expired';
  }
}

function base64Url(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
