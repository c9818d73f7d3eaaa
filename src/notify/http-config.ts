import { z } from 'zod';
import { base64 } from '../graphdb/credentials.ts';
import { tlsSection } from '../graphdb/settings.ts';
import { environmentReference, secretFile, secretSource, secretText, urlField } from '../graphdb/settings-fields.ts';
import type { HttpProxy } from '../kernel/http.ts';
import type { Secret, SecretSource } from '../kernel/secret.ts';
import type { TlsSettings } from '../model/settings.ts';

/** How requests to a receiver are sent. Passwords are among the secrets of the receiver. */
export interface HttpConfig {
  readonly tls?: TlsSettings;
  /** Absent: the proxy of the environment, if any. */
  readonly proxy?: { readonly url: string; readonly username?: string };
  /** User name of basic authentication. */
  readonly username?: string;
  /** Scheme of the header `Authorization` with credentials. */
  readonly authorizationType?: string;
  /** Values of further headers by name; secret values are among the secrets. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

/** A parsed `http_config`, with its secrets by name. */
export interface ParsedHttpConfig {
  readonly http: HttpConfig;
  readonly secrets: Readonly<Record<string, SecretSource>>;
}

/** Keys of `http_config` that hold secrets, each also as `<name>_file`; the path joined by dots is the name of the secret. */
export const httpSecretPaths = {
  proxyPassword: ['http_config', 'proxy_basic_auth', 'password'],
  password: ['http_config', 'basic_auth', 'password'],
  credentials: ['http_config', 'authorization', 'credentials'],
} as const;

const proxyPassword = httpSecretPaths.proxyPassword.join('.');
const password = httpSecretPaths.password.join('.');
const credentials = httpSecretPaths.credentials.join('.');
const headerPrefix = 'http_config.http_headers.';

function inlineSecret(about: string, variable: string) {
  return secretText
    .optional()
    .describe(about)
    .meta({ examples: [environmentReference(variable)] });
}

function secretFileField(name: string, example: string) {
  return secretFile
    .optional()
    .describe(`File with the value of \`${name}\`; reloaded when it changes.`)
    .meta({ examples: [example] });
}

function basicAuth(variable: string, file: string) {
  return z
    .strictObject({
      username: z
        .string()
        .regex(/^[^:\p{Cc}]+$/u, { error: 'must not be empty or contain a colon or a line break' })
        .describe('User name.')
        .meta({ examples: ['graphwarden'] }),
      password: inlineSecret('Password. Prefer `password_file` or an environment variable.', variable),
      password_file: secretFileField('password', file),
    })
    .transform((given, context) => {
      const source = secretSource(given.password, given.password_file);
      if (source !== undefined) return { username: given.username, source };
      context.issues.push({ code: 'custom', message: 'needs one of password and password_file', input: '' });
      return z.NEVER;
    });
}

const authorization = z
  .strictObject({
    type: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9._-]*$/, { error: 'must be the name of an authentication scheme, such as Bearer' })
      .refine((type) => type.toLowerCase() !== 'basic', { error: 'cannot be Basic; use basic_auth' })
      .prefault('Bearer')
      .describe('Authentication scheme.'),
    credentials: inlineSecret('Credentials. Prefer `credentials_file` or an environment variable.', 'RECEIVER_TOKEN'),
    credentials_file: secretFileField('credentials', '/run/secrets/receiver-token'),
  })
  .transform((given, context) => {
    const source = secretSource(given.credentials, given.credentials_file);
    if (source !== undefined) return { type: given.type, source };
    context.issues.push({ code: 'custom', message: 'needs one of credentials and credentials_file', input: '' });
    return z.NEVER;
  });

/** Headers that the client or the receiver sets. */
const reservedHeaders: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'www-authenticate',
  'x-graphwarden-signature',
]);

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'must be the name of a header' })
  .refine((name) => !reservedHeaders.has(name.toLowerCase()), {
    error: 'is set by graphwarden; for Authorization, use basic_auth or authorization',
  });

const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]+$/, {
  error: 'must not be empty or contain a line break or a character outside ISO 8859-1',
});

const header = z
  .strictObject({
    values: z
      .array(headerValue)
      .prefault([])
      .describe('Values.')
      .meta({ examples: [['tenant-1']] }),
    secrets: z
      .array(secretText)
      .prefault([])
      .describe('Secret values. Prefer `files` or environment variables.')
      .meta({ examples: [[environmentReference('RECEIVER_API_KEY')]] }),
    files: z
      .array(secretFile)
      .prefault([])
      .describe('Files with values; graphwarden reads them again when they change.')
      .meta({ examples: [['/run/secrets/receiver-api-key']] }),
  })
  .refine(({ values, secrets, files }) => values.length + secrets.length + files.length > 0, {
    error: 'needs one of values, secrets and files',
  });

const headersField = z
  .record(headerName, header)
  .prefault({})
  .describe('Additional headers by name, as in Prometheus, each with `values`, `secrets` or `files`.')
  .meta({ examples: [{ 'X-Scope-OrgID': { values: ['tenant-1'] } }] });

const tlsConfig = tlsSection.optional().describe('CA, client certificate and server name of the TLS connection.');

/** `tls_config` of a receiver that does not use HTTP. */
export const tlsConfigField = tlsSection
  .transform((tls): ParsedHttpConfig => ({ http: { tls, headers: {} }, secrets: {} }))
  .optional()
  .describe('CA, client certificate and server name. If it is present, TLS is required.');

const connectionFields = {
  tls_config: tlsConfig,
  proxy_url: urlField('http://proxy.example.org:3128')
    .optional()
    .describe('Forward proxy. Default: the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, if any.'),
  proxy_basic_auth: basicAuth('PROXY_PASSWORD', '/run/secrets/proxy-password')
    .optional()
    .describe('Credentials for the proxy in `proxy_url`.'),
};

const credentialFields = {
  basic_auth: basicAuth('RECEIVER_PASSWORD', '/run/secrets/receiver-password')
    .optional()
    .describe('Basic authentication.'),
  authorization: authorization.optional().describe('Credentials in the header `Authorization`.'),
  http_headers: headersField,
};

const withoutCredentials = z
  .strictObject(connectionFields)
  .transform((given, context): ParsedHttpConfig => toHttpConfig({ ...given, http_headers: {} }, context.issues));

const withCredentials = z
  .strictObject({ ...connectionFields, ...credentialFields })
  .transform((given, context): ParsedHttpConfig => toHttpConfig(given, context.issues));

/** `http_config` of a receiver, as in Prometheus; with credentials and headers only where the receiver has no token of its own. */
export function httpConfigField(hasCredentials: boolean) {
  return (hasCredentials ? withCredentials : withoutCredentials)
    .optional()
    .describe('TLS, proxy and credentials of the requests.');
}

type Auth = { readonly username: string; readonly source: SecretSource } | undefined;

interface GivenConfig {
  readonly tls_config?: TlsSettings | undefined;
  readonly proxy_url?: string | undefined;
  readonly proxy_basic_auth?: Auth;
  readonly basic_auth?: Auth;
  readonly authorization?: { readonly type: string; readonly source: SecretSource } | undefined;
  readonly http_headers: Readonly<Record<string, z.output<typeof header>>>;
}

function toHttpConfig(given: GivenConfig, issues: z.core.$ZodRawIssue[]): ParsedHttpConfig {
  const { tls_config: tls, proxy_url: url, proxy_basic_auth: proxyAuth, basic_auth: basic } = given;
  if (proxyAuth !== undefined && url === undefined)
    issues.push({ code: 'custom', message: 'proxy_basic_auth requires proxy_url', input: '' });
  if (basic !== undefined && given.authorization !== undefined)
    issues.push({ code: 'custom', message: 'takes one of basic_auth and authorization', input: '' });
  const proxyUser = proxyAuth === undefined ? {} : { username: proxyAuth.username };
  const http = {
    ...(tls === undefined ? {} : { tls }),
    ...(url === undefined ? {} : { proxy: { url, ...proxyUser } }),
    ...(basic === undefined ? {} : { username: basic.username }),
    ...(given.authorization === undefined ? {} : { authorizationType: given.authorization.type }),
    headers: Object.fromEntries(Object.entries(given.http_headers).map(([name, { values }]) => [name, values])),
  };
  return { http, secrets: secretsOf(given) };
}

function secretsOf(given: GivenConfig): Readonly<Record<string, SecretSource>> {
  const headers = Object.entries(given.http_headers).flatMap(([name, { secrets, files }]) => [
    ...secrets.map((value, at) => [`${headerPrefix}${name}.secrets.${at}`, { value }] as const),
    ...files.map((file, at) => [`${headerPrefix}${name}.files.${at}`, { file }] as const),
  ]);
  return {
    ...(given.proxy_basic_auth === undefined ? {} : { [proxyPassword]: given.proxy_basic_auth.source }),
    ...(given.basic_auth === undefined ? {} : { [password]: given.basic_auth.source }),
    ...(given.authorization === undefined ? {} : { [credentials]: given.authorization.source }),
    ...Object.fromEntries(headers),
  };
}

/** Current values of secrets by name. */
type Secrets = Readonly<Record<string, Secret | undefined>>;

/** Returns the headers that `http_config` adds to a request. */
export function configuredHeaders(
  { username, authorizationType, headers }: HttpConfig,
  secrets: Secrets,
): Readonly<Record<string, string>> {
  const texts = Object.entries(headers).map(([name, values]) => {
    const prefix = `${headerPrefix}${name}.`;
    const own = Object.keys(secrets).filter((key) => key.startsWith(prefix));
    return [name.toLowerCase(), [...values, ...own.map((key) => reveal(secrets, key))].join(', ')];
  });
  const basic = username === undefined ? {} : { authorization: basicHeader(username, reveal(secrets, password)) };
  const other =
    authorizationType === undefined ? {} : { authorization: `${authorizationType} ${reveal(secrets, credentials)}` };
  return { ...Object.fromEntries(texts), ...basic, ...other };
}

/** Returns the proxy of the requests. */
export function configuredProxy({ proxy }: HttpConfig, secrets: Secrets): HttpProxy {
  if (proxy === undefined) return 'environment';
  const { url, username } = proxy;
  if (username === undefined) return { url };
  return { url, authorization: basicHeader(username, reveal(secrets, proxyPassword)) };
}

function reveal(secrets: Secrets, name: string): string {
  return secrets[name]?.reveal() ?? '';
}

function basicHeader(username: string, secret: string): string {
  return `Basic ${base64(`${username}:${secret}`)}`;
}

/** Returns why a header cannot be sent; undefined if all can. The sentence does not contain the value, which may be a secret. */
export function headerProblem(headers: Readonly<Record<string, string>>): string | undefined {
  const wrong = Object.keys(headers).find((name) => !headerValue.safeParse(headers[name]).success);
  if (wrong === undefined) return undefined;
  return `the value of the header ${wrong} contains a line break or a character that a header cannot contain`;
}
