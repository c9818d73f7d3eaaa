import { z } from 'zod';
import { createSecretReader } from '../graphdb/secret-reader.ts';
import { environmentReference, secretFile, secretSource, secretText, urlField } from '../graphdb/settings-fields.ts';
import type { OpenHttpPool } from '../kernel/http.ts';
import type { SendMail } from '../kernel/mail.ts';
import { Secret } from '../kernel/secret.ts';
import type { Digest, Files } from '../kernel/system.ts';
import type { SimulatedReceiverApi } from '../model/simulated-receiver.ts';
import { type HttpConfig, httpConfigField, type ParsedHttpConfig, tlsConfigField } from './http-config.ts';
import type { Notifier, NotifierTraits, ReceiverResponse } from './notifier.ts';
import { recipientDigest } from './recipient.ts';
import { withSecrets } from './secret-attempts.ts';
import type { ReceiverEndpoint, ReceiverSettings } from './settings.ts';

/** The ports that receivers use. */
export interface NotifierPorts {
  readonly openPool: OpenHttpPool;
  readonly sendMail: SendMail;
  readonly digest: Digest;
  readonly files: Files;
}

/** A secret of a receiver. It is configured inline, or in a file with the key `<name>_file`. */
export interface SecretField {
  /** Sentence for the reference. */
  readonly about: string;
  readonly optional?: true;
  /**
   * `text` (default): any text. `secret_url`: an address that is secret as a whole. `url`: an address that may be public;
   * the chart rejects it in a ConfigMap only if it looks like it contains a token.
   */
  readonly form?: 'text' | 'secret_url' | 'url';
  /** Environment variable or address for the example. */
  readonly example: string;
  readonly exampleFile: string;
}

/** The secrets of a receiver by configuration key. */
export type SecretFields = Readonly<Record<string, SecretField>>;

/** Current values of secrets; undefined only for an optional secret that is not configured. */
export type SecretValues<Secrets extends SecretFields> = {
  readonly [Name in keyof Secrets]: Secrets[Name] extends { readonly optional: true } ? Secret | undefined : Secret;
};

/** Values of the fields that are not secrets. */
export type Options<Fields extends z.ZodRawShape> = Readonly<z.output<z.ZodObject<Fields>>>;

/** Configuration of one receiver when its connection is opened. */
export interface OpenContext<Fields extends z.ZodRawShape, Secrets extends SecretFields> {
  readonly name: string;
  readonly externalUrl: string;
  readonly options: Options<Fields>;
  readonly http: HttpConfig;
  /** Makes one attempt with the current secrets, and a second one if the receiver rejects them and a file has changed. */
  readonly withSecrets: (
    attempt: (secrets: SecretValues<Secrets>) => Promise<ReceiverResponse>,
  ) => Promise<ReceiverResponse>;
}

/** Setting that is valid, but with which people probably do not get what they need. */
export interface ReceiverWarning {
  /** Key in the section of the kind. */
  readonly key: string;
  /** Sentence without the value, which may be secret. */
  readonly message: string;
  readonly hint: string;
}

/** How the demo uses the simulated twin of a receiver. */
export interface DemoReceiver {
  readonly name: string;
  /** `page`: critical alerts at once; `all`: every alert, grouped. */
  readonly route: 'page' | 'all';
  readonly heartbeat?: true;
  /** Configuration of the receiver; `url` is the address of the twin. */
  config(url: string): object;
}

/** Declaration of one kind of receiver. */
export interface ReceiverDeclaration<Fields extends z.ZodRawShape, Secrets extends SecretFields> {
  /** File name, configuration key and kind in the API and in the terminal. */
  readonly kind: string;
  /** The row in the documents. */
  readonly about: string;
  readonly fields: Fields;
  readonly secrets: Secrets;
  readonly traits: NotifierTraits;
  /**
   * Keys for the connection. `tls`: `tls_config`. `http`: `http_config` with TLS and proxy. `http_credentials`: `http_config`
   * with authentication and headers as well, for a receiver without a token of its own.
   */
  readonly connection: 'tls' | 'http' | 'http_credentials';
  /** Returns what is wrong with the combination of options and configured secrets. */
  check?(options: Options<Fields>, secrets: ReadonlySet<string>): string | undefined;
  /** Returns warnings about settings. `secrets` are those whose values are in the configuration, not in files. */
  warnings?(options: Options<Fields>, secrets: ReadonlyMap<string, Secret>): readonly ReceiverWarning[];
  /** Simulated twin for tests and the demo; absent if the receiver does not use HTTP. */
  readonly simulated?: SimulatedReceiverApi & { readonly demo: DemoReceiver };
  /** Returns the parts of options that determine whom it notifies, as JSON, in addition to `recipientKeys` of its traits. */
  recipientParts?(options: Options<Fields>): unknown;
  open(context: OpenContext<Fields, Secrets>, ports: NotifierPorts): Omit<Notifier, 'recipient'>;
}

/** One kind of receiver: one file with one constant, and one line in `receivers/all.ts`. */
export interface Receiver {
  readonly kind: string;
  readonly about: string;
  readonly secrets: SecretFields;
  readonly connection: ReceiverDeclaration<z.ZodRawShape, SecretFields>['connection'];
  readonly traits: NotifierTraits;
  readonly simulated?: ReceiverDeclaration<z.ZodRawShape, SecretFields>['simulated'];
  /** The section of the configuration below the key of its kind. */
  readonly section: z.ZodType<ReceiverEndpoint>;
  warnings(endpoint: ReceiverEndpoint): readonly ReceiverWarning[];
  open(settings: ReceiverSettings, externalUrl: string, ports: NotifierPorts): Notifier;
}

/** Declares a receiver. The result hides the types of its fields and secrets, so that all receivers fit in one list. */
export function receiver<Fields extends z.ZodRawShape, const Secrets extends SecretFields>(
  declaration: ReceiverDeclaration<Fields, Secrets>,
): Receiver;
/** Implementation for any fields and secrets. */
export function receiver(declaration: ReceiverDeclaration<z.ZodRawShape, SecretFields>): Receiver {
  const { kind, about, secrets, connection, traits, simulated } = declaration;
  return {
    kind,
    about,
    secrets,
    traits,
    connection,
    ...(simulated === undefined ? {} : { simulated }),
    section: sectionOf(declaration),
    warnings({ options, secrets: sources }) {
      const inline = Object.entries(sources).flatMap(([key, source]) =>
        'value' in source ? [[key, source.value] as const] : [],
      );
      return declaration.warnings?.(options, new Map(inline)) ?? [];
    },
    open({ name, options, secrets: sources, http = noHttpConfig }, externalUrl, ports) {
      const readers = new Map(
        Object.entries(sources).map(([key, source]) => [key, createSecretReader(source, ports.files)]),
      );
      const context = { name, externalUrl, options, http, withSecrets: withSecrets.bind(undefined, readers) };
      const recipient = { keys: traits.recipientKeys ?? [], parts: declaration.recipientParts?.(options) };
      return {
        ...declaration.open(context, ports),
        recipient: () => recipientDigest({ kind, options }, recipient, readers, ports.digest),
      };
    },
  };
}

const noHttpConfig: HttpConfig = { headers: {} };

type Declaration = ReceiverDeclaration<z.ZodRawShape, SecretFields>;

function sectionOf(declaration: Declaration): z.ZodType<ReceiverEndpoint> {
  const { kind, fields, secrets, connection } = declaration;
  const secretShape = Object.fromEntries(
    Object.entries(secrets).flatMap(([name, field]) => [
      [name, inlineSecret(name, field)],
      [`${name}_file`, fileSecret(name, field)],
    ]),
  );
  return z
    .strictObject({ ...fields, ...secretShape, ...connectionFields(connection) })
    .transform((given, context): ReceiverEndpoint => {
      const values = new Map(Object.entries(given));
      const sources = Object.keys(secrets).flatMap((name) => {
        const source = configuredSource(values.get(name), values.get(`${name}_file`));
        return source === undefined ? [] : [[name, source] as const];
      });
      const options = Object.fromEntries([...values].filter(([name]) => Object.hasOwn(fields, name)));
      const names = new Set(sources.map(([name]) => name));
      const problem = secretProblem(declaration, values, names) ?? declaration.check?.(options, names);
      const configured = values.get('http_config') ?? values.get('tls_config');
      const parsed = isConnection(configured) ? configured : undefined;
      const all = { ...Object.fromEntries(sources), ...parsed?.secrets };
      const endpoint = { kind, options, secrets: all, ...(parsed === undefined ? {} : { http: parsed.http }) };
      if (problem === undefined) return endpoint;
      context.issues.push({ code: 'custom', message: problem, input: '' });
      return z.NEVER;
    });
}

function connectionFields(connection: Declaration['connection']): z.ZodRawShape {
  if (connection === 'tls') return { tls_config: tlsConfigField };
  return { http_config: httpConfigField(connection === 'http_credentials') };
}

/** Returns whether `http_config` or `tls_config` is present; its schema has validated it. */
function isConnection(value: unknown): value is ParsedHttpConfig {
  return value !== undefined;
}

function configuredSource(inline: unknown, file: unknown) {
  return secretSource(inline instanceof Secret ? inline : undefined, typeof file === 'string' ? file : undefined);
}

function secretProblem(
  { secrets }: Declaration,
  values: ReadonlyMap<string, unknown>,
  configured: ReadonlySet<string>,
): string | undefined {
  for (const [name, { optional }] of Object.entries(secrets)) {
    if (configured.has(name)) continue;
    const isGivenTwice = values.get(name) !== undefined;
    if (optional !== true) return `needs one of ${name} and ${name}_file`;
    if (isGivenTwice) return `takes one of ${name} and ${name}_file`;
  }
  return undefined;
}

function inlineSecret(name: string, { about, form = 'text', example }: SecretField) {
  if (form === 'url') {
    return urlField(example)
      .transform((url) => new Secret(url))
      .optional()
      .describe(about);
  }
  const field =
    form === 'text' ? secretText : secretText.refine(isUrl, { error: 'must be an address that begins with https://' });
  return field
    .optional()
    .describe(`${about} Prefer \`${name}_file\` or an environment variable.`)
    .meta({ examples: [environmentReference(example)] });
}

function isUrl(secret: Secret): boolean {
  return /^https?:$/.test(URL.parse(secret.reveal())?.protocol ?? '');
}

function fileSecret(name: string, { exampleFile }: SecretField) {
  return secretFile
    .optional()
    .describe(`File with the value of \`${name}\`; reloaded when it changes.`)
    .meta({ examples: [exampleFile] });
}
