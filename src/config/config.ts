import type { AlertingSettings } from '../alert/alerting.ts';
import type { CustomQuery } from '../collect/custom/custom-query.ts';
import type { Probe } from '../collect/probes/probe.ts';
import type { GuardSettings } from '../guard/policy.ts';
import type { Retention } from '../kernel/store.ts';
import type { ConfigProblem } from '../model/config-problem.ts';
import type { SharedStateSettings } from '../model/replica-database.ts';
import type { ClusterSettings, CollectorSettings, LimitSettings } from '../model/settings.ts';
import type { ReceiverSettings } from '../notify/settings.ts';
import type { TelemetrySettings } from '../trace/telemetry-section.ts';
import type { TrackerSettings } from '../track/settings.ts';

/** Validated configuration. */
export interface Config {
  readonly listen: { readonly host: string; readonly port: number };
  /** URL for links; its path is the route prefix. */
  readonly externalUrl?: string;
  readonly webConfigFile?: string;
  /** Users that may run operator actions. */
  readonly operators: readonly string[];
  /** Users that may read; empty: every authenticated user that is not a scraper. */
  readonly readers: readonly string[];
  /** Users that may request metrics only. */
  readonly scrapers: readonly string[];
  readonly web: WebAccess;
  readonly stateDir: string;
  /** Database that replicas share; absent if the state is in `stateDir`. */
  readonly sharedState?: SharedStateSettings;
  readonly scope: Scope;
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly format: 'json' | 'pretty' | 'auto' };
  readonly clusters: readonly ClusterSettings[];
  /** Settings of all collectors by name. */
  readonly collectors: Readonly<Record<string, CollectorSettings>>;
  /** Metrics from queries. */
  readonly custom: readonly CustomQuery[];
  /** Synthetic checks. */
  readonly probes: readonly Probe[];
  readonly limits: LimitSettings;
  readonly state: { readonly retention: Retention };
  readonly tracker: TrackerSettings;
  readonly alerts: AlertsConfig;
  readonly guard: GuardSettings;
  readonly telemetry: TelemetrySettings;
  /** Whether the process is not ready while its configuration file or web config file is rejected. */
  readonly unreadyOnRejectedConfig: boolean;
  /** Rejection of the file or of the web config file; absent while both are in force. */
  readonly rejection?: ConfigRejection;
}

/** Rejection of the configuration file or the web config file, while an earlier version is in force. */
export interface ConfigRejection {
  /** When a file was first rejected, ms since the epoch. */
  readonly since: number;
  readonly problems: readonly ConfigProblem[];
  /** Whether the guard section of the file cannot be read, so that the guard is paused. */
  readonly isGuardUnreadable: boolean;
}

/** Proxies, host names and connections of the HTTP API. */
export interface WebAccess {
  readonly trustedProxies: readonly string[];
  /** Header in which a trusted proxy names the user. */
  readonly userHeader: string;
  /** Host names of requests; `*.` stands for any first labels. */
  readonly allowedHosts: readonly string[];
  readonly maxConnections: number;
  /** Origin at which other replicas reach this one; absent for the address of the listener. */
  readonly advertiseUrl?: string;
}

/** Configuration of a file. */
export interface LoadedConfig extends Config {
  /** Settings that are valid but probably wrong. */
  readonly warnings: readonly ConfigProblem[];
}

/** Rules, routes and receivers. */
export interface AlertsConfig extends AlertingSettings {
  readonly receivers: readonly ReceiverSettings[];
}

/** Part of the facts that a process polls: all, those of one node, or those of the cluster. */
export type Scope = 'all' | 'node' | 'cluster';
