import { type ClockChange, clockChangesBetween, greatestClockChange } from '../kernel/clock-changes.ts';
import type { Range } from '../kernel/range.ts';
import type { Millis } from '../kernel/time.ts';
import { parseLocalMillis } from './dates.ts';

/** Error of an estimated start: it may be too early by the time in the queue, and too late by network delays. */
const mostEarly: Millis = 3_600_000;
const mostLate: Millis = 600_000;

/** Offsets of all time zones from UTC, with a margin. */
const offsets: Range = { least: -13 * 3_600_000, most: 15 * 3_600_000 };

/** Times of a query in a process list. */
export interface ListedTimes {
  /** Start in the local time of the server. */
  readonly startTime: string;
  /** Listed expiration minus listed start; undefined without an expiration. */
  readonly apparentTimeout: Millis | undefined;
  /** Estimated start by the server's clock, in ms since the epoch. */
  readonly startedAt: number;
}

/**
 * Returns the expiration minus the start as a server lists them; negative if its clocks are set back in between. Undefined
 * if one of them is not a time.
 */
export function apparentTimeout(start: string, end: string): Millis | undefined {
  const from = parseLocalMillis(start);
  const to = parseLocalMillis(end);
  return from === undefined || to === undefined ? undefined : to - from;
}

/**
 * Returns the timeout that the server granted to a query. The listed times are local times without a zone: if clocks change
 * between them in a zone with the offset that the server seems to have, the timeout may differ from their difference by this
 * change, in ms. Outside of the range of known changes, it may differ by an hour. Undefined if it is not listed, or negative.
 */
export function grantedTimeoutRange(times: ListedTimes, now: number): Range | undefined {
  const { apparentTimeout: apparent, startedAt } = times;
  if (apparent === undefined) return undefined;
  const latestEnd = startedAt + mostEarly + apparent + greatestClockChange;
  const changes = clockChangesBetween(startedAt - mostLate, latestEnd, now);
  // Most days have no change, and lists have ten thousands of queries.
  if (changes?.length === 0) return apparent < 0 ? undefined : { least: apparent, most: apparent };
  const shifts =
    changes === undefined ? [-greatestClockChange, greatestClockChange] : possibleShifts(changes, times, apparent);
  const most = apparent - Math.min(0, ...shifts);
  return most < 0 ? undefined : { least: Math.max(0, apparent - Math.max(0, ...shifts)), most };
}

/** Returns by how much clocks may change while the query runs. */
function possibleShifts(
  changes: readonly ClockChange[],
  { startTime, startedAt }: ListedTimes,
  apparent: Millis,
): readonly Millis[] {
  const offset = (parseLocalMillis(startTime) ?? Number.NaN) - startedAt;
  const isPlausible = offset >= offsets.least && offset <= offsets.most;
  return changes
    .filter(({ at, by }) => at <= startedAt + mostEarly + apparent - by)
    .filter(({ before }) => !isPlausible || (before >= offset - mostEarly && before <= offset + mostLate))
    .map(({ by }) => by);
}
