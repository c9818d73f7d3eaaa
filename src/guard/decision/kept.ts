import type { ClockOffset } from '../offset.ts';
import type { Outcome, Target } from './decision.ts';

/** An intent as the audit has it. Times are ms since the epoch. */
export interface KeptIntent extends Target {
  /** As its row has it; absent: as the first intent of an entry has it. */
  readonly key?: string;
  readonly policy: string;
  readonly at: number;
  /** Undefined where the program ended before it was known. */
  readonly outcome: Outcome | undefined;
}

/** What of a guard outlives the program. */
export interface Kept {
  /** All that bar an id which may still run, and all that a budget or a breaker may still count. */
  readonly intents: readonly KeptIntent[];
  /** Keys of those that are open. */
  readonly breakers: readonly string[];
  /** Aborts in a row without relief, by policy. */
  readonly reliefless: Readonly<Record<string, number>>;
  readonly offsets: Readonly<Record<string, Partial<Pick<ClockOffset, 'offset' | 'anchor'>>>>;
  readonly isPaused: boolean;
}
