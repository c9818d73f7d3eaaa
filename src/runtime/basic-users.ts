import { createHmac, randomBytes } from 'node:crypto';
import { compare } from 'bcryptjs';
import type { Secret } from '../kernel/secret.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import { systemClock } from './clock.ts';

/** The outcome of a check: the user, `denied` (answer 401), or `off` where there are no users. */
export type Authentication = { readonly user: string } | 'denied' | 'off';

/** Checks `Authorization: Basic` headers against bcrypt hashes. */
export interface BasicUsers {
  check(authorization: string | undefined, users: Readonly<Record<string, Secret>>): Promise<Authentication>;
}

/** What is compared, once it is a user's turn. Exchangeable, so that tests need no real hashing. */
export type ComparePassword = (password: string, hash: string) => Promise<boolean>;

/** Right answers that are remembered: more than any installation has users. */
const mostRemembered = 256;
/** Comparisons that may wait for their turn; beyond that a stranger is turned away at once. */
const mostWaiting = 16;
/** After a wrong password the next comparison waits this many times as long as the last one took, */
const restShare = 3;
/** and at most this long: a hash of an extreme cost must not lock everybody out. */
const longestRest: Millis = 2_000;
/** Salt and hash of a password that nobody knows: an unknown user takes as long to refuse as a known one. */
const nobody = 'gJdWRXbvNyWEXTTnCUgqmeTzJ9Y9hB3r0fZ5yJxQqHhXvBzS8Gq2W';

/**
 * One comparison at a time, with a rest after each wrong one: a flood of wrong passwords costs its senders
 * patience, and us a quarter of the processor. Known right passwords are answered from memory and do not queue.
 */
export function createBasicUsers(comparePassword: ComparePassword = compare, clock: Clock = systemClock): BasicUsers {
  const key = randomBytes(32);
  const remembered = new Set<string>();
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn(password: string, hash: string): Promise<boolean> {
    const answer = last.then(() => timed(password, hash));
    last = answer.then(({ isRight, took }) => (isRight ? undefined : rest(took)), ignore);
    return answer.then(({ isRight }) => isRight);
  }

  async function timed(password: string, hash: string): Promise<{ readonly isRight: boolean; readonly took: Millis }> {
    const started = clock.now().mono;
    const isRight = await comparePassword(password, hash);
    return { isRight, took: clock.now().mono - started };
  }

  function rest(took: Millis): Promise<void> {
    return clock.sleep(Math.min(longestRest, took * restShare));
  }

  async function matches(password: string, hash: string): Promise<boolean> {
    // Keyed with what this process alone knows: a memory dump gives nothing to look passwords up by.
    const name = createHmac('sha256', key)
      .update(JSON.stringify([hash, password]))
      .digest('base64');
    if (remembered.has(name)) return true;
    if (waiting >= mostWaiting) return false;
    waiting += 1;
    const isRight = await inTurn(password, hash).finally(() => {
      waiting -= 1;
    });
    if (isRight) remember(name);
    return isRight;
  }

  function remember(name: string): void {
    const [oldest] = remembered;
    if (remembered.size >= mostRemembered && oldest !== undefined) remembered.delete(oldest);
    remembered.add(name);
  }

  async function check(
    authorization: string | undefined,
    users: Readonly<Record<string, Secret>>,
  ): Promise<Authentication> {
    if (Object.keys(users).length === 0) return 'off';
    const credentials = readBasic(authorization);
    if (credentials === undefined) return 'denied';
    const { user, password } = credentials;
    const hash = Object.hasOwn(users, user) ? users[user]?.reveal() : undefined;
    const isRight = await matches(password, hash ?? strangersHash(users));
    return isRight && hash !== undefined ? { user } : 'denied';
  }

  return { check };
}

/** The one who asked is told; those who wait behind need not be. */
function ignore(): void {}

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
