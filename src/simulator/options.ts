import type { Listen } from '../kernel/listener.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { ScenarioName } from './world/scenarios.ts';

/** Credentials that the simulated server requires. */
export type SimulatedAuth =
  /** Default of real servers: the data plane requires nothing, the GSQL server accepts any user. */
  | { readonly kind: 'none' }
  /**
   * The data plane requires this token. With `abortToken` there are two users: that token is only valid for aborts, and
   * the other one for everything else.
   */
  | { readonly kind: 'bearer'; readonly token: string; readonly abortToken?: string }
  /** The GSQL server requires this user. The data plane requires a token with `enableAuth`, otherwise nothing. */
  | { readonly kind: 'basic'; readonly username: string; readonly password: string; readonly enableAuth?: boolean }
  /** The data plane requires a token that the server issues for this secret. */
  | { readonly kind: 'secret'; readonly secret: string };

/** Options of the simulator, all with defaults. */
export interface SimulatorOptions {
  /** Number of nodes, named `m1`, `m2` …; default 3. */
  readonly nodes?: number;
  /** Default `fraud` and `social`. */
  readonly graphs?: readonly string[];
  /** Release of the server, default `4.1.2`. 3.x uses the older paths; 4.3 and later have more metrics. */
  readonly version?: string;
  /** Prefix of the server's metric names, default `svc_`. */
  readonly prefix?: string;
  readonly auth?: SimulatedAuth;
  readonly scenario?: ScenarioName;
  readonly seed?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** One port per node; 0 or a missing entry selects a free port. */
  readonly ports?: readonly number[];
  /**
   * Minimum number of service instances of each host; those in addition to its services are further replicas of them. Default 0.
   */
  readonly instancesPerNode?: number;
  /** Number of further vertex types of each graph, each with two attributes. */
  readonly extraTypes?: number;
  /** Number of additional series on the informant's page, in ten families. */
  readonly padding?: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Time by which the servers' clocks are ahead of ours. */
  readonly clockSkew?: Millis;
  /** Speed of the scenario; 2 is twice as fast. Queries and timestamps are not affected. */
  readonly speed?: number;
  /** `RESTPP.WorkLoadManager.MaxConcurrentQueries` of each node, default 50 as on real servers. */
  readonly maxConcurrentQueries?: number;
  /** `RESTPP.WorkLoadManager.MaxDelayQueueSize` of each node, default 20 as on real servers. */
  readonly maxDelayQueueSize?: number;
  /** Whole days, counted from the midnight before the start, until the licence expires; default 300. */
  readonly licenseDays?: number;
}

/** Ports that the simulator uses. */
export interface SimulatorPorts {
  readonly listen: Listen;
  readonly clock: Clock;
}

/** {@link SimulatorOptions} with all defaults applied. */
export type SimulatorSettings = Required<Omit<SimulatorOptions, 'tls'>> & Pick<SimulatorOptions, 'tls'>;

/** Applies the defaults. */
export function withDefaults(options: SimulatorOptions): SimulatorSettings {
  return {
    nodes: 3,
    graphs: ['fraud', 'social'],
    version: '4.1.2',
    prefix: 'svc_',
    auth: { kind: 'none' },
    scenario: 'calm',
    seed: 1,
    host: '127.0.0.1',
    ports: [],
    instancesPerNode: 0,
    extraTypes: 0,
    padding: 0,
    clockSkew: 0,
    speed: 1,
    maxConcurrentQueries: 50,
    maxDelayQueueSize: 20,
    licenseDays: 300,
    ...options,
  };
}
