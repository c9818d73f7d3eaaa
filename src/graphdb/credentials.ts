import { type Failure, failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { Secret } from '../kernel/secret.ts';
import type { Files } from '../kernel/system.ts';
import type { Clock } from '../kernel/time.ts';
import type { AuthSettings } from '../model/settings.ts';
import type { IssuedToken, RequestToken, TokenRequestCounts } from './access-tokens.ts';
import { jwtExpiry, TokenCache } from './access-tokens.ts';
import type { CallName } from './calls.ts';
import { createSecretReader, type SecretReader } from './secret-reader.ts';

/** Credentials of one request. */
export interface RequestCredentials {
  /** Value of the `Authorization` header; absent without credentials. */
  readonly authorization?: Secret;
  /** Token or secret that the header was created from. */
  readonly secret?: Secret;
}

/** Authorization of the requests to a cluster. Never rejects. */
export interface Credentials {
  /** The GSQL server and the data plane need different headers. `exchange` requests a token from the calling node. */
  authorize(
    server: 'restpp' | 'gsql',
    exchange: RequestToken,
    signal: AbortSignal,
  ): Promise<Result<RequestCredentials, Failure>>;
  /** Returns the cached credentials for the data plane, without a request. */
  cached(): Promise<Result<RequestCredentials, Failure>>;
  /** After a rejection of `call`: returns whether new credentials may help. */
  onRejected(ticket: RequestCredentials, call: CallName | 'abort'): Promise<boolean>;
  /** Records that the new credentials were accepted. */
  renewalSucceeded(call: CallName | 'abort'): void;
  /** Seconds since the epoch; undefined without a token or with an unknown expiration. */
  expiresAt(): number | undefined;
  /** Numbers of token requests; undefined without a secret that is exchanged. */
  tokenRequests(): TokenRequestCounts | undefined;
  /** Forgets the token that a secret was exchanged for, and returns it; never a token of the configuration. */
  release(): Promise<IssuedToken | undefined>;
  /** Waits a moment for a token that is being requested. */
  settle(): Promise<void>;
  /** Allows token requests again after {@link release}. */
  reopen(): void;
}

/** Creates the credentials for the configuration. */
export function createCredentials(settings: AuthSettings, files: Files, clock: Clock): Credentials {
  if (settings.kind === 'none') return fromSecret(undefined, () => undefined);
  if (settings.kind === 'secret') return fromExchangedToken(createSecretReader(settings.secret, files), clock);
  if (settings.kind === 'bearer') {
    return fromSecret(createSecretReader(settings.token, files), (token) => `Bearer ${token}`);
  }
  const { username, password } = settings;
  return fromSecret(createSecretReader(password, files), (text) => `Basic ${base64(`${username}:${text}`)}`);
}

function fromSecret(reader: SecretReader | undefined, header: (secret: string) => string | undefined): Credentials {
  let last: Secret | undefined;
  /** Credentials for the last secret, cached because each request needs them and the secret rarely changes. */
  let current: Result<RequestCredentials, Failure> = ok({});
  async function authorize(): Promise<Result<RequestCredentials, Failure>> {
    if (reader === undefined) return current;
    const secret = await reader.read();
    if (!secret.ok) return secret;
    if (secret.value !== last) current = headerCredentials(header(secret.value.reveal()), secret.value);
    last = secret.value;
    return current;
  }
  return {
    authorize,
    cached: authorize,
    onRejected: async ({ secret }) => secret !== undefined && ((await reader?.differsFrom(secret)) ?? false),
    renewalSucceeded: () => undefined,
    expiresAt: () => (last === undefined ? undefined : jwtExpiry(last.reveal())),
    tokenRequests: () => undefined,
    release: async () => undefined,
    settle: async () => undefined,
    reopen: () => undefined,
  };
}

/** The data plane gets the token that the secret was exchanged for, the GSQL server the secret itself. */
function fromExchangedToken(reader: SecretReader, clock: Clock): Credentials {
  const keeper = new TokenCache(reader, clock);
  return {
    async authorize(server, exchange, signal) {
      if (server === 'gsql') {
        const secret = await reader.read();
        return secret.ok ? headerCredentials(`GSQL-Secret ${secret.value.reveal()}`, secret.value) : secret;
      }
      return bearerCredentials(await keeper.token(exchange, signal));
    },
    cached: async () => bearerCredentials(keeper.cached()),
    async onRejected({ authorization, secret }, call) {
      if (secret !== undefined && authorization?.reveal().startsWith('GSQL-Secret ') === true) {
        return await reader.differsFrom(secret);
      }
      return keeper.onRejected(secret, call);
    },
    renewalSucceeded: (call) => keeper.renewalSucceeded(call),
    expiresAt: () => keeper.expiresAt(),
    tokenRequests: () => keeper.requests(),
    release: () => keeper.release(),
    settle: () => keeper.settle(),
    reopen: () => keeper.reopen(),
  };
}

function bearerCredentials(token: Result<Secret | undefined, Failure>): Result<RequestCredentials, Failure> {
  if (!token.ok) return token;
  return token.value === undefined ? ok({}) : headerCredentials(`Bearer ${token.value.reveal()}`, token.value);
}

function headerCredentials(header: string | undefined, secret: Secret): Result<RequestCredentials, Failure> {
  if (header === undefined) return ok({});
  if (/[^\x20-\x7e]/.test(header))
    return err(failure('auth', 'the token or secret has several lines, or characters that a header cannot contain'));
  if (/^Bearer +Bearer /i.test(header))
    return err(failure('auth', 'the token begins with Bearer: remove this word and the blank'));
  return ok({ authorization: new Secret(header), secret });
}

/** Encodes the UTF-8 bytes of a text in base64, for `Basic` headers. */
export function base64(text: string): string {
  // Byte by byte: a wrong file may have more bytes than a call can have arguments.
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
