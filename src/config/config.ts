import type { AlertingSettings } from '../alert/alerting.ts';
import type { GuardSettings } from '../guard/policy.ts';
import type { Retention } from '../kernel/store.ts';
import type { ClusterSettings, CollectorSettings, LimitSettings } from '../model/settings.ts';
import type { ReceiverSettings } from '../notify/settings.ts';
import type { TracingSettings } from '../trace/tracing-section.ts';
import type { TrackerSettings } from '../track/settings.ts';

/** The whole configuration, validated: nothing else in the program accepts less. */
export interface Config {
  readonly listen: { readonly host: string; readonly port: number };
  /** For links; its path is the prefix of every route. */
  readonly externalUrl?: string;
  readonly webConfigFile?: string;
  /** Users of the web config file who may act. */
  readonly operators: readonly string[];
  readonly stateDir: string;
  readonly scope: Scope;
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly format: 'json' | 'pretty' | 'auto' };
  readonly clusters: readonly ClusterSettings[];
  /** By collector name; every collector of `all.ts` is there. */
  readonly collectors: Readonly<Record<string, CollectorSettings>>;
  readonly limits: LimitSettings;
  readonly state: { readonly retention: Retention };
  readonly tracker: TrackerSettings;
  readonly alerts: AlertsConfig;
  readonly guard: GuardSettings;
  readonly tracing: TracingSettings;
}

/** Rules, routes and receivers. */
export interface AlertsConfig extends AlertingSettings {
  readonly receivers: readonly ReceiverSettings[];
}

/** Which facts this process is responsible for: everything, those of one node, or those of the cluster. */
export type Scope = 'all' | 'node' | 'cluster';
