import type { Secret } from '../kernel/secret.ts';
import type { ConfigProblem, UnlocatedProblem } from './config-problem.ts';

/** Validated web config file: TLS, headers and users of this server, in the format of the exporter-toolkit. */
export interface WebSettings {
  /** Absent: plain HTTP. */
  readonly tls?: WebTlsSettings;
  /** Sent with every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** User name → bcrypt hash. Empty: authentication is disabled. */
  readonly users: Readonly<Record<string, Secret>>;
}

/** The `tls_server_config` block. Names of ciphers, curves and versions are those of OpenSSL. */
export interface WebTlsSettings {
  readonly cert: PemSource;
  readonly key: PemSource;
  readonly clientCa?: PemSource;
  readonly clientAuth: ClientAuthType;
  /** Subject alternative names, one of which a client certificate must have; empty: any certificate. */
  readonly clientAllowedSans: readonly string[];
  readonly minVersion: TlsVersion;
  readonly maxVersion: TlsVersion;
  /** In order of preference; empty: the defaults. */
  readonly ciphers: readonly string[];
  readonly curves: readonly string[];
  readonly preferServerCiphers: boolean;
}

/** PEM text, or the file that contains it. */
export type PemSource = { readonly file: string } | { readonly pem: Secret };

/** Requirement for client certificates; the names are those of the file format. */
export const clientAuthTypes = [
  'NoClientCert',
  'RequestClientCert',
  'RequireAnyClientCert',
  'VerifyClientCertIfGiven',
  'RequireAndVerifyClientCert',
] as const;

/** One of {@link clientAuthTypes}. */
export type ClientAuthType = (typeof clientAuthTypes)[number];

/** TLS versions as OpenSSL calls them. */
export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

/** The web config file of a listener that serves. */
export interface WebConfigFile {
  readonly path: string;
  /** Stamp of the file, and of the files that it names, before they were first loaded. */
  readonly firstStamp: string;
  /** Returns the current stamp, which changes whenever one of the files may have changed. */
  stamp(): Promise<string>;
  /** Loads the files if they changed. Returns why they are rejected; empty while they are in force. */
  problems(): Promise<readonly ConfigProblem[]>;
}

/** Loaded web config file: its settings, and a function that locates problems found later. */
export interface LoadedWebSettings {
  readonly settings: WebSettings;
  /** Adds file, line and column to a problem. */
  readonly locate: (finding: UnlocatedProblem) => ConfigProblem;
}
