import type { FoldedEpisode } from '../notifier.ts';
import type { Episode } from './episode.ts';

/** What a receiver was not told one by one. */
export interface Folded {
  /** The newest of them, oldest first. */
  readonly newest: readonly FoldedEpisode[];
  readonly count: number;
}

/** Nothing. */
export const nothingFolded: Folded = { newest: [], count: 0 };

const shown = 50;
const summaryLength = 300;

/** One more episode that began and ended unsent. */
export function withFolded({ newest, count }: Folded, { alert }: Episode): Folded {
  const { key, episode, severity, startsAt } = alert;
  const summary = (alert.annotations.summary ?? '').slice(0, summaryLength);
  const endsAt = alert.endsAt ?? startsAt;
  const entry = { key, episode, summary, severity, startsAt, endsAt };
  return { newest: [...newest, entry].slice(-shown), count: count + 1 };
}

/** What came in since `told` went out in a digest. */
export function foldedSince(folded: Folded, told: Folded): Folded {
  const count = folded.count - told.count;
  return { newest: count > 0 ? folded.newest.slice(-count) : [], count };
}
