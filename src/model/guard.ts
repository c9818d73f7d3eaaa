import type { Millis } from '../kernel/time.ts';

/** How an abort ended, as far as anybody knows; see the guard's documents. */
export type AbortOutcome =
  | 'confirmed'
  | 'still_running'
  | 'unknown'
  | 'finished_first'
  | 'not_aborted'
  | 'vanished'
  | 'refused'
  | 'withdrawn';

/** One abort, from its intent on. Nothing of it is user data. Times are ms since the epoch. */
export interface AbortView {
  /** Tells it from all others of the cluster. */
  readonly key: string;
  readonly node: string;
  /** The request id. */
  readonly id: string;
  readonly graph: string;
  readonly query: string;
  /** `''` for a manual abort. */
  readonly policy: string;
  /** Who asked for it by hand, and why. */
  readonly manual?: { readonly by: string; readonly reason: string };
  /** Receivers that its policy names; empty where routes alone decide. */
  readonly notify: readonly string[];
  /** Its policy has a gate: without the pressure it would not have acted. */
  readonly gated?: boolean;
  /** How long it had run when it was decided. */
  readonly age: Millis;
  readonly grantedTimeout?: Millis;
  /** When its intent was taken. */
  readonly at: number;
  /** Undefined while that is open. */
  readonly outcome?: AbortOutcome;
  readonly endedAt?: number;
}

/** A breaker that is open until an operator closes it. Its key is how operators name it. */
export interface BreakerView {
  readonly key: string;
  readonly reason: 'same_query' | 'no_relief';
  /** `same_query`: of which graph and query; else `''`. */
  readonly graph: string;
  readonly query: string;
  /** `no_relief`: which policy gave up; else `''`. */
  readonly policy: string;
  /** ms since the epoch. */
  readonly since: number;
}

/** What rules may know of the guard of one cluster. */
export interface GuardView {
  /** Those that are open, and those that ended within the last hour. */
  readonly aborts: readonly AbortView[];
  readonly breakers: readonly BreakerView[];
  /** Nodes of which nothing reliable was heard three times in a row, and since when (ms since the epoch). */
  readonly blind: readonly { readonly node: string; readonly since: number; readonly reason: string }[];
  /** False while what was before the start is not read back: until then nothing that was told is over. */
  readonly isRestored?: boolean;
  /** False where all policies of the cluster only observe: whoever is blind there misses knowledge, and no abort. */
  readonly isEnforcing?: boolean;
}
