import type { Millis } from '../kernel/time.ts';
import { grewConsistently } from './candidate.ts';
import type { ConfirmSettings } from './policy.ts';
import type { ListTimes, Observation } from './process-list.ts';

/** Observations so far of one entry of a node, identified by its id. */
export interface ObservationHistory {
  readonly first: ObservedEntry;
  readonly last: ObservedEntry;
  /** One count for each confirmation setting, in the order of the settings. */
  readonly counts: readonly ObservationCount[];
}

interface ObservedEntry extends ListTimes {
  readonly url: string;
  readonly startTime: string;
  readonly elapsed: Millis;
}

interface ObservationCount {
  readonly observations: number;
  /** Start of the request for the list of the latest counted observation, on the monotonic clock. */
  readonly countedAt: Millis;
  /** Arrival of the list that confirmed the entry, on the monotonic clock; undefined if it is not confirmed. */
  readonly confirmedAt: Millis | undefined;
}

/** Minimum time between two observations as a share of `apart`, because the time between two lists varies. */
export const minApartShare = 0.9;

/** Adds an observation to the history of an entry. */
export type ObservationRecorder = (
  before: ObservationHistory | undefined,
  observation: Observation,
) => ObservationHistory;

/**
 * Creates a recorder that adds the observations of a list. The history of an entry restarts if the entry is not the same
 * as before: its url or start changed, or its age did not grow in step since the previous or the first list.
 */
export function createObservationRecorder(
  times: ListTimes,
  confirmSettings: readonly ConfirmSettings[],
): ObservationRecorder {
  const { started, received } = times;
  // All new entries of a list share these counts, because a list can have thousands of entries.
  const firstCounts = confirmSettings.map((settings) => countObservation(undefined, settings, times));
  return (before, { url, startTime, elapsed }) => {
    const seen: ObservedEntry = { url, startTime, elapsed, started, received };
    if (before === undefined || !isSameEntry(before, seen)) return { first: seen, last: seen, counts: firstCounts };
    const { first, counts } = before;
    const areAllConfirmed = counts.every((count) => count.confirmedAt !== undefined);
    return {
      first,
      last: seen,
      counts: areAllConfirmed
        ? counts
        : confirmSettings.map((settings, at) => countObservation(counts[at], settings, times)),
    };
  };
}

/** Returns when an entry was confirmed by the setting at `index`, on the monotonic clock; undefined if it is not. */
export function confirmedAt({ counts }: ObservationHistory, index: number): Millis | undefined {
  return counts[index]?.confirmedAt;
}

function isSameEntry({ first, last }: ObservationHistory, seen: ObservedEntry): boolean {
  const isAlike = last.url === seen.url && last.startTime === seen.startTime;
  return isAlike && grewConsistently(last, seen) && grewConsistently(first, seen);
}

function countObservation(
  before: ObservationCount | undefined,
  { observations, apart }: ConfirmSettings,
  { started, received }: ListTimes,
): ObservationCount {
  if (before === undefined) return { observations: 1, countedAt: started.mono, confirmedAt: undefined };
  if (before.confirmedAt !== undefined || started.mono - before.countedAt < apart * minApartShare) return before;
  const count = before.observations + 1;
  return {
    observations: count,
    countedAt: started.mono,
    confirmedAt: count >= observations ? received.mono : undefined,
  };
}
