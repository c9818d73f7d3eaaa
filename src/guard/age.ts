import type { Instant, Millis } from '../kernel/time.ts';
import type { ListTimes } from './listing.ts';
import { tolerance } from './offset.ts';
import type { Sighting } from './sighting.ts';

/** Some builds may round elapsed times to whole seconds. */
const rounding: Millis = 1000;
/** A server may measure them by a clock that drifts. */
const drift = 0.02;

/**
 * How old a query was when its list was there: the smaller of what the server measured and what its id tells, by the
 * node's clock. Waiting in the queue makes the id older, which is fine. Undefined where the elapsed time is more than
 * the id can account for, or where the node's clock is not known yet: such an entry is left out, as `ages`.
 */
export function ageOf(sighting: Sighting, received: Instant, offset: Millis | undefined): Millis | undefined {
  if (offset === undefined) return undefined;
  const ofId = received.wall - sighting.arrivedAt - offset;
  return sighting.elapsed - ofId > tolerance ? undefined : Math.max(0, Math.min(sighting.elapsed, ofId));
}

/** What one list said of how long a query has run. */
export interface ElapsedReading extends ListTimes {
  readonly elapsed: Millis;
}

/**
 * Whether an entry's elapsed time grew in step with ours between two lists. Either answer tells of any moment while it
 * was under way, so that is the room it has.
 */
export function grewInStep(before: ElapsedReading, after: ElapsedReading): boolean {
  const growth = after.elapsed - before.elapsed;
  const least = after.started.mono - before.received.mono;
  const most = after.received.mono - before.started.mono;
  const room = rounding + most * drift;
  return growth >= least - room && growth <= most + room;
}
