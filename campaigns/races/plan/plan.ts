import type { GateSource, GuardSettings } from '../../../src/guard/policy.ts';
import type { Millis } from '../../../src/kernel/time.ts';

/** Wall clock of the guard at the start of a run: an arbitrary Monday, 14:13:20 UTC. */
export const epoch = 1_790_000_000_000;

/** Kinds of races. Each run has one kind, and a few faults of others. */
export const scenarioKinds = [
  'healthy',
  'finishing',
  'repeated query',
  'node restart',
  'mixed nodes',
  'guard clock step',
  'node clock steps',
  'bad lists',
  'frozen lists',
  'duplicate ids',
  'long queue time',
  'hostile lists',
  'wrong ages',
  'pauses',
  'crashes',
  'slow disk',
  'abort response faults',
  'group conditions',
  'pressure',
  'hours',
  'reloads',
  'connection balancer',
  'slow preparation',
  'rounded ages',
  'shared nodes',
  'other guard',
] as const;

/** One of {@link scenarioKinds}. */
export type ScenarioKind = (typeof scenarioKinds)[number];

/** Returns the kind of a seed. Consecutive seeds have consecutive kinds. */
export function kindOf(seed: number): ScenarioKind {
  return scenarioKinds[seed % scenarioKinds.length] ?? 'healthy';
}

/** Plan of a run. Times are ms after its start. */
export interface SimulationPlan {
  readonly seed: number;
  readonly kind: ScenarioKind;
  readonly settings: GuardSettings;
  readonly nodes: readonly NodePlan[];
  /** Interval of lists. */
  readonly interval: Millis;
  /** When the guard process starts for the first time. */
  readonly startsAt: Millis;
  readonly length: Millis;
  /** Graphs in the configuration of the guard. */
  readonly graphs: readonly string[];
  readonly latencies: Latencies;
  readonly pressures: readonly PressurePlan[];
  readonly faultPeriods: readonly FaultPeriod[];
  /** Sorted by time. */
  readonly events: readonly PlannedEvent[];
}

/** Machine of the cluster. */
export interface NodePlan {
  readonly name: string;
  /** Server instance in the ids of its queries. Two machines may have the same one. */
  readonly tag: string;
  /** True if the tag is in the configuration of the guard. */
  readonly isConfigured: boolean;
  /** Offset of its clock from the clock of the guard. */
  readonly clockOffset: Millis;
  /** Drift of its clock per ms. */
  readonly drift: number;
  /** Offset of its local time from UTC. */
  readonly zone: Millis;
  /** True if the node reports ages in whole seconds. */
  readonly roundsAges: boolean;
  /** True if the node computes ages from its wall clock, which may be set in the meantime. */
  readonly computesAgesByWallClock: boolean;
}

/** Minimum and maximum latencies. */
export interface Latencies {
  readonly list: Range;
  readonly abort: Range;
  readonly commit: Range;
}

type Range = readonly [least: Millis, most: Millis];

/** Samples of a source for a node. */
export interface PressurePlan {
  readonly node: string;
  readonly source: GateSource;
  readonly every: Millis;
  /** Time between two values that the server collects. */
  readonly refresh: Millis;
  /** When the server stops to collect values, and returns the last one from then on. */
  readonly frozenFrom: Millis;
  /** One value per poll; undefined if the poll fails. The last value repeats. */
  readonly values: readonly (number | undefined)[];
  /** Decrease of the value by each effective abort. */
  readonly relief: number;
}

/** Period in which a fault is active. */
export interface FaultPeriod {
  readonly fault: Fault;
  readonly from: Millis;
  readonly to: Millis;
  /** Absent: all nodes. */
  readonly node?: string;
  /** Share of the requests with the fault. */
  readonly share: number;
}

/** Faults of lists, routes, aborts and the disk of the guard. */
export type Fault =
  | 'list fails'
  | 'list is malformed'
  | 'list has an error'
  | 'list is slow'
  | 'list is frozen'
  | 'list has a duplicate id'
  | 'list has a foreign entry'
  | 'list has hostile entries'
  | 'list has malformed entries'
  | 'requests reach another node'
  | 'connections reach another node'
  | 'connections are closed'
  | 'abort preparation is slow'
  | 'another guard aborts first'
  | 'abort is lost'
  | 'abort response is lost'
  | 'abort is rejected'
  | 'abort response is empty'
  | 'abort response has another id'
  | 'abort response is slow'
  | 'commit fails'
  | 'commit is slow';

/** Query of a client. */
export interface QueryPlan {
  readonly node: string;
  readonly graph: string;
  readonly name: string;
  readonly url: string;
  readonly isInstalled: boolean;
  /** Time in the queue, in which lists do not contain it. */
  readonly queuedFor: Millis;
  readonly runsFor: Millis;
  readonly grantedTimeout?: Millis;
  /** True if it ignores aborts. */
  readonly ignoresAborts: boolean;
  /** Overstatement of its age by the server. */
  readonly overstatedAge: Millis;
  /** Number of the query in the plan whose id it repeats. */
  readonly sameIdAs?: number;
}

/** Event at a time. */
export type PlannedEvent = { readonly at: Millis } & (
  | { readonly kind: 'query'; readonly query: QueryPlan }
  | { readonly kind: 'node restarts'; readonly node: string; readonly tag: string; readonly clockOffset: Millis }
  | { readonly kind: 'node clock step'; readonly node: string; readonly by: Millis }
  | { readonly kind: 'guard clock step'; readonly by: Millis }
  | { readonly kind: 'paused'; readonly isPaused: boolean }
  | { readonly kind: 'crash'; readonly down: Millis }
  | { readonly kind: 'stop' }
  | { readonly kind: 'reload'; readonly settings: GuardSettings }
  | { readonly kind: 'writable' }
  | { readonly kind: 'shared'; readonly nodes: readonly string[] }
  | { readonly kind: 'reset'; readonly breaker: string }
);
