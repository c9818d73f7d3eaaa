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

/** Compares the observed status of a replica with its status code in the metrics; disputed after the grace period. */
export function compareSources(tracked: TrackedReplica, now: Instant, gracePeriod: Millis): TrackedReplica {
  if (!codeContradictsStatus(tracked)) {
    return tracked.contradictedSince === undefined
      ? tracked
      : { ...tracked, contradictedSince: undefined, isDisputed: false };
  }
  const contradictedSince = tracked.contradictedSince ?? now.mono;
  const isDisputed = now.mono - contradictedSince > gracePeriod;
  return { ...tracked, contradictedSince, isDisputed };
}

/** Returns whether both sources have a status to compare. */
export function canCompareSources({ observed, reportedCode }: TrackedReplica): boolean {
  return reportedCode !== undefined && reportedCode !== 0 && observed !== unobserved && observed !== '';
}

function codeContradictsStatus(tracked: TrackedReplica): boolean {
  return (
    canCompareSources(tracked) &&
    statusNameOf(tracked.reportedCode ?? 0) !== knownStatusOrUnrecognized(tracked.observed)
  );
}
