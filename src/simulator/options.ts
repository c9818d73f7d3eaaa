import type { Listen } from '../kernel/listener.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { ScenarioName } from './world/scenarios.ts';

/** Which credentials the simulated server wants. */
export type SimulatedAuth =
  /** The default of real servers: the data plane asks for nothing, the GSQL server takes any user. */
  | { readonly kind: 'none' }
  /**
   * The data plane wants this token. With `abortToken` there are two users: that token may abort and nothing else,
   * the other one everything but that.
   */
  | { readonly kind: 'bearer'; readonly token: string; readonly abortToken?: string }
  /** The GSQL server wants this user; the data plane asks for nothing unless `enableAuth`, and then for a token. */
  | { readonly kind: 'basic'; readonly username: string; readonly password: string; readonly enableAuth?: boolean }
  /** The data plane wants a token that is given for this secret. */
  | { readonly kind: 'secret'; readonly secret: string };

/** What to simulate; everything has a default. */
export interface SimulatorOptions {
  /** How many nodes, named `m1`, `m2` …; default 3. */
  readonly nodes?: number;
  /** Default `fraud` and `social`. */
  readonly graphs?: readonly string[];
  /** Release of the server, default `4.1.2`; 3.x speaks the older paths, from 4.3 there are more metrics. */
  readonly version?: string;
  /** Of the server's own metric names, default `svc_`. */
  readonly prefix?: string;
  readonly auth?: SimulatedAuth;
  readonly scenario?: ScenarioName;
  readonly seed?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** One per node; 0 or none binds a free one. */
  readonly ports?: readonly number[];
  /** Service instances of each host; those beyond its own services are further replicas of them. Default 0: only its own. */
  readonly instancesPerNode?: number;
  /** So many more series on the informant's page, spread over ten families. */
  readonly padding?: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** How far the servers' clocks are ahead of ours. */
  readonly clockSkew?: Millis;
  /** How fast a scenario unfolds; 2 is twice as fast. Queries and timestamps keep their pace. */
  readonly speed?: number;
  /** `RESTPP.WorkLoadManager.MaxConcurrentQueries` of each node, default 50 as on real servers. */
  readonly maxConcurrentQueries?: number;
  /** `RESTPP.WorkLoadManager.MaxDelayQueueSize` of each node, default 20 as on real servers. */
  readonly maxDelayQueueSize?: number;
  /** Whole days, counted from the midnight before the start, until the licence expires; default 300. */
  readonly licenseDays?: number;
}

/** The world that the simulator needs. */
export interface SimulatorPorts {
  readonly listen: Listen;
  readonly clock: Clock;
}

/** {@link SimulatorOptions} with nothing left open. */
export type SimulatorSettings = Required<Omit<SimulatorOptions, 'tls'>> & Pick<SimulatorOptions, 'tls'>;

/** Fills in the defaults. */
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
    padding: 0,
    clockSkew: 0,
    speed: 1,
    maxConcurrentQueries: 50,
    maxDelayQueueSize: 20,
    licenseDays: 300,
    ...options,
  };
}
