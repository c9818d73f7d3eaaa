import { z } from 'zod';
import { Secret } from '../kernel/secret.ts';
import { clientAuthTypes, type PemSource, type WebSettings, type WebTlsSettings } from '../model/web-settings.ts';
import { cipherSuites, curves, responseHeaders, tlsVersions } from './web-config-names.ts';

const text = z.string().min(1);

/** A closed set of names that become the words of another program. */
function named<Word extends string>(words: ReadonlyMap<string, Word>) {
  return z.enum([...words.keys()]).transform((name, context) => {
    const word = words.get(name);
    if (word !== undefined) return word;
    context.issues.push({ code: 'custom', message: 'is not known', input: '' });
    return z.NEVER;
  });
}

const clientAuth = z
  // The second name is an old one for `RequireAnyClientCert`, which files in use still have.
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
    const complaints: [string, string][] = [];
    const [cert, key, clientCa] = (['cert', 'key', 'client_ca'] as const).map((name) => {
      const [inline, file] = [given[name], given[`${name}_file`]];
      if (inline !== undefined && file !== undefined) complaints.push([name, `cannot stand beside ${name}_file`]);
      return source(inline, file);
    });
    if (cert === undefined && key === undefined && clientCa === undefined && given.client_auth_type === undefined) {
      return undefined;
    }
    if (cert === undefined) complaints.push(['cert_file', 'is required: one of cert_file and cert']);
    if (key === undefined) complaints.push(['key_file', 'is required: one of key_file and key']);
    const clientAuthType = given.client_auth_type ?? 'NoClientCert';
    complaints.push(...clientComplaints(clientAuthType, clientCa, given.client_allowed_sans));
    if (given.min_version > given.max_version) complaints.push(['min_version', 'is higher than max_version']);
    for (const [name, message] of complaints) context.issues.push({ code: 'custom', message, path: [name], input: '' });
    if (cert === undefined || key === undefined || complaints.length > 0) return z.NEVER;
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

function source(inline: string | undefined, file: string | undefined): PemSource | undefined {
  if (inline !== undefined) return { pem: new Secret(inline) };
  return file === undefined ? undefined : { file };
}

/** Authorities or names without asking for a certificate would protect nothing. */
function clientComplaints(type: string, ca: PemSource | undefined, sans: readonly string[]): [string, string][] {
  const isOff = type === 'NoClientCert';
  if (ca !== undefined && isOff) return [['client_auth_type', 'is required where client authorities are given']];
  return sans.length > 0 && isOff ? [['client_auth_type', 'is required where client names are given']] : [];
}

/** Closed, as in the format: a header that breaks answers cannot be set by accident. */
const headers = z.strictObject(
  Object.fromEntries(
    Object.entries(responseHeaders).map(([name, values]) => [
      name,
      values.length === 0 ? headerText().optional() : z.enum(['', ...values]).optional(),
    ]),
  ),
);

/** `X-XSS-Protection: 1` is a number to YAML. */
function headerText() {
  return z
    .union([z.string(), z.number()], { error: 'must be text' })
    .transform(String)
    .refine((value) => !/\p{Cc}/u.test(value), { error: 'must not hold line breaks or control characters' });
}

/** Version, cost (two digits, 4 to 31), then 22 characters of salt and 31 of hash. */
const bcryptHash = z
  .string()
  .regex(/^\$2[aby]?\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/, { error: 'must be a bcrypt hash' })
  .transform((hash) => new Secret(hash));

const userName = z.string().regex(/^[^:\p{Cc}]+$/u, { error: 'must be a user name without a colon' });

/** The exporter-toolkit's web config file. `http2` is accepted, and HTTP/1.1 is what is served. */
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
      headers: sent(http.headers),
      users,
    }),
  );

/** A header without a value is not sent. */
function sent(given: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  );
}
