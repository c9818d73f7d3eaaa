import type { Instant, Millis } from '../../kernel/time.ts';
import type { Alert, Destination } from '../../model/alert.ts';
import type { Detail } from '../notifier.ts';
import { backOff } from './back-off.ts';
import { isHopeless, type Outage, stillOut } from './outage.ts';

/** Whether a receiver knows of an episode. `maybe`: it was sent, and what became of it is not known. */
export const hearings = ['no', 'maybe', 'yes'] as const;

/** One of {@link hearings}. */
export type Heard = (typeof hearings)[number];

/** What one receiver is owed about one episode. Times are wall times. */
export interface Episode {
  /** Its newest form: firing, or resolved. */
  readonly alert: Alert;
  readonly heard: Heard;
  /** Since when what is owed now is owed. */
  readonly due: number;
  /** Since when its end is owed. */
  readonly endDue?: number;
  /** A reminder is owed. */
  readonly again: boolean;
  /** The receiver took its end, and is told it again for a while because it forgets. */
  readonly over: boolean;
  readonly group: Readonly<Record<string, string>>;
  readonly groupWait: Millis;
  readonly fallback?: string;
  readonly outage?: Outage | undefined;
  /** Nothing more is tried. */
  readonly parked?: { readonly why: 'refused' | 'hopeless'; readonly at: number } | undefined;
  readonly effort: Effort;
}

/** How it is tried; forgotten at a restart. */
export interface Effort {
  /** Not before this monotonic time. */
  readonly from: number;
  readonly failures: number;
  readonly detail: Detail;
  /** Alerts in one letter with it at most: what was refused together is tried in smaller parts. */
  readonly together: number;
}

/** What may be owed; a `refresh` is what nobody waits for, for a receiver that forgets. */
export type Errand = 'trigger' | 'resolve' | 'remind' | 'refresh';

/** What a letter came to for one episode in it. */
export type Verdict =
  | { readonly kind: 'accepted' }
  /** It may have been taken or not. `chance` is uniform in [0, 1). */
  | { readonly kind: 'lost'; readonly answered: boolean; readonly chance: number }
  /** It was not taken, and not for its own fault. */
  | { readonly kind: 'untaken' }
  /** Another in the same letter was not acceptable; this one may have been taken. */
  | { readonly kind: 'spared' }
  /** It, or another in a letter of this many, is not acceptable. */
  | { readonly kind: 'refused'; readonly letter: number };

const unhindered = { outage: undefined, parked: undefined } as const;
const worse = { full: 'short', short: 'minimal', minimal: undefined } as const;

/** No effort made yet. */
export function freshEffort(from: number): Effort {
  return { from, failures: 0, detail: 'full', together: Number.POSITIVE_INFINITY };
}

/** An episode that the receiver has not heard of. */
export function newEpisode(
  alert: Alert,
  { group, groupWait, fallback }: Destination,
  due: number,
  now: Instant,
): Episode {
  const rest = fallback === undefined ? {} : { fallback };
  const told = { heard: 'no', again: false, over: false } as const;
  const effort = freshEffort(now.mono + groupWait);
  return { alert, ...told, due, group, groupWait, ...rest, effort };
}

/** What is owed of an episode now; undefined where that is nothing. */
export function owedOf({ alert, heard, again, over, parked }: Episode): Errand | undefined {
  if (parked !== undefined || over) return undefined;
  if (heard !== 'yes') return 'trigger';
  if (alert.status === 'resolved') return 'resolve';
  return again ? 'remind' : undefined;
}

/** The alert as a receiver has to be told it first, whatever became of it since. */
export function firingForm(alert: Alert): Alert {
  const { key, episode, rule, severity, labels, annotations, startsAt, generatorUrl } = alert;
  return { key, episode, rule, severity, labels, annotations, status: 'firing', startsAt, generatorUrl };
}

/** The episode ended. What was parked is tried once more: an incident that may be open has to be closed. */
export function ended(episode: Episode, alert: Alert, due: number, now: Instant): Episode {
  const effort = freshEffort(now.mono + (episode.heard === 'yes' ? episode.groupWait : 0));
  const isOwed = episode.heard === 'yes' ? { due } : {};
  return { ...episode, ...unhindered, alert, again: false, endDue: due, ...isOwed, effort };
}

/** It ended before the receiver heard of it: nobody is told, but in a digest. */
export function isFolded({ alert, heard }: Episode): boolean {
  return heard === 'no' && alert.status === 'resolved';
}

/** The episode while it is on its way: from now on it may be known. */
export function onItsWay(episode: Episode): Episode {
  return episode.heard === 'no' ? { ...episode, heard: 'maybe' } : episode;
}

/** How an episode was tried. */
export interface Try {
  readonly errand: Errand;
  /** What the receiver knew of it before. */
  readonly before: Heard;
}

/** What becomes of an episode after a try. */
export function settled(episode: Episode, tried: Try, verdict: Verdict, now: Instant): Episode {
  if (verdict.kind === 'accepted') return accepted(episode, tried.errand, now);
  if (verdict.kind === 'lost') return lost(episode, tried.errand, verdict, now);
  if (verdict.kind === 'spared') return episode;
  if (verdict.kind === 'untaken') return { ...episode, heard: knownAfter(episode, tried) };
  return refused(episode, tried, verdict.letter, now);
}

function accepted(known: Episode, errand: Errand, now: Instant): Episode {
  const episode = { ...known, ...unhindered };
  const effort = freshEffort(now.mono);
  if (errand === 'remind') return { ...episode, again: false, effort };
  if (errand === 'refresh') return { ...episode, effort };
  if (errand !== 'trigger') return { ...episode, over: true, effort };
  return { ...episode, heard: 'yes', due: episode.endDue ?? episode.due, effort };
}

function lost(
  episode: Episode,
  errand: Errand,
  { answered, chance }: Extract<Verdict, { kind: 'lost' }>,
  now: Instant,
): Episode {
  if (errand === 'refresh') return episode;
  const outage = stillOut(episode.outage, answered, now.wall);
  if (isHopeless(outage, now.wall)) return givenUp({ ...episode, outage }, errand, 'hopeless', now);
  const failures = episode.effort.failures + 1;
  const from = now.mono + backOff(episode.effort.failures, chance);
  return { ...episode, outage, effort: { ...episode.effort, from, failures } };
}

/** Of several the guilty one is looked for; one alone is tried with less and less in it. */
function refused(episode: Episode, tried: Try, letter: number, now: Instant): Episode {
  const { effort } = episode;
  if (letter > 1) return { ...episode, effort: { ...effort, together: Math.ceil(letter / 2) } };
  const heard = knownAfter(episode, tried);
  const detail = worse[effort.detail];
  if (detail !== undefined) return { ...episode, heard, effort: { ...effort, detail } };
  return givenUp({ ...episode, heard }, tried.errand, 'refused', now);
}

function knownAfter({ heard }: Episode, { errand, before }: Try): Heard {
  return errand === 'trigger' ? before : heard;
}

/** Nothing more is tried. */
export function givenUp(episode: Episode, errand: Errand, why: 'refused' | 'hopeless', now: Instant): Episode {
  const effort = freshEffort(now.mono);
  // A reminder is the least of what can be lost: the next one is tried in time.
  if (errand === 'remind' || errand === 'refresh') return { ...episode, again: false, effort };
  return { ...episode, parked: { why, at: now.wall }, effort };
}

/** Gives what was parked another chance: the receiver works again. */
export function unparked(episode: Episode, now: Instant): Episode {
  return { ...episode, ...unhindered, effort: freshEffort(now.mono) };
}
