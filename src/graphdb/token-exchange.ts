import { z } from 'zod';
import { type Failure, failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { Secret } from '../kernel/secret.ts';
import type { JsonObject } from './reply.ts';
import { expiryOf } from './token-expiry.ts';

/** Makes one of the two token calls through the node that asks. */
export type Exchange = (
  name: 'tokens' | 'requestToken',
  body: JsonObject,
  signal: AbortSignal,
) => Promise<Result<JsonObject, Failure>>;

/** What a secret was exchanged for. */
export interface Token {
  /** Absent where the data plane has authentication switched off. */
  readonly token?: Secret;
  /** Seconds since the epoch. */
  readonly expiresAt?: number;
}

const shape = z.object({ token: z.string().min(1), expiration: z.unknown().optional() });
/** With user name and password, the 3.x call puts the token into `results` and leaves its end outside. */
const nested = z.object({ expiration: z.unknown().optional(), results: shape });
const answer = z.union([shape, nested.transform(({ expiration, results }) => ({ expiration, ...results }))]);

/** Asks the GSQL server, as 4.x has it, else the data plane, as 3.x had it. */
export async function exchangeSecret(
  secret: Secret,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Result<Token, Failure>> {
  const body = { secret: secret.reveal() };
  const current = await exchange('tokens', body, signal);
  if (current.ok) return readToken(current.value);
  if (!isMissing(current.error)) return current;
  const older = await exchange('requestToken', body, signal);
  if (older.ok) return readToken(older.value);
  // «No such endpoint», said by the data plane itself: it asks for no token at all.
  return older.error.code === 'REST-1000' ? ok({}) : older;
}

function isMissing({ reason, status }: Failure): boolean {
  return reason === 'unsupported' || (reason === 'body' && status === 200) || status === 405;
}

function readToken(json: JsonObject): Result<Token, Failure> {
  const read = answer.safeParse(json);
  if (!read.success) return err(failure('body', 'the answer to the token request holds no token'));
  const { token, expiration } = read.data;
  const expiresAt = expiryOf(token, expiration);
  return ok({ token: new Secret(token), ...(expiresAt !== undefined && { expiresAt }) });
}
