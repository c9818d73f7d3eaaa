import { createHmac, randomBytes } from 'node:crypto';
import type { Secret } from '../kernel/secret.ts';
import type { Clock } from '../kernel/time.ts';
import { systemClock } from './clock.ts';
import { PasswordQueue, type PasswordSource } from './password-queue.ts';
import type { ComparePassword } from './password-worker.ts';

/** Result of a check: the user, `denied` (401), `busy` (429, the password was not compared), or `off` without users. */
export type Authentication = { readonly user: string } | 'denied' | 'busy' | 'off';

/** Checks `Authorization: Basic` headers against bcrypt hashes. */
export interface BasicAuthenticator {
  /** `address` is the IP address of the client; the password queue orders comparisons by its network. */
  check(
    authorization: string | undefined,
    users: Readonly<Record<string, Secret>>,
    address: string,
  ): Promise<Authentication>;
}

/** Salt and hash of an unknown password: rejecting an unknown user takes as long as rejecting a known one. */
const unknownUserHash = 'gJdWRXbvNyWEXTTnCUgqmeTzJ9Y9hB3r0fZ5yJxQqHhXvBzS8Gq2W';

/** Accepts cached passwords at once; all others queue for `compare`. */
export function createBasicAuthenticator(compare: ComparePassword, clock: Clock = systemClock): BasicAuthenticator {
  const known = new PasswordCache();
  const queue = new PasswordQueue(compare, clock);

  async function matches(password: string, hash: string, source: PasswordSource): Promise<boolean | 'busy'> {
    if (known.has(password, hash)) return true;
    const isRight = await queue.matches(password, hash, source);
    if (isRight === true) known.add(password, hash);
    return isRight;
  }

  return {
    check: async (authorization, users, address) => {
      if (Object.keys(users).length === 0) return 'off';
      const credentials = parseBasicHeader(authorization);
      if (credentials === undefined) return 'denied';
      const { user, password } = credentials;
      const hash = Object.hasOwn(users, user) ? users[user]?.reveal() : undefined;
      const isRight = await matches(password, hash ?? unknownUserHashFor(users), { address, user });
      if (isRight === 'busy') return 'busy';
      return isRight && hash !== undefined ? { user } : 'denied';
    },
  };
}

/** Returns a hash with the cost of the configured hashes, such as `$2b$10$`. */
function unknownUserHashFor(users: Readonly<Record<string, Secret>>): string {
  const [, prefix = '$2b$10$'] = /^(\$2[aby]?\$\d\d\$)/.exec(Object.values(users)[0]?.reveal() ?? '') ?? [];
  return prefix + unknownUserHash;
}

function parseBasicHeader(
  authorization: string | undefined,
): { readonly user: string; readonly password: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Maximum number of cached passwords: more than any installation has users. */
const maxCacheEntries = 256;

/** Cache of verified pairs of password and hash: bcrypt does not run for each scrape. */
export class PasswordCache {
  /** Random key of this process: a memory dump does not reveal passwords by their digests. */
  readonly #key = randomBytes(32);
  readonly #entries = new Set<string>();

  /** Whether the pair is cached. */
  has(password: string, hash: string): boolean {
    return this.#entries.has(this.#keyOf(password, hash));
  }

  /** Caches a pair, and removes the oldest one if there are too many. */
  add(password: string, hash: string): void {
    const [oldest] = this.#entries;
    if (this.#entries.size >= maxCacheEntries && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.add(this.#keyOf(password, hash));
  }

  #keyOf(password: string, hash: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([hash, password]))
      .digest('base64');
  }
}
