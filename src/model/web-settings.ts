import type { Secret } from '../kernel/secret.ts';
import type { Finding, Problem } from './problem.ts';

/** The web config file, validated: TLS, headers and users of our own server, as the exporter-toolkit defines them. */
export interface WebSettings {
  /** Absent: plain HTTP. */
  readonly tls?: WebTlsSettings;
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** User name → bcrypt hash. Empty: authentication is off. */
  readonly users: Readonly<Record<string, Secret>>;
}

/** The `tls_server_config` block. Names of ciphers, curves and versions are those of OpenSSL. */
export interface WebTlsSettings {
  readonly cert: PemSource;
  readonly key: PemSource;
  readonly clientCa?: PemSource;
  readonly clientAuth: ClientAuthType;
  /** Subject alternative names of which a client certificate must have one; empty: any will do. */
  readonly clientAllowedSans: readonly string[];
  readonly minVersion: TlsVersion;
  readonly maxVersion: TlsVersion;
  /** In order of preference; empty: the defaults. */
  readonly ciphers: readonly string[];
  readonly curves: readonly string[];
  readonly preferServerCiphers: boolean;
}

/** A PEM text, or the file that holds it. */
export type PemSource = { readonly file: string } | { readonly pem: Secret };

/** What is asked of a client's certificate; the names are those of the file format. */
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

/** A web config file that was read: what it says, and a way to complain about what its files turn out to hold. */
export interface ReadWebSettings {
  readonly settings: WebSettings;
  /** Puts file, line and column to a finding. */
  readonly locate: (finding: Finding) => Problem;
}
