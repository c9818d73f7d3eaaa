import type { GateSource, GuardSettings } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';

/** Where our clock stands when a run begins, unless it is set: an arbitrary moment, a Monday, 14:13:20 in UTC. */
export const epoch = 1_790_000_000_000;

/** The kinds of races; each run is of one, and has a little of others. */
export const kinds = [
  'healthy',
  'finishing',
  'same endpoint again',
  'node restart',
  'mixed nodes',
  'our clock',
  'their clocks',
  'bad lists',
  'frozen lists',
  'ids twice',
  'queued first',
  'hostile lists',
  'wrong ages',
  'pauses',
  'crashes',
  'slow disk',
  'odd answers',
  'crowds',
  'pressure',
  'hours',
  'reloads',
] as const;

/** One of {@link kinds}. */
export type Kind = (typeof kinds)[number];

/** All that is settled before a run begins. Times are ms after its beginning. */
export interface Plan {
  readonly seed: number;
  readonly kind: Kind;
  readonly settings: GuardSettings;
  readonly nodes: readonly NodePlan[];
  /** Between two plain lists. */
  readonly interval: Millis;
  /** When our process is there for the first time. */
  readonly begins: Millis;
  readonly length: Millis;
  /** Those that the guard is told of. */
  readonly graphs: readonly string[];
  readonly latencies: Latencies;
  readonly pressures: readonly PressurePlan[];
  readonly spells: readonly Spell[];
  /** In the order of their times. */
  readonly happenings: readonly Happening[];
}

/** A machine of the cluster. */
export interface NodePlan {
  readonly name: string;
  /** The server instance in its ids; two machines may have one and the same. */
  readonly tag: string;
  /** The guard is told of the tag. */
  readonly isConfigured: boolean;
  /** What its clock is ahead of ours. */
  readonly ahead: Millis;
  /** What its clock gains per ms. */
  readonly drift: number;
  /** What its local time is ahead of its clock. */
  readonly zone: Millis;
  /** It tells of ages in whole seconds. */
  readonly isRounding: boolean;
  /** It tells ages by its clock, wherever that is set to meanwhile. */
  readonly isByWall: boolean;
}

/** How long things take, at least and at most. */
export interface Latencies {
  readonly list: Range;
  readonly abort: Range;
  readonly commit: Range;
}

type Range = readonly [least: Millis, most: Millis];

/** What a source shows of a node from time to time. */
export interface PressurePlan {
  readonly node: string;
  readonly source: GateSource;
  readonly every: Millis;
  /** By reading; undefined where it fails. The last one goes on. */
  readonly values: readonly (number | undefined)[];
  /** What each abort that takes effect makes it fall by. */
  readonly relief: number;
}

/** What is wrong for some time. */
export interface Spell {
  readonly trouble: Trouble;
  readonly from: Millis;
  readonly to: Millis;
  /** Absent: of all. */
  readonly node?: string;
  /** How often it shows. */
  readonly share: number;
}

/** All that can be wrong for some time; with lists, with the way to the nodes, with aborts and with our disk. */
export type Trouble =
  | 'list fails'
  | 'list is malformed'
  | 'list has an error'
  | 'list is slow'
  | 'list is frozen'
  | 'list has an id twice'
  | 'list has a foreign entry'
  | 'list is hostile'
  | 'list has odd entries'
  | 'nodes are shuffled'
  | 'abort is lost'
  | 'answer is lost'
  | 'abort is refused'
  | 'answer is empty'
  | 'answer names another'
  | 'answer is slow'
  | 'commit fails'
  | 'commit is slow';

/** What a client asks for. */
export interface QueryPlan {
  readonly node: string;
  readonly graph: string;
  readonly name: string;
  readonly url: string;
  readonly isInstalled: boolean;
  /** In the queue, where it is not listed. */
  readonly waits: Millis;
  readonly lasts: Millis;
  readonly granted?: Millis;
  /** It goes on whatever is said to it. */
  readonly isZombie: boolean;
  /** What the server says too much of its age. */
  readonly lie: Millis;
  /** It gets the id that the one of this number in the plan has. */
  readonly sameIdAs?: number;
}

/** What happens at a time. */
export type Happening = { readonly at: Millis } & (
  | { readonly kind: 'query'; readonly query: QueryPlan }
  | { readonly kind: 'node restarts'; readonly node: string; readonly tag: string; readonly ahead: Millis }
  | { readonly kind: 'their clock'; readonly node: string; readonly by: Millis }
  | { readonly kind: 'our clock'; readonly by: Millis }
  | { readonly kind: 'paused'; readonly isPaused: boolean }
  | { readonly kind: 'crash'; readonly down: Millis }
  | { readonly kind: 'stop' }
  | { readonly kind: 'reload'; readonly settings: GuardSettings }
  | { readonly kind: 'writable' }
  | { readonly kind: 'reset'; readonly breaker: string }
);
