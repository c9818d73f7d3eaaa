import { type Failure, failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Clock } from '../kernel/time.ts';
import { startTimeSlices } from '../kernel/time-slices.ts';

const entriesPerYield = 128;

/** Long work on a reply, as a generator that yields at points of interruption. */
export type SlicedWork<T> = Generator<undefined, T, undefined>;

/** Runs long synchronous work in slices of some milliseconds; an abort in between ends it as `timeout`. */
export async function runSliced<T>(
  work: SlicedWork<T>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result<T, Failure>> {
  const slices = startTimeSlices(clock);
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return ok(step.value);
    if (slices.shouldYield()) await slices.nextSlice();
    if (signal.aborted) return err(failure('timeout', 'the response was not parsed within the deadline'));
  }
}

/**
 * Maps a list entry by entry and drops entries for which `change` returns undefined, so that one invalid entry is
 * harmless.
 */
export function* mapEntries<From, To>(
  entries: Iterable<From>,
  change: (entry: From) => To | undefined,
): SlicedWork<To[]> {
  const mapped: To[] = [];
  let count = 0;
  for (const entry of entries) {
    const one = change(entry);
    if (one !== undefined) mapped.push(one);
    count += 1;
    if (count % entriesPerYield === 0) yield;
  }
  return mapped;
}
