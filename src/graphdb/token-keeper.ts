import { type Failure, failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { SecretReader } from './secret-reader.ts';
import { type Exchange, exchangeSecret, type Token } from './token-exchange.ts';
import { unlessAborted, withDeadline } from './waiting.ts';

interface Held extends Token {
  /** Wall clock: from here on a fresh one is fetched while this one is still used. */
  readonly renewAt: number;
  /** Wall clock: from here on it is not used any more. */
  readonly usableUntil: number;
}

interface Restraint {
  /** Monotonic. */
  readonly notBefore: number;
  readonly pause: Millis;
}

interface Rejection {
  readonly secret: Secret;
  readonly trouble: Failure;
  readonly until: number;
}

/** Short, so that a hung node does not keep the others waiting for the token that it was asked for. */
const exchangeTimeout: Millis = 2500;
/** After trouble, where there is a token to go on with or nothing to hope for. */
const retryPause: Millis = 5000;
const shortestPause: Millis = 60_000;
const longestPause: Millis = 3_600_000;
const unknownLife: Millis = 43_200_000;

/**
 * Keeps the token that a secret was exchanged for, for a whole cluster: one exchange at a time, renewed before
 * the token ends and when the server no longer likes it.
 */
export class TokenKeeper {
  readonly #reader: SecretReader;
  readonly #clock: Clock;
  #held: Held | undefined;
  #running: Promise<Result<Held, Failure>> | undefined;
  #rejection: Rejection | undefined;
  /**
   * A refusal may mean a missing privilege, which no token cures: renewals that did not help a call become rare for
   * that call, while the others may still tell that the token is worth nothing any more.
   */
  readonly #restraints = new Map<string, Restraint>();

  constructor(reader: SecretReader, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /** A token that should be good; undefined where the server wants none. */
  async token(exchange: Exchange, signal: AbortSignal): Promise<Result<Secret | undefined, Failure>> {
    const held = this.#held;
    const { wall } = this.#clock.now();
    if (held === undefined || wall >= held.usableUntil) return await this.#fetch(exchange, signal);
    if (wall >= held.renewAt) void this.#exchange(exchange);
    return ok(held.token);
  }

  /** The token that is at hand, for a call that may not wait for one. */
  atHand(): Result<Secret | undefined, Failure> {
    const held = this.#held;
    const isUsable = held !== undefined && this.#clock.now().wall < held.usableUntil;
    return isUsable ? ok(held.token) : err(failure('auth', 'no token is at hand'));
  }

  /** After `call` was refused with `used`: whether {@link token} may now give another one. */
  refused(used: Secret | undefined, call: string): boolean {
    if (this.#held?.token !== used) return true;
    const { mono } = this.#clock.now();
    const { notBefore, pause } = this.#restraints.get(call) ?? { notBefore: mono, pause: shortestPause };
    if (mono < notBefore) return false;
    this.#restraints.set(call, { notBefore: mono + pause, pause: Math.min(pause * 2, longestPause) });
    this.#held = undefined;
    return true;
  }

  /** `call` was accepted with the token that replaced a refused one. */
  renewalHelped(call: string): void {
    this.#restraints.delete(call);
  }

  /** Seconds since the epoch; undefined where there is no token or its end is unknown. */
  expiresAt(): number | undefined {
    return this.#held?.expiresAt;
  }

  async #fetch(exchange: Exchange, signal: AbortSignal): Promise<Result<Secret | undefined, Failure>> {
    const joined = this.#running !== undefined;
    const first = await unlessAborted(this.#exchange(exchange), signal);
    // Another node was asked on behalf of all and did not answer: ask through our own.
    const lost = joined && first !== undefined && !first.ok;
    const got = lost ? await unlessAborted(this.#exchange(exchange), signal) : first;
    if (got === undefined) return err(failure('timeout', 'no token was given within the deadline'));
    return got.ok ? ok(got.value.token) : got;
  }

  #exchange(exchange: Exchange): Promise<Result<Held, Failure>> {
    this.#running ??= this.#renew(exchange).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #renew(exchange: Exchange): Promise<Result<Held, Failure>> {
    const secret = await this.#reader.read();
    if (!secret.ok) return secret;
    const rejected = this.#rejection;
    if (rejected?.secret === secret.value && this.#clock.now().mono < rejected.until) return err(rejected.trouble);
    const token = await withDeadline(this.#clock, exchangeTimeout, (signal) =>
      exchangeSecret(secret.value, exchange, signal),
    );
    const { wall, mono } = this.#clock.now();
    if (!token.ok) {
      const denied = token.error.reason === 'auth';
      if (denied) this.#rejection = { secret: secret.value, trouble: token.error, until: mono + retryPause };
      this.#held &&= { ...this.#held, renewAt: wall + retryPause };
      return token;
    }
    this.#held = { ...token.value, ...lifeOf(token.value, wall) };
    return ok(this.#held);
  }
}

/** Renewed after four fifths of its life; one that seems to have ended already means a wrong clock, and is used until refused. */
function lifeOf({ expiresAt }: Token, wall: number): Pick<Held, 'renewAt' | 'usableUntil'> {
  const life = expiresAt === undefined ? unknownLife : expiresAt * 1000 - wall;
  const usableUntil = expiresAt === undefined || life <= 0 ? Number.POSITIVE_INFINITY : expiresAt * 1000;
  return { renewAt: wall + (life <= 0 ? shortestPause : life * 0.8), usableUntil };
}
