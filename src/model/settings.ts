import type { SecretSource } from '../kernel/secret.ts';
import type { Millis } from '../kernel/time.ts';

/** Credentials for a server; `read_auth` and `abort_auth` in the configuration. */
export type AuthSettings =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly token: SecretSource }
  | { readonly kind: 'basic'; readonly username: string; readonly password: SecretSource }
  /** Secret that is exchanged for a token; the token is renewed before it expires. */
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
  /** Scheme, host and port; a path is the prefix of every call. */
  readonly url: string;
  /** Name of this host in the metrics of the server (`m1`). */
  readonly hostId?: string;
  /** Tag of the query endpoint (`RESTPP_1_1`). */
  readonly instance?: string;
}

/** Discovery of nodes by DNS. */
export type DiscoverSettings =
  | { readonly kind: 'srv'; readonly name: string; readonly refreshInterval: Millis; readonly scheme: 'http' | 'https' }
  | {
      readonly kind: 'dns';
      readonly name: string;
      readonly port: number;
      readonly refreshInterval: Millis;
      readonly scheme: 'http' | 'https';
    };

/** One monitored cluster, as validated configuration. */
export interface ClusterSettings {
  readonly name: string;
  /** Added to every series of this cluster. */
  readonly labels: Readonly<Record<string, string>>;
  /** Empty if `discover` is set. */
  readonly nodes: readonly NodeSettings[];
  readonly discover?: DiscoverSettings;
  readonly readAuth: AuthSettings;
  readonly abortAuth: AuthSettings;
  readonly informantAuth: AuthSettings;
  readonly tls?: TlsSettings;
  readonly graphs: 'auto' | readonly string[];
  /** Request ids of asynchronous statements, by name. */
  readonly statements?: Readonly<Record<string, string>>;
  /** File with further statements. */
  readonly statementsFile?: string;
  /** `auto`, or a version such as `4.1` or `3.9` that selects the paths. */
  readonly serverVersion: string;
  /** `auto`, or the prefix of the server's native families with its underscore. */
  readonly metricPrefix: string;
}

/** One entry of `collectors`; `schedule` replaces the interval. */
export interface CollectorSettings {
  readonly enabled: boolean;
  readonly interval: Millis;
  readonly schedule?: string;
  readonly timeout: Millis;
  /** Age at which gauges of the last successful poll disappear, however often the collector polls. */
  readonly staleAfter: Millis;
  /** Whether to pass the server's native families through (`metrics` collector only). */
  readonly passthrough: boolean;
  /** The log names people who changed (`users` collector only). */
  readonly names?: true;
  /** Age above which a query is overdue, whatever its timeout (`queries` collector only). */
  readonly overdueAfter?: Millis;
}

/** The `limits` block. */
export interface LimitSettings {
  readonly seriesPerFamily: number;
  readonly seriesPerCollector: number;
  readonly seriesPerPage: number;
  readonly labelValueBytes: number;
  /** Largest plausible partition or replica number of a service instance. */
  readonly instanceNumber: number;
  /** Bytes of one upstream reply, compressed and uncompressed. */
  readonly body: number;
  /** Bytes that the process may use; absent for the limit of its cgroup, or the memory of the host. */
  readonly memory?: number;
}
