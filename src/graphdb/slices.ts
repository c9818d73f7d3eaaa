import { type Failure, failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { startSlices } from '../kernel/slices.ts';
import type { Clock } from '../kernel/time.ts';

const entriesPerStep = 128;

/** Long work on an answer: it yields where it may be interrupted. */
export type Work<T> = Generator<undefined, T, undefined>;

/** Runs long synchronous work in slices of some milliseconds; an abort in between ends it as `timeout`. */
export async function runInSlices<T>(work: Work<T>, clock: Clock, signal: AbortSignal): Promise<Result<T, Failure>> {
  const slices = startSlices(clock);
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return ok(step.value);
    if (slices.due()) await slices.rest();
    if (signal.aborted) return err(failure('timeout', 'the answer was not understood within the deadline'));
  }
}

/** Maps a list entry by entry; one that `change` gives undefined for is left out: an odd entry spoils no list. */
export function* mapEntries<From, To>(entries: Iterable<From>, change: (entry: From) => To | undefined): Work<To[]> {
  const mapped: To[] = [];
  let count = 0;
  for (const entry of entries) {
    const one = change(entry);
    if (one !== undefined) mapped.push(one);
    count += 1;
    if (count % entriesPerStep === 0) yield;
  }
  return mapped;
}
