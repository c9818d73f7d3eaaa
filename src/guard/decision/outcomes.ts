import type { Millis } from '../../kernel/time.ts';
import type { AbortAnswer, Decision, Outcome, Reconciled } from './decision.ts';

/** Two good lists without it, still listed at the deadline, or neither. */
type Listing = 'gone' | 'listed' | 'unlisted';

/** The table of outcomes. */
const outcomes: Readonly<Record<Reconciled, Readonly<Record<Listing, Outcome>>>> = {
  named: { gone: 'confirmed', listed: 'still_running', unlisted: 'unknown' },
  empty: { gone: 'finished_first', listed: 'not_aborted', unlisted: 'unknown' },
  lost: { gone: 'vanished', listed: 'still_running', unlisted: 'unknown' },
  refused: { gone: 'refused', listed: 'refused', unlisted: 'refused' },
};

const deadline: Millis = 30_000;
/** A list asked for at the deadline may still be on its way, and a first absence there wants a second. */
const lastWord: Millis = 5000;
const absencesToBeGone = 2;

/** When lists are wanted, from the call on. */
const marks: readonly Millis[] = [1000, 2000, 4000, 8000, 16_000, deadline];
const afterFirstAbsence: readonly Millis[] = [31_000, 32_000, 33_000];

/** What an answer comes to for the id that was asked for, and whether it names one that was not. */
export function reconciled(
  answer: AbortAnswer,
  id: string,
): { readonly answer: Reconciled; readonly isUnexpected: boolean } {
  if (answer.kind === 'refused') return { answer: 'refused', isUnexpected: false };
  const { kind, aborted = [] } = answer;
  const isNamed = aborted.includes(id);
  return {
    answer: kind === 'lost' ? kind : isNamed ? 'named' : 'empty',
    isUnexpected: aborted.some((one) => one !== id),
  };
}

/** How a decision ended whose call was sent; undefined while that is open. Without an answer at the end it is lost. */
export function outcomeOf(
  { sentAt, answer, absences, listedAt }: Pick<Decision, 'sentAt' | 'answer' | 'absences' | 'listedAt'>,
  now: Millis,
): Outcome | undefined {
  if (sentAt === undefined) return undefined;
  if (answer === 'refused') return 'refused';
  const known = answer ?? (now >= sentAt + deadline + lastWord ? 'lost' : undefined);
  if (known === undefined) return undefined;
  if (absences >= absencesToBeGone) return outcomes[known].gone;
  const isListed = absences === 0 && listedAt !== undefined && listedAt >= sentAt + deadline;
  if (isListed) return outcomes[known].listed;
  return now >= sentAt + deadline + lastWord ? outcomes[known].unlisted : undefined;
}

/** Somebody has to look: what was to end goes on. */
export function pagesFor(outcome: Outcome): boolean {
  return outcome === 'still_running';
}

/** When a list is wanted next for the sake of the outcome, if none was asked for since `askedAt`; may be in the past. */
export function verificationAt(
  { sentAt, absences }: Pick<Decision, 'sentAt' | 'absences'>,
  askedAt: Millis,
): Millis | undefined {
  if (sentAt === undefined) return undefined;
  const wanted = absences === 0 ? marks : [...marks, ...afterFirstAbsence];
  return wanted.map((mark) => sentAt + mark).find((at) => at > askedAt);
}

/** When the outcome is known at the latest. */
export function endOf({ sentAt }: Pick<Decision, 'sentAt'>): Millis | undefined {
  return sentAt === undefined ? undefined : sentAt + deadline + lastWord;
}
