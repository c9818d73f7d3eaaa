import type { Instant, Millis } from '../kernel/time.ts';
import { unobserved } from '../model/transition.ts';
import type { TrackedReplica } from './replica.ts';
import { knownStatusOrUnrecognized, statusNameOf } from './status-codes.ts';

/** Interval at which the server refreshes its metrics. */
const serverRefreshInterval: Millis = 60_000;

/** Returns how long the two sources may differ because one of them is late, for the poll intervals of both. */
export function disagreementGracePeriod(...intervals: readonly Millis[]): Millis {
  return 2 * Math.max(serverRefreshInterval, ...intervals);
}

/** Compares the observed status of a replica with its status code in the metrics. */
export function compareSources(known: TrackedReplica, now: Instant, patient: Millis): TrackedReplica {
  if (!codeContradictsStatus(known)) {
    return known.contradictedSince === undefined
      ? known
      : { ...known, contradictedSince: undefined, isDisputed: false };
  }
  const contradictedSince = known.contradictedSince ?? now.mono;
  const isDisputed = now.mono - contradictedSince > patient;
  return { ...known, contradictedSince, isDisputed };
}

/** Returns whether both sources have a status to compare. */
export function canCompareSources({ observed, reportedCode }: TrackedReplica): boolean {
  return reportedCode !== undefined && reportedCode !== 0 && observed !== unobserved && observed !== '';
}

function codeContradictsStatus(known: TrackedReplica): boolean {
  return (
    canCompareSources(known) && statusNameOf(known.reportedCode ?? 0) !== knownStatusOrUnrecognized(known.observed)
  );
}
