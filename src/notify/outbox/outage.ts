import type { Millis } from '../../kernel/time.ts';

/** Since when something has not gone through; wall times, because it is remembered through restarts. */
export interface Outage {
  readonly since: number;
  /** Since when the receiver has given an answer every time, if only to say that it cannot. */
  readonly answeringSince?: number;
}

const day: Millis = 86_400_000;

/** How long a receiver that answers is asked for the same thing, and any other. */
export const patience = { answering: day, inAll: 7 * day } as const;

/** The outage after one more failure at `now`. */
export function stillOut(outage: Outage | undefined, answered: boolean, now: number): Outage {
  const since = Math.min(outage?.since ?? now, now);
  if (!answered) return outage !== undefined && outage.answeringSince === undefined ? outage : { since };
  if (outage?.answeringSince !== undefined) return outage;
  return { since, answeringSince: now };
}

/** Whether it has gone on for so long that what is owed is parked. */
export function isHopeless({ since, answeringSince }: Outage, now: number): boolean {
  if (now - since >= patience.inAll) return true;
  return answeringSince !== undefined && now - answeringSince >= patience.answering;
}
