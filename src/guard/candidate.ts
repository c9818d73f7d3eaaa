import { grantedTimeoutRange } from '../graphdb/granted-timeout.ts';
import type { Range } from '../kernel/range.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import { tolerance } from './clock-offset.ts';
import type { ListTimes, Observation } from './process-list.ts';

/** A query that a policy may match: an entry of the latest valid list of a node, with a verified age. */
export interface Candidate {
  readonly node: string;
  readonly observation: Observation;
  /** Arrival of its list, on the monotonic clock. */
  readonly at: Millis;
  /** Age of the query at that time. */
  readonly age: Range;
  /** Granted timeout, not exact if clocks change while the query runs; undefined if the entry lacks the expiration. */
  readonly grantedTimeout?: Range | undefined;
  /** Latest possible start by all lists so far, on the monotonic clock. It stays if the server sets its clock back. */
  readonly since: Millis;
}

/**
 * Creates a candidate; undefined if the times of its entry disagree. Lower bounds are compared with `least`. Upper bounds
 * are compared with `most`: the server's elapsed time, as if it was measured at the start of the request.
 */
export function createCandidate(
  node: string,
  observation: Observation,
  { started, received }: ListTimes,
  offset: Millis | undefined,
): Candidate | undefined {
  const least = queryAge(observation, received, offset);
  if (offset === undefined || least === undefined) return undefined;
  const { startTime, apparentTimeout, elapsed } = observation;
  const times = { startTime, apparentTimeout, startedAt: received.wall - offset - elapsed };
  const grantedTimeout = grantedTimeoutRange(times, received.wall);
  if (apparentTimeout !== undefined && grantedTimeout === undefined) return undefined;
  const most = elapsed + roundingOf(observation) + (received.mono - started.mono);
  const at = received.mono;
  return { node, observation, at, age: { least, most }, grantedTimeout, since: at - least };
}

/** Returns the age of a candidate at `mono`. */
export function ageAt({ at, age: { least, most } }: Candidate, mono: Millis): Range {
  return { least: least + mono - at, most: most + mono - at };
}

/**
 * Some server builds round elapsed times to whole seconds, so a whole number of seconds may be too low by this much.
 */
const rounding: Millis = 1000;

function roundingOf({ elapsed }: Observation): Millis {
  return elapsed % rounding === 0 ? rounding : 0;
}

/** Tolerated relative drift of the clock with which a server measures elapsed times. */
const drift = 0.02;

/** Returns the maximum growth of the elapsed time of a query within a period. */
export function maxElapsedGrowth(period: Millis): Millis {
  return period * (1 + drift) + rounding;
}

/**
 * Returns the age of a query when its list arrived: the smaller of the elapsed time that the server measured and the age
 * of its id by the node's clock. Time in the queue counts for the id only. Undefined if the elapsed time exceeds the age
 * of the id, or if the node's clock is not known yet; the guard skips such an entry with the reason `ages`.
 */
export function queryAge(observation: Observation, received: Instant, offset: Millis | undefined): Millis | undefined {
  if (offset === undefined) return undefined;
  const ofId = received.wall - observation.arrivedAt - offset;
  return observation.elapsed - ofId > tolerance ? undefined : Math.max(0, Math.min(observation.elapsed, ofId));
}

/** Elapsed time of a query in one list. */
export interface ElapsedObservation extends ListTimes {
  readonly elapsed: Millis;
}

/**
 * Returns whether the elapsed time of an entry grew in step with the monotonic clock between two lists. A response may
 * describe any moment of its request, so the duration of the two requests is the tolerance.
 */
export function grewConsistently(before: ElapsedObservation, after: ElapsedObservation): boolean {
  const growth = after.elapsed - before.elapsed;
  const least = after.started.mono - before.received.mono;
  const most = after.received.mono - before.started.mono;
  const margin = rounding + most * drift;
  return growth >= least - margin && growth <= maxElapsedGrowth(most);
}
