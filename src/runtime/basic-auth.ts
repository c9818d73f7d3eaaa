import { createHmac, randomBytes } from 'node:crypto';
import type { Secret } from '../kernel/secret.ts';
import { SerialQueue } from '../kernel/serial-queue.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import { systemClock } from './clock.ts';
import type { ComparePassword } from './password-worker.ts';

/** The outcome of a check: the user, `denied` (answer 401), or `off` where there are no users. */
export type Authentication = { readonly user: string } | 'denied' | 'off';

/** Checks `Authorization: Basic` headers against bcrypt hashes. */
export interface BasicAuthenticator {
  check(authorization: string | undefined, users: Readonly<Record<string, Secret>>): Promise<Authentication>;
}

/** Salt and hash of an unknown password: rejecting an unknown user takes as long as rejecting a known one. */
const unknownUserHash = 'gJdWRXbvNyWEXTTnCUgqmeTzJ9Y9hB3r0fZ5yJxQqHhXvBzS8Gq2W';

/** Known right passwords are answered from memory; all others queue for `compare`. */
export function createBasicAuthenticator(compare: ComparePassword, clock: Clock = systemClock): BasicAuthenticator {
  const known = new PasswordCache();
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
      const credentials = parseBasicHeader(authorization);
      if (credentials === undefined) return 'denied';
      const { user, password } = credentials;
      const hash = Object.hasOwn(users, user) ? users[user]?.reveal() : undefined;
      const isRight = await matches(password, hash ?? unknownUserHashFor(users));
      return isRight && hash !== undefined ? { user } : 'denied';
    },
  };
}

/** Of the same cost as the hashes of the users there are, as `$2b$10$` says it. */
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

/** Comparisons that may wait for their turn; beyond that a stranger is turned away at once. */
const maxQueueLength = 16;
/** After a wrong password the next comparison waits this many times as long as the last one took, */
const failureDelayFactor = 3;
/** Longest time for one comparison: a hash with an extreme cost must not block all users. */
const maxFailureDelay: Millis = 2_000;

/**
 * Queue of password comparisons. It runs one at a time and pauses after each wrong password, so that a flood of wrong
 * passwords delays its senders and uses at most a quarter of a processor.
 */
export class PasswordQueue {
  readonly #compare: ComparePassword;
  readonly #clock: Clock;
  #waiting = 0;
  readonly #queue = new SerialQueue();

  constructor(compare: ComparePassword, clock: Clock) {
    this.#compare = compare;
    this.#clock = clock;
  }

  /** False as well when too many wait. Rejects when the comparison itself broke. */
  async matches(password: string, hash: string): Promise<boolean> {
    if (this.#waiting >= maxQueueLength) return false;
    this.#waiting += 1;
    try {
      return await this.#enqueue(password, hash);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #enqueue(password: string, hash: string): Promise<boolean> {
    const answer = this.#queue.run(() => this.#timed(password, hash));
    void this.#queue.run(() =>
      answer.then(({ isRight, took }) => (isRight ? undefined : this.#delayAfterFailure(took)), ignoreFailure),
    );
    return (await answer).isRight;
  }

  async #timed(password: string, hash: string): Promise<{ readonly isRight: boolean; readonly took: Millis }> {
    const started = this.#clock.now().mono;
    const isRight = await this.#compare(password, hash);
    return { isRight, took: this.#clock.now().mono - started };
  }

  #delayAfterFailure(took: Millis): Promise<void> {
    return this.#clock.sleep(Math.min(maxFailureDelay, took * failureDelayFactor));
  }
}

/** Rejects the caller; the queue continues with the next password. */
function ignoreFailure(): void {}

/** Right answers that are remembered: more than any installation has users. */
const maxCacheEntries = 256;

/** Cache of verified pairs of password and hash: bcrypt does not run for each scrape. */
export class PasswordCache {
  /** Known to this process alone: a memory dump gives nothing to look passwords up by. */
  readonly #key = randomBytes(32);
  readonly #entries = new Set<string>();

  /** Whether the pair was remembered. */
  has(password: string, hash: string): boolean {
    return this.#entries.has(this.#keyOf(password, hash));
  }

  /** Remembers a pair, and forgets the oldest one where there are too many. */
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
