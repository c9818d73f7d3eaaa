import type { Millis } from '../../src/kernel/time.ts';
import type { RaceLog } from './log.ts';

/** A log that is still written. */
export type Writable = {
  -readonly [Key in Exclude<keyof RaceLog, 'stoppedAt' | 'queries'>]: RaceLog[Key][number][];
} & { stoppedAt: Millis | undefined };

/** Nothing has happened yet. */
export function emptyLog(): Writable {
  return {
    lists: [],
    aborts: [],
    intents: [],
    outcomes: [],
    readings: [],
    pauses: [],
    steps: [],
    reloads: [],
    downs: [],
    stoppedAt: undefined,
    surprises: [],
    resets: [],
    tags: [],
  };
}
