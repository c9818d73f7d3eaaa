import { z } from 'zod';
import { exponentialBackoff } from '../kernel/backoff.ts';
import { waitAtMost, waitUnlessAborted, withDeadline } from '../kernel/deadline.ts';
import { errorName, type Failure, failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { Secret } from '../kernel/secret.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import { parseDate } from './dates.ts';
import type { JsonObject } from './reply.ts';
import type { SecretReader } from './secret-reader.ts';

/** Sends one of the two token requests through the node that needs the token. */
export type RequestToken = (
  name: 'tokens' | 'requestToken',
  body: JsonObject,
  signal: AbortSignal,
) => Promise<Result<JsonObject, Failure>>;

/** Token that a secret was exchanged for. */
export interface AccessToken {
  /** Absent if the data plane has authentication disabled. */
  readonly token?: Secret;
  /** The request that issued it. */
  readonly issuer: 'tokens' | 'requestToken';
  /** Seconds since the epoch. */
  readonly expiresAt?: number;
}

/** Token with the data that its deletion needs. */
export interface IssuedToken extends Pick<AccessToken, 'issuer'> {
  readonly token: Secret;
  /** The secret that it was issued for. */
  readonly secret: Secret;
}

/** Results of token requests, a closed set of label values. */
export const tokenRequestOutcomes = ['created', 'renewed', 'refused', 'failed'] as const;

/** Number of token requests by outcome. */
export type TokenRequestCounts = Readonly<Record<(typeof tokenRequestOutcomes)[number], number>>;

const tokenReply = z.object({ token: z.string().min(1), expiration: z.unknown().optional() });
/** With user name and password, the 3.x call puts the token into `results` and its expiration outside. */
const nestedTokenReply = z.object({ expiration: z.unknown().optional(), results: tokenReply });
const anyTokenReply = z.union([
  tokenReply,
  nestedTokenReply.transform(({ expiration, results }) => ({ expiration, ...results })),
]);

/** Requests a token from the GSQL server, as in 4.x, otherwise from the data plane, as in 3.x. */
export async function exchangeSecret(
  secret: Secret,
  exchange: RequestToken,
  signal: AbortSignal,
): Promise<Result<AccessToken, Failure>> {
  const body = { secret: secret.reveal() };
  const current = await exchange('tokens', body, signal);
  if (current.ok) return parseToken(current.value, 'tokens');
  if (!isUnsupported(current.error)) return current;
  const older = await exchange('requestToken', body, signal);
  if (older.ok) return parseToken(older.value, 'requestToken');
  // «No such endpoint» from the data plane itself: it requires no token.
  return older.error.code === 'REST-1000' ? ok({ issuer: 'requestToken' }) : older;
}

function isUnsupported({ reason, status }: Failure): boolean {
  return reason === 'unsupported' || (reason === 'body' && status === 200) || status === 405;
}

function parseToken(json: JsonObject, issuer: AccessToken['issuer']): Result<AccessToken, Failure> {
  const read = anyTokenReply.safeParse(json);
  if (!read.success) return err(failure('body', 'the token response contains no token'));
  const { token, expiration } = read.data;
  const expiresAt = tokenExpiry(token, expiration);
  return ok({ token: new Secret(token), issuer, ...(expiresAt !== undefined && { expiresAt }) });
}

/**
 * Returns the expiration of a token in seconds since the epoch: of a JWT from its claim, of others from the reply, as
 * epoch (3.x) or as text (4.x). Undefined if neither is valid.
 */
export function tokenExpiry(token: string, expiration: unknown): number | undefined {
  return jwtExpiry(token) ?? parseDate(expiration);
}

/** Returns the `exp` claim of a JWT; undefined for plain tokens. */
export function jwtExpiry(token: string): number | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null && 'exp' in claims ? parseDate(claims.exp) : undefined;
  } catch {
    return undefined;
  }
}

const closed = failure('auth', 'the connections of the cluster are closed');

interface CachedToken extends AccessToken {
  readonly secret: Secret;
  /** Wall clock: from here on a new token is requested while this one is still used. */
  readonly renewAt: number;
  /** Wall clock: from here on it is no longer used. */
  readonly usableUntil: number;
}

interface RenewalBackoff {
  /** Time on the monotonic clock. */
  readonly earliest: number;
  readonly renewals: number;
}

interface RejectedSecret {
  readonly secret: Secret;
  readonly failure: Failure;
  readonly until: number;
}

/** Short, so that a hung node does not block the other nodes that wait for the token. */
const exchangeTimeout: Millis = 2500;
/** Short: a stop does not wait for a server that hangs. */
const settleTimeout: Millis = 1000;
/** Pause after a failure, while another token is valid or a retry is pointless. */
const retryPause: Millis = 5000;
const renewalPauses = { min: 60_000, max: 3_600_000 };
const unknownLifetime: Millis = 43_200_000;

/**
 * Token of a cluster that a secret was exchanged for: one exchange at a time, renewed before the token expires and when
 * the server rejects it.
 */
export class TokenCache {
  readonly #reader: SecretReader;
  readonly #clock: Clock;
  #cached: CachedToken | undefined;
  #running: Promise<Result<CachedToken, Failure>> | undefined;
  #rejection: RejectedSecret | undefined;
  #isReleased = false;
  /**
   * Limits renewals after rejections. A rejection may mean a missing privilege, which no token fixes: renewals that did
   * not help a call become rare for that call, while other calls can still detect an invalid token.
   */
  readonly #backoffs = new Map<string, RenewalBackoff>();
  readonly #requests = { created: 0, renewed: 0, refused: 0, failed: 0 };

  constructor(reader: SecretReader, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /** Returns a valid token; undefined if the server requires none. */
  async token(exchange: RequestToken, signal: AbortSignal): Promise<Result<Secret | undefined, Failure>> {
    const held = this.#cached;
    const { wall } = this.#clock.now();
    if (held === undefined || wall >= held.usableUntil) return await this.#fetch(exchange, signal);
    if (wall >= held.renewAt) void this.#exchange(exchange);
    return ok(held.token);
  }

  /** Returns the cached token, for a call that must not wait for one. */
  cached(): Result<Secret | undefined, Failure> {
    const held = this.#cached;
    const isUsable = held !== undefined && this.#clock.now().wall < held.usableUntil;
    return isUsable ? ok(held.token) : err(failure('auth', 'no token is available'));
  }

  /** After `call` was rejected with `used`: returns whether {@link token} may now return another token. */
  onRejected(used: Secret | undefined, call: string): boolean {
    if (this.#cached?.token !== used) return true;
    const { mono } = this.#clock.now();
    const { earliest, renewals } = this.#backoffs.get(call) ?? { earliest: mono, renewals: 0 };
    if (mono < earliest) return false;
    this.#backoffs.set(call, { earliest: mono + exponentialBackoff(renewalPauses, renewals), renewals: renewals + 1 });
    this.#cached = undefined;
    return true;
  }

  /** Records that `call` was accepted with the token that replaced a rejected one. */
  renewalSucceeded(call: string): void {
    this.#backoffs.delete(call);
  }

  /** Seconds since the epoch; undefined without a token or with an unknown expiration. */
  expiresAt(): number | undefined {
    return this.#cached?.expiresAt;
  }

  /** Returns the numbers of token requests. */
  requests(): TokenRequestCounts {
    return { ...this.#requests };
  }

  /**
   * Forgets the token, and returns it if this process was issued one; it is to be dropped then. Waits for a token that is
   * being requested, and requests no further one until {@link reopen}.
   */
  async release(): Promise<IssuedToken | undefined> {
    this.#isReleased = true;
    await this.settle();
    const held = this.#cached;
    this.#cached = undefined;
    if (held?.token === undefined) return undefined;
    return { token: held.token, issuer: held.issuer, secret: held.secret };
  }

  /** Waits for a token that is being requested, at most a second: its node must stay connected until then. */
  async settle(): Promise<void> {
    if (this.#running !== undefined) await waitAtMost(this.#clock, settleTimeout, this.#running);
  }

  /** Allows token requests again after {@link release}: a cluster without nodes has got one. */
  reopen(): void {
    this.#isReleased = false;
  }

  async #fetch(exchange: RequestToken, signal: AbortSignal): Promise<Result<Secret | undefined, Failure>> {
    const joined = this.#running !== undefined;
    const first = await waitUnlessAborted(this.#exchange(exchange), signal);
    // The exchange through another node failed: repeat it through this node.
    const lost = joined && first !== undefined && !first.ok;
    const got = lost ? await waitUnlessAborted(this.#exchange(exchange), signal) : first;
    if (got === undefined) return err(failure('timeout', 'no token was received within the deadline'));
    return got.ok ? ok(got.value.token) : got;
  }

  #exchange(exchange: RequestToken): Promise<Result<CachedToken, Failure>> {
    if (this.#running === undefined && this.#isReleased) return Promise.resolve(err(closed));
    this.#running ??= this.#renew(exchange).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #renew(exchange: RequestToken): Promise<Result<CachedToken, Failure>> {
    const secret = await this.#reader.read();
    if (!secret.ok) return secret;
    const rejected = this.#rejection;
    if (rejected?.secret === secret.value && this.#clock.now().mono < rejected.until) return err(rejected.failure);
    const token = await withDeadline(this.#clock, exchangeTimeout, (signal) =>
      exchangeSecret(secret.value, exchange, signal),
    ).catch((error: unknown) => err(failure('body', `processing the token response failed: ${errorName(error)}`)));
    const { wall, mono } = this.#clock.now();
    this.#count(token);
    if (!token.ok) {
      const denied = token.error.reason === 'auth';
      if (denied) this.#rejection = { secret: secret.value, failure: token.error, until: mono + retryPause };
      this.#cached &&= { ...this.#cached, renewAt: wall + retryPause };
      return token;
    }
    this.#cached = { ...token.value, secret: secret.value, ...tokenLifetime(token.value, wall) };
    return ok(this.#cached);
  }

  #count(token: Result<AccessToken, Failure>): void {
    const { created, renewed } = this.#requests;
    if (!token.ok) this.#requests[token.error.reason === 'auth' ? 'refused' : 'failed'] += 1;
    else this.#requests[created + renewed === 0 ? 'created' : 'renewed'] += 1;
  }
}

/**
 * Returns when a token is renewed: after four fifths of its lifetime. A token that already seems expired indicates a wrong
 * clock, and is used until the server rejects it.
 */
function tokenLifetime({ expiresAt }: AccessToken, wall: number): Pick<CachedToken, 'renewAt' | 'usableUntil'> {
  const life = expiresAt === undefined ? unknownLifetime : expiresAt * 1000 - wall;
  const usableUntil = expiresAt === undefined || life <= 0 ? Number.POSITIVE_INFINITY : expiresAt * 1000;
  return { renewAt: wall + (life <= 0 ? renewalPauses.min : life * 0.8), usableUntil };
}
