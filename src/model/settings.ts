import type { SecretSource } from '../kernel/secret.ts';
import type { Millis } from '../kernel/time.ts';

/** How we show ourselves to a server; the configuration's `read_auth` and `abort_auth`. */
export type AuthSettings =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly token: SecretSource }
  | { readonly kind: 'basic'; readonly username: string; readonly password: SecretSource }
  /** A secret that is exchanged for a token, renewed before it expires. */
  | { readonly kind: 'secret'; readonly secret: SecretSource };

/** The `tls` block of a cluster. */
export interface TlsSettings {
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly serverName?: string;
  readonly insecureSkipVerify: boolean;
}

/** One database node, addressed directly. */
export interface NodeSettings {
  readonly name: string;
  /** Scheme, host and port; a path is a prefix of every call. */
  readonly url: string;
  /** The name the server itself uses for this host in its metrics (`m1`). */
  readonly hostId?: string;
  /** The query endpoint's own tag (`RESTPP_1_1`). */
  readonly instance?: string;
}

/** Nodes found by name instead of listed. */
export type DiscoverSettings =
  | { readonly kind: 'srv'; readonly name: string; readonly every: Millis; readonly scheme: 'http' | 'https' }
  | {
      readonly kind: 'dns';
      readonly name: string;
      readonly port: number;
      readonly every: Millis;
      readonly scheme: 'http' | 'https';
    };

/** One watched cluster, as validated configuration. */
export interface ClusterSettings {
  readonly name: string;
  /** Put on every series of this cluster. */
  readonly labels: Readonly<Record<string, string>>;
  /** Empty where `discover` is used. */
  readonly nodes: readonly NodeSettings[];
  readonly discover?: DiscoverSettings;
  readonly readAuth: AuthSettings;
  readonly abortAuth: AuthSettings;
  readonly tls?: TlsSettings;
  readonly graphs: 'auto' | readonly string[];
  /** `auto`, or a version such as `4.1` or `3.9` that picks the paths. */
  readonly serverVersion: string;
  /** `auto`, or the prefix of the server's own families with its underscore. */
  readonly metricPrefix: string;
}

/** One entry of `collectors`; `cron` replaces the interval for the collectors that run by calendar. */
export interface CollectorSettings {
  readonly enabled: boolean;
  readonly every: Millis;
  readonly cron?: string;
  readonly timeout: Millis;
  /** How old a reading may become before its gauges go. */
  readonly staleAfter: Millis;
  /** Hand the server's own families on (the `metrics` collector alone reads this). */
  readonly passthrough: boolean;
}

/** The `limits` block. */
export interface LimitSettings {
  readonly seriesPerFamily: number;
  readonly seriesPerCollector: number;
  readonly seriesPerPage: number;
  readonly labelValueBytes: number;
  /** Bytes of one upstream answer, compressed and not. */
  readonly body: number;
}
