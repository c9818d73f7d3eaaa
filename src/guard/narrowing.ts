import type { Millis } from '../kernel/time.ts';
import { meets } from './comparison.ts';
import { takesEveryName } from './pattern.ts';
import type { Comparison, Conditions, Confirm, Patterns } from './policy.ts';

/** What the server grants where the client asks for nothing else. */
const usualTimeout = 16_000;

/** Two requests are rarely exactly as far apart as they are to be. */
const apartShare = 0.9;

/**
 * Whether conditions leave out the query next door: one of no special name and with the usual timeout, at the instant
 * at which it counts as confirmed. Conditions that do not could abort everything. The node and the method leave out
 * nothing by this: everything on one node, and everything that is asked for with GET, are too much as well.
 */
export function leavesOutOrdinaryQueries(when: Conditions, confirm: Confirm): boolean {
  const age = leastAgeWhenConfirmed(confirm);
  return (
    when.params !== undefined ||
    leavesOutNames(when.graph) ||
    leavesOutNames(when.query) ||
    fails(when.age, age) ||
    fails(when.grantedTimeout, usualTimeout) ||
    fails(when.remaining, Math.max(0, usualTimeout - age)) ||
    fails(when.ageShare, age / usualTimeout)
  );
}

/** How old a query is at least when it has been seen as often as it has to be. */
export function leastAgeWhenConfirmed({ sightings, apart }: Confirm): Millis {
  return (sightings - 1) * apart * apartShare;
}

function leavesOutNames(patterns: Patterns | undefined): boolean {
  return patterns !== undefined && !takesEveryName(patterns);
}

function fails(comparison: Comparison | undefined, value: number): boolean {
  return comparison !== undefined && !meets(comparison, value);
}
