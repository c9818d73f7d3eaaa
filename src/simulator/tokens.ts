import { Buffer } from 'node:buffer';
import type { Millis } from '../kernel/time.ts';
import { hexId } from './chance.ts';

/** A token that was given out. */
export interface Token {
  readonly token: string;
  /** Ms since the epoch. */
  readonly expiresAt: number;
}

/** What the server thinks of a token that it is shown. */
export type TokenVerdict = 'good' | 'expired' | 'unknown';

/** The default life of a token in 4.x. */
export const tokenLifetime: Millis = 7 * 86_400_000;

/** Gives tokens out and knows them again. */
export class TokenDesk {
  readonly #standing: readonly string[];
  #given: readonly Token[] = [];

  /** The tokens of `standing` are good for ever. */
  constructor(...standing: readonly string[]) {
    this.#standing = standing;
  }

  /** A JWT that nobody signed, or 32 characters as in 3.x. */
  issue(form: 'jwt' | 'plain', { at, lifetime, graph }: { at: number; lifetime: Millis; graph?: string }): Token {
    const expiresAt = at + lifetime;
    const id = hexId('token', at, this.#given.length);
    const claims = { iss: 'graphwarden-simulator', jti: id, exp: Math.floor(expiresAt / 1000), graph };
    const token = form === 'plain' ? id : [{ alg: 'none', typ: 'JWT' }, claims].map(encoded).concat(id).join('.');
    this.#given = [...this.#given, { token, expiresAt }];
    return { token, expiresAt };
  }

  judge(token: string, at: number): TokenVerdict {
    if (this.#standing.includes(token)) return 'good';
    const given = this.#given.find((one) => one.token === token);
    if (given === undefined) return 'unknown';
    return given.expiresAt > at ? 'good' : 'expired';
  }
}

function encoded(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
