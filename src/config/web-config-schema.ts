import { z } from 'zod';
import { Secret } from '../kernel/secret.ts';
import {
  clientAuthTypes,
  type PemSource,
  type TlsVersion,
  type WebSettings,
  type WebTlsSettings,
} from '../model/web-settings.ts';

/** TLS versions by the names of the file, with the names of OpenSSL. */
const tlsVersions: ReadonlyMap<string, TlsVersion> = new Map([
  ['TLS10', 'TLSv1'],
  ['TLS11', 'TLSv1.1'],
  ['TLS12', 'TLSv1.2'],
  ['TLS13', 'TLSv1.3'],
]);

/** Cipher suites by their standard names, with the names of OpenSSL. */
export const cipherSuites: ReadonlyMap<string, string> = new Map([
  ['TLS_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ['TLS_AES_256_GCM_SHA384', 'TLS_AES_256_GCM_SHA384'],
  ['TLS_CHACHA20_POLY1305_SHA256', 'TLS_CHACHA20_POLY1305_SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'ECDHE-ECDSA-AES128-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'ECDHE-RSA-AES128-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'ECDHE-RSA-AES256-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_RSA_WITH_AES_128_CBC_SHA', 'AES128-SHA'],
  ['TLS_RSA_WITH_AES_256_CBC_SHA', 'AES256-SHA'],
  ['TLS_RSA_WITH_AES_128_GCM_SHA256', 'AES128-GCM-SHA256'],
  ['TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
]);

/** Curves by the names of the file, with the names of OpenSSL. */
export const curves: ReadonlyMap<string, string> = new Map([
  ['CurveP256', 'prime256v1'],
  ['CurveP384', 'secp384r1'],
  ['CurveP521', 'secp521r1'],
  ['X25519', 'X25519'],
  ['X25519MLKEM768', 'X25519MLKEM768'],
]);

/** Response headers that can be set, with the accepted values; empty for any value. */
const responseHeaders: Readonly<Record<string, readonly string[]>> = {
  'Content-Security-Policy': [],
  'X-Frame-Options': ['deny', 'sameorigin'],
  'X-Content-Type-Options': ['nosniff'],
  'X-XSS-Protection': [],
  'Strict-Transport-Security': [],
};

const text = z.string().min(1);

/** Closed set of names that are mapped to the names of OpenSSL. */
function named<Word extends string>(words: ReadonlyMap<string, Word>) {
  return z.enum([...words.keys()]).transform((name, context) => {
    const word = words.get(name);
    if (word !== undefined) return word;
    context.issues.push({ code: 'custom', message: 'is not known', input: '' });
    return z.NEVER;
  });
}

const clientAuth = z
  // `RequireClientCert` is a deprecated name of `RequireAnyClientCert` that existing files contain.
  .enum([...clientAuthTypes, 'RequireClientCert'])
  .transform((type) => (type === 'RequireClientCert' ? 'RequireAnyClientCert' : type));

const tlsSection = z
  .strictObject({
    cert_file: text.optional(),
    key_file: text.optional(),
    cert: text.optional(),
    key: text.optional(),
    client_auth_type: clientAuth.optional(),
    client_ca_file: text.optional(),
    client_ca: text.optional(),
    client_allowed_sans: z.array(text).prefault([]),
    min_version: named(tlsVersions).prefault('TLS12'),
    max_version: named(tlsVersions).prefault('TLS13'),
    cipher_suites: z.array(named(cipherSuites)).prefault([]),
    curve_preferences: z.array(named(curves)).prefault([]),
    prefer_server_cipher_suites: z.boolean().prefault(true),
  })
  .transform((given, context): WebTlsSettings | undefined => {
    const problems: [string, string][] = [];
    const [cert, key, clientCa] = (['cert', 'key', 'client_ca'] as const).map((name) => {
      const [inline, file] = [given[name], given[`${name}_file`]];
      if (inline !== undefined && file !== undefined)
        problems.push([name, `is mutually exclusive with ${name}_file; remove one of them`]);
      return pemSource(inline, file);
    });
    if (cert === undefined && key === undefined && clientCa === undefined && given.client_auth_type === undefined) {
      return undefined;
    }
    if (cert === undefined) problems.push(['cert_file', 'is required; set cert_file or cert']);
    if (key === undefined) problems.push(['key_file', 'is required; set key_file or key']);
    const clientAuthType = given.client_auth_type ?? 'NoClientCert';
    problems.push(...clientAuthProblems(clientAuthType, clientCa, given.client_allowed_sans));
    if (given.min_version > given.max_version) problems.push(['min_version', 'is higher than max_version']);
    for (const [name, message] of problems) context.issues.push({ code: 'custom', message, path: [name], input: '' });
    if (cert === undefined || key === undefined || problems.length > 0) return z.NEVER;
    return {
      cert,
      key,
      ...(clientCa === undefined ? {} : { clientCa }),
      clientAuth: clientAuthType,
      clientAllowedSans: given.client_allowed_sans,
      minVersion: given.min_version,
      maxVersion: given.max_version,
      ciphers: given.cipher_suites,
      curves: given.curve_preferences,
      preferServerCiphers: given.prefer_server_cipher_suites,
    };
  });

function pemSource(inline: string | undefined, file: string | undefined): PemSource | undefined {
  if (inline !== undefined) return { pem: new Secret(inline) };
  return file === undefined ? undefined : { file };
}

/** Reports client authorities or names without a client certificate, which would protect nothing. */
function clientAuthProblems(type: string, ca: PemSource | undefined, sans: readonly string[]): [string, string][] {
  const isOff = type === 'NoClientCert';
  if (ca !== undefined && isOff) return [['client_auth_type', 'is required with client_ca or client_ca_file']];
  return sans.length > 0 && isOff ? [['client_auth_type', 'is required with client_allowed_sans']] : [];
}

/** Closed set of headers, as in the format. */
const headers = z.strictObject(
  Object.fromEntries(
    Object.entries(responseHeaders).map(([name, values]) => [
      name,
      values.length === 0 ? headerText().optional() : z.enum(['', ...values]).optional(),
    ]),
  ),
);

/** Header value; YAML parses `X-XSS-Protection: 1` as a number. */
function headerText() {
  return z
    .union([z.string(), z.number()], { error: 'must be a string' })
    .transform(String)
    .refine((value) => !/\p{Cc}/u.test(value), { error: 'must not contain line breaks or control characters' });
}

/** Version, cost (two digits, 4 to 31), then 22 characters of salt and 31 of hash. */
const bcryptHash = z
  .string()
  .regex(/^\$2[aby]?\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/, { error: 'must be a bcrypt hash' })
  .transform((hash) => new Secret(hash));

const userName = z.string().regex(/^[^:\p{Cc}]+$/u, { error: 'must be a user name without a colon' });

/** Schema of the web config file of the exporter-toolkit. `http2` is accepted; the listener serves HTTP/1.1. */
export const webConfigSchema = z
  .strictObject({
    tls_server_config: tlsSection.optional(),
    http_server_config: z
      .strictObject({ http2: z.boolean().prefault(true), headers: headers.prefault({}) })
      .prefault({}),
    basic_auth_users: z.record(userName, bcryptHash).prefault({}),
  })
  .transform(
    ({ tls_server_config: tls, http_server_config: http, basic_auth_users: users }): WebSettings => ({
      ...(tls === undefined ? {} : { tls }),
      headers: nonEmptyHeaders(http.headers),
      users,
    }),
  );

/** Headers with a value; a header without one is not sent. */
function nonEmptyHeaders(given: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  );
}
