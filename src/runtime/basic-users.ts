import type { Secret } from '../kernel/secret.ts';
import type { Clock } from '../kernel/time.ts';
import { systemClock } from './clock.ts';
import { KnownPasswords } from './known-passwords.ts';
import { PasswordQueue } from './password-queue.ts';
import type { ComparePassword } from './password-worker.ts';

/** The outcome of a check: the user, `denied` (answer 401), or `off` where there are no users. */
export type Authentication = { readonly user: string } | 'denied' | 'off';

/** Checks `Authorization: Basic` headers against bcrypt hashes. */
export interface BasicUsers {
  check(authorization: string | undefined, users: Readonly<Record<string, Secret>>): Promise<Authentication>;
}

/** Salt and hash of a password that nobody knows: an unknown user takes as long to refuse as a known one. */
const nobody = 'gJdWRXbvNyWEXTTnCUgqmeTzJ9Y9hB3r0fZ5yJxQqHhXvBzS8Gq2W';

/** Known right passwords are answered from memory; all others queue for `compare`. */
export function createBasicUsers(compare: ComparePassword, clock: Clock = systemClock): BasicUsers {
  const known = new KnownPasswords();
  const queue = new PasswordQueue(compare, clock);

  async function matches(password: string, hash: string): Promise<boolean> {
    if (known.has(password, hash)) return true;
    const isRight = await queue.matches(password, hash);
    if (isRight) known.add(password, hash);
    return isRight;
  }

  return {
    check: async (authorization, users) => {
      if (Object.keys(users).length === 0) return 'off';
      const credentials = readBasic(authorization);
      if (credentials === undefined) return 'denied';
      const { user, password } = credentials;
      const hash = Object.hasOwn(users, user) ? users[user]?.reveal() : undefined;
      const isRight = await matches(password, hash ?? strangersHash(users));
      return isRight && hash !== undefined ? { user } : 'denied';
    },
  };
}

/** Of the same cost as the hashes of the users there are, as `$2b$10$` says it. */
function strangersHash(users: Readonly<Record<string, Secret>>): string {
  const [, prefix = '$2b$10$'] = /^(\$2[aby]?\$\d\d\$)/.exec(Object.values(users)[0]?.reveal() ?? '') ?? [];
  return prefix + nobody;
}

function readBasic(
  authorization: string | undefined,
): { readonly user: string; readonly password: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
