import type { AbortAnswer, Outcome } from '../../src/guard/decision/decision.ts';
import type { AbortOrder } from '../../src/guard/decision/output.ts';
import type { Purpose } from '../../src/guard/decision/pace.ts';
import type { Pressure } from '../../src/guard/gates.ts';
import type { GuardSettings } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { QueryPlan } from '../plan/plan.ts';

/** A query as it truly was. Times are ms after the beginning of the run. */
export interface Query extends QueryPlan {
  readonly number: number;
  readonly id: string;
  readonly arrivedAt: Millis;
  /** When it left the queue: its age counts from here. */
  readonly beganAt: Millis;
  /** `Infinity` until it did. */
  readonly endedAt: Millis;
  readonly isAborted: boolean;
}

/** A list as it truly was. */
export interface ListLog {
  readonly node: string;
  readonly purpose: Purpose;
  readonly startedAt: Millis;
  /** Undefined where none came. */
  readonly receivedAt: Millis | undefined;
  /** It came in time, from the right machine, and whole. */
  readonly isGood: boolean;
  /** Of the ids that it has, if it can be read at all. */
  readonly tags: ReadonlySet<string>;
  /** Numbers of the queries that it tells of as they are. */
  readonly seen: ReadonlySet<number>;
}

/** An abort request. */
export interface AbortLog {
  readonly order: AbortOrder;
  readonly policy: string;
  readonly sentAt: Millis;
  /** Undefined where it was lost on the way. */
  readonly arrivedAt: Millis | undefined;
  /** The machine where it arrived. */
  readonly machine: string;
  /** What ran there under this id at that instant. */
  readonly hit: number | undefined;
  readonly answer: AbortAnswer;
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

/** What became of an intent, as the guard says. */
export interface OutcomeLog {
  readonly key: string;
  readonly outcome: Outcome;
  readonly at: Millis;
}

/** Something of no length. */
export interface Moment {
  readonly at: Millis;
}

/** All that truly happened in a run, written down by the world and not by the guard. */
export interface RaceLog {
  readonly queries: readonly Query[];
  readonly lists: readonly ListLog[];
  readonly aborts: readonly AbortLog[];
  readonly intents: readonly IntentLog[];
  readonly outcomes: readonly OutcomeLog[];
  readonly readings: readonly Pressure[];
  /** In order, each lasting until the next; at the beginning nothing is paused. */
  readonly pauses: readonly (Moment & { readonly isPaused: boolean })[];
  /** Our clock was set. */
  readonly steps: readonly (Moment & { readonly by: Millis })[];
  readonly reloads: readonly (Moment & { readonly settings: GuardSettings; readonly meansTheSame: boolean })[];
  /** From when to when our process was not there; `Infinity` after it was told to stop. */
  readonly downs: readonly { readonly from: Millis; readonly to: Millis }[];
  readonly stoppedAt: Millis | undefined;
  /** Answers that named what nobody asked for, when they were heard. */
  readonly surprises: readonly Moment[];
  readonly resets: readonly (Moment & { readonly breaker: string })[];
  /** Tags that machines had, and from when on. */
  readonly tags: readonly (Moment & { readonly node: string; readonly tag: string })[];
}
