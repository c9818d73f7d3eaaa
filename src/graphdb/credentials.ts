import { type Failure, failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { Secret } from '../kernel/secret.ts';
import type { Files } from '../kernel/system.ts';
import type { Clock } from '../kernel/time.ts';
import type { AuthSettings } from '../model/settings.ts';
import type { CallName } from './calls.ts';
import { createSecretReader, type SecretReader } from './secret-reader.ts';
import type { Exchange } from './token-exchange.ts';
import { expiryInToken } from './token-expiry.ts';
import { TokenKeeper } from './token-keeper.ts';

/** What one request shows of us. */
export interface Ticket {
  /** Value of the `Authorization` header; absent where there is nothing to show. */
  readonly authorization?: Secret;
  /** What it was made of. */
  readonly secret?: Secret;
}

/** How a cluster's calls are authorised. Never rejects. */
export interface Credentials {
  /** The GSQL server and the data plane want different headers. `exchange` reaches the node that asks. */
  ticket(server: 'restpp' | 'gsql', exchange: Exchange, signal: AbortSignal): Promise<Result<Ticket, Failure>>;
  /** A ticket for the data plane of what is at hand: nobody is asked for it. */
  atHand(): Promise<Result<Ticket, Failure>>;
  /** After a refusal of `call`: whether asking for a ticket again may give a better one. */
  refused(ticket: Ticket, call: CallName | 'abort'): Promise<boolean>;
  /** That better ticket was accepted. */
  renewalHelped(call: CallName | 'abort'): void;
  /** Seconds since the epoch; undefined where no token is held or its end is unknown. */
  expiresAt(): number | undefined;
}

/** Builds the credentials that the configuration asks for. */
export function createCredentials(settings: AuthSettings, files: Files, clock: Clock): Credentials {
  if (settings.kind === 'none') return fromReader(undefined, () => undefined);
  if (settings.kind === 'secret') return exchanged(createSecretReader(settings.secret, files), clock);
  if (settings.kind === 'bearer') {
    return fromReader(createSecretReader(settings.token, files), (token) => `Bearer ${token}`);
  }
  const { username, password } = settings;
  return fromReader(createSecretReader(password, files), (text) => `Basic ${base64(`${username}:${text}`)}`);
}

function fromReader(reader: SecretReader | undefined, header: (secret: string) => string | undefined): Credentials {
  let last: Secret | undefined;
  async function ticket(): Promise<Result<Ticket, Failure>> {
    if (reader === undefined) return ok({});
    const secret = await reader.read();
    if (!secret.ok) return secret;
    last = secret.value;
    return ticketWith(header(last.reveal()), last);
  }
  return {
    ticket,
    atHand: ticket,
    refused: async ({ secret }) => secret !== undefined && ((await reader?.differsFrom(secret)) ?? false),
    renewalHelped: () => undefined,
    expiresAt: () => (last === undefined ? undefined : expiryInToken(last.reveal())),
  };
}

/** The data plane gets the token that the secret was exchanged for, the GSQL server the secret itself. */
function exchanged(reader: SecretReader, clock: Clock): Credentials {
  const keeper = new TokenKeeper(reader, clock);
  return {
    async ticket(server, exchange, signal) {
      if (server === 'gsql') {
        const secret = await reader.read();
        return secret.ok ? ticketWith(`GSQL-Secret ${secret.value.reveal()}`, secret.value) : secret;
      }
      return bearing(await keeper.token(exchange, signal));
    },
    atHand: async () => bearing(keeper.atHand()),
    async refused({ authorization, secret }, call) {
      if (secret !== undefined && authorization?.reveal().startsWith('GSQL-Secret ') === true) {
        return await reader.differsFrom(secret);
      }
      return keeper.refused(secret, call);
    },
    renewalHelped: (call) => keeper.renewalHelped(call),
    expiresAt: () => keeper.expiresAt(),
  };
}

function bearing(token: Result<Secret | undefined, Failure>): Result<Ticket, Failure> {
  if (!token.ok) return token;
  return token.value === undefined ? ok({}) : ticketWith(`Bearer ${token.value.reveal()}`, token.value);
}

function ticketWith(header: string | undefined, secret: Secret): Result<Ticket, Failure> {
  if (header === undefined) return ok({});
  if (/[^\x20-\x7e]/.test(header)) return err(failure('auth', 'the secret holds characters that no header can carry'));
  return ok({ authorization: new Secret(header), secret });
}

/** The UTF-8 bytes of a text in base64, as `Basic` headers have them. */
export function base64(text: string): string {
  // Byte by byte: as many arguments as a mistaken file has bytes would be too many.
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
