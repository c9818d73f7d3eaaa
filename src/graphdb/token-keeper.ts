import { type Failure, failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { SecretReader } from './secret-reader.ts';
import { type Exchange, exchangeSecret, type Token } from './token-exchange.ts';
import { unlessAborted, withDeadline } from './waiting.ts';

/** Keeps the token that a secret was exchanged for, for a whole cluster: one exchange at a time. */
export interface TokenKeeper {
  /** A token that should be good; undefined where the server wants none. */
  token(exchange: Exchange, signal: AbortSignal): Promise<Result<Secret | undefined, Failure>>;
  /** After a refusal of `used`: whether {@link token} will now give another one. */
  refused(used: Secret | undefined): boolean;
  renewalHelped(): void;
  /** Seconds since the epoch. */
  expiresAt(): number | undefined;
}

interface Held extends Token {
  /** Wall clock: from here on a fresh one is fetched while this one is still used. */
  readonly renewAt: number;
  /** Wall clock: from here on it is not used any more. */
  readonly usableUntil: number;
}

interface Rejection {
  readonly secret: Secret;
  readonly trouble: Failure;
  readonly until: number;
}

/** Short, so that a hung node does not keep the others waiting for the token that it was asked for. */
const exchangeTimeout: Millis = 2500;
const rejectionPause: Millis = 5000;
const shortestPause: Millis = 60_000;
const longestPause: Millis = 3_600_000;
const unknownLife: Millis = 43_200_000;

/** Builds a keeper that has no token yet. */
export function createTokenKeeper(reader: SecretReader, clock: Clock): TokenKeeper {
  let held: Held | undefined;
  let running: Promise<Result<Held, Failure>> | undefined;
  let rejection: Rejection | undefined;
  // A refusal may mean a missing privilege, which no token cures: renewals that did not help become rare.
  let forcedNotBefore = Number.NEGATIVE_INFINITY;
  let pause = shortestPause;

  async function renew(exchange: Exchange): Promise<Result<Held, Failure>> {
    const secret = await reader.read();
    if (!secret.ok) return secret;
    const now = clock.now();
    if (rejection?.secret === secret.value && now.mono < rejection.until) return err(rejection.trouble);
    const token = await withDeadline(clock, exchangeTimeout, (signal) =>
      exchangeSecret(secret.value, exchange, signal),
    );
    if (!token.ok) {
      const { mono } = clock.now();
      const denied = token.error.reason === 'auth';
      if (denied) rejection = { secret: secret.value, trouble: token.error, until: mono + rejectionPause };
      return token;
    }
    held = { ...token.value, ...lifeOf(token.value, clock.now().wall) };
    return ok(held);
  }

  function shared(exchange: Exchange): Promise<Result<Held, Failure>> {
    running ??= renew(exchange).finally(() => {
      running = undefined;
    });
    return running;
  }

  async function fetched(exchange: Exchange, signal: AbortSignal): Promise<Result<Secret | undefined, Failure>> {
    const joined = running !== undefined;
    const first = await unlessAborted(shared(exchange), signal);
    // Another node was asked on behalf of all and did not answer: ask through our own.
    const lost = joined && first !== undefined && !first.ok;
    const got = lost ? await unlessAborted(shared(exchange), signal) : first;
    if (got === undefined) return err(failure('timeout', 'no token was given within the deadline'));
    return got.ok ? ok(got.value.token) : got;
  }

  return {
    async token(exchange, signal) {
      if (held === undefined) return await fetched(exchange, signal);
      const { wall } = clock.now();
      if (wall < held.renewAt) return ok(held.token);
      if (wall >= held.usableUntil) return await fetched(exchange, signal);
      void shared(exchange);
      return ok(held.token);
    },
    refused(used) {
      if (held?.token !== used) return true;
      const { mono } = clock.now();
      if (mono < forcedNotBefore) return false;
      forcedNotBefore = mono + pause;
      pause = Math.min(pause * 2, longestPause);
      held = undefined;
      return true;
    },
    renewalHelped() {
      forcedNotBefore = Number.NEGATIVE_INFINITY;
      pause = shortestPause;
    },
    expiresAt: () => held?.expiresAt,
  };
}

/** Renewed after four fifths of its life; one that seems to have ended already means a wrong clock, and is used until refused. */
function lifeOf({ expiresAt }: Token, wall: number): Pick<Held, 'renewAt' | 'usableUntil'> {
  const life = expiresAt === undefined ? unknownLife : expiresAt * 1000 - wall;
  const usableUntil = expiresAt === undefined || life <= 0 ? Number.POSITIVE_INFINITY : expiresAt * 1000;
  return { renewAt: wall + (life <= 0 ? shortestPause : life * 0.8), usableUntil };
}
