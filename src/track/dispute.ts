import type { Instant, Millis } from '../kernel/time.ts';
import { unobserved } from '../model/transition.ts';
import type { TrackedReplica } from './replica.ts';
import { recognised, wordOf } from './status-codes.ts';

/** The server renews its metrics once a minute: who reads them more often sees the same twice. */
const serverRefresh: Millis = 60_000;

/** How long the two sources may differ because one of them is late, given the intervals at which both are read. */
export function patience(...intervals: readonly Millis[]): Millis {
  return 2 * Math.max(serverRefresh, ...intervals);
}

/** Compares what a replica says of itself with the code that the metrics have for it. */
export function compared(known: TrackedReplica, now: Instant, patient: Millis): TrackedReplica {
  if (!contradicts(known)) {
    return known.contradictedSince === undefined ? known : { ...known, contradictedSince: undefined, disputed: false };
  }
  const contradictedSince = known.contradictedSince ?? now.mono;
  const disputed = now.mono - contradictedSince > patient;
  return { ...known, contradictedSince, disputed };
}

/** Whether there is something to compare at all. */
export function isComparable({ observed, code }: TrackedReplica): boolean {
  return code !== undefined && code !== 0 && observed !== unobserved && observed !== '';
}

function contradicts(known: TrackedReplica): boolean {
  return isComparable(known) && wordOf(known.code ?? 0) !== recognised(known.observed);
}
