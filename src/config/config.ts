import type { AlertingSettings } from '../alert/alerting.ts';
import type { GuardSettings } from '../guard/policy.ts';
import type { Retention } from '../kernel/store.ts';
import type { ConfigProblem } from '../model/config-problem.ts';
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
  /** Users of the web config file that may run operator actions. */
  readonly operators: readonly string[];
  readonly stateDir: string;
  readonly scope: Scope;
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly format: 'json' | 'pretty' | 'auto' };
  readonly clusters: readonly ClusterSettings[];
  /** Settings of all collectors by name. */
  readonly collectors: Readonly<Record<string, CollectorSettings>>;
  readonly limits: LimitSettings;
  readonly state: { readonly retention: Retention };
  readonly tracker: TrackerSettings;
  readonly alerts: AlertsConfig;
  readonly guard: GuardSettings;
  readonly telemetry: TelemetrySettings;
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
