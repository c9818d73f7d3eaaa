import type { AbortResponse, Outcome } from '../../../src/guard/decision/decision.ts';
import type { ListPurpose } from '../../../src/guard/decision/list-rate-limit.ts';
import type { AbortCommand } from '../../../src/guard/decision/output.ts';
import type { Pressure } from '../../../src/guard/gates.ts';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import type { QueryPlan } from '../plan/plan.ts';

/** A query, as the simulation ran it. Times are ms after the start of the run. */
export interface Query extends QueryPlan {
  readonly number: number;
  readonly id: string;
  readonly arrivedAt: Millis;
  /** When it left the queue. Its age counts from this time. */
  readonly beganAt: Millis;
  /** `Infinity` while it runs. */
  readonly endedAt: Millis;
  readonly isAborted: boolean;
}

/** Correct log of a list. */
export interface ListLog {
  readonly node: string;
  /** Machine that the request reached. */
  readonly machine: string;
  readonly purpose: ListPurpose;
  readonly startedAt: Millis;
  /** Undefined if no list arrived. */
  readonly receivedAt: Millis | undefined;
  /** True if it arrived in time, from the right machine, and complete. */
  readonly isGood: boolean;
  /** Instance tags of its ids, if it is valid. */
  readonly tags: ReadonlySet<string>;
  /** Numbers of the queries that the list contains correctly. */
  readonly listed: ReadonlySet<number>;
}

/** An abort request that was written. */
export interface AbortLog {
  readonly order: AbortCommand;
  readonly policy: string;
  readonly sentAt: Millis;
  /** Undefined if the request was lost. */
  readonly arrivedAt: Millis | undefined;
  /** Machine that the request reached. */
  readonly machine: string;
  /** Machine of the latest list of the node. */
  readonly listMachine: string | undefined;
  /** When the response arrives, or the request times out. */
  readonly answeredAt: Millis;
  /** Number of the query that ran there under this id at that instant. */
  readonly queryNumber: number | undefined;
  readonly answer: AbortResponse;
}

/** An intent, and when it was on disk. */
export interface IntentLog {
  readonly key: string;
  readonly policy: string;
  readonly node: string;
  readonly id: string;
  readonly graph: string;
  readonly query: string;
  readonly at: Millis;
  readonly onDiskAt: Millis | undefined;
}

/** Outcome of an intent that the guard reported. */
export interface OutcomeLog {
  readonly key: string;
  readonly outcome: Outcome;
  readonly at: Millis;
}

/** Event without a duration. */
export interface Moment {
  readonly at: Millis;
}

/** Log of a run, recorded by the simulation and not by the guard. */
export interface SimulationLog {
  readonly queries: readonly Query[];
  readonly lists: readonly ListLog[];
  readonly aborts: readonly AbortLog[];
  readonly intents: readonly IntentLog[];
  readonly outcomes: readonly OutcomeLog[];
  readonly samples: readonly Pressure[];
  /** Changes of the paused state, in order, also if the guard pauses for another guard. It starts unpaused. */
  readonly pauses: readonly (Moment & { readonly isPaused: boolean; readonly isForOtherGuard?: boolean })[];
  /** Steps of the wall clock of the guard. */
  readonly steps: readonly (Moment & { readonly by: Millis })[];
  readonly reloads: readonly (Moment & { readonly settings: GuardSettings; readonly isNoMore: boolean })[];
  /** Spans in which the guard process did not run; `to` is `Infinity` after a requested stop. */
  readonly downtimes: readonly { readonly from: Millis; readonly to: Millis }[];
  readonly stoppedAt: Millis | undefined;
  /** Arrivals of abort responses that contain an unexpected id. */
  readonly unexpectedReplies: readonly Moment[];
  /** Nodes that another cluster guards, from then on. */
  readonly shared: readonly (Moment & { readonly nodes: readonly string[] })[];
  readonly resets: readonly (Moment & { readonly breaker: string })[];
  /** Instance tags of machines, with their start times. */
  readonly tags: readonly (Moment & { readonly node: string; readonly tag: string })[];
}

/** A log that is still written. */
export type WritableLog = {
  -readonly [Key in Exclude<keyof SimulationLog, 'stoppedAt' | 'queries'>]: SimulationLog[Key][number][];
} & { stoppedAt: Millis | undefined };

/** Returns an empty log. */
export function emptyLog(): WritableLog {
  return {
    lists: [],
    aborts: [],
    intents: [],
    outcomes: [],
    samples: [],
    pauses: [],
    steps: [],
    reloads: [],
    downtimes: [],
    stoppedAt: undefined,
    unexpectedReplies: [],
    shared: [],
    resets: [],
    tags: [],
  };
}
