import type { Instant } from '../../kernel/time.ts';
import { type Alert, severities } from '../../model/alert.ts';
import type { Detail, Letter, NotifierTraits } from '../notifier.ts';
import { type Episode, type Errand, firingForm } from './episode.ts';
import type { Preference } from './health.ts';
import { type Attempt, headOf, type Lane } from './lane.ts';

/** What is to be told next to one receiver, and what of it. */
export interface Choice {
  readonly letter: Letter;
  readonly detail: Detail;
  /** By the keys of their lanes, in the order of the letter. */
  readonly attempts: ReadonlyMap<string, Attempt>;
}

/** A letter, or when to look again; never, where `at` is undefined. Times are monotonic. */
export type Chosen = Choice | { readonly at: number | undefined };

interface Candidate {
  readonly lane: string;
  readonly episode: Episode;
  readonly errand: Errand;
}

const refreshAfter = 60_000;
/** What will be due in this time goes along, so that there are fewer letters. */
const refreshAlong = 30_000;

/** Chooses among the lanes: the most urgent first, what waits longest before others. */
export function chooseLetter(
  lanes: Iterable<Lane>,
  traits: NotifierTraits,
  now: Instant,
  preference: Preference = 'fresh',
): Chosen {
  const { owed, refreshes } = candidatesOf(lanes, traits.forgets);
  const first = firstOf(
    owed.filter(({ episode }) => episode.effort.from <= now.mono),
    preference,
  );
  if (first !== undefined) return choiceOf(first, owed, traits, now);
  const times = refreshes.map(({ episode }) => episode.effort.from + refreshAfter);
  if (times.some((at) => at <= now.mono)) return refreshing(refreshes, traits, now);
  return { at: earliest([...owed.map(({ episode }) => episode.effort.from), ...times]) };
}

function earliest(times: readonly number[]): number | undefined {
  return times.reduce<number | undefined>((first, at) => (first === undefined || at < first ? at : first), undefined);
}

function candidatesOf(lanes: Iterable<Lane>, forgets: boolean): Record<'owed' | 'refreshes', readonly Candidate[]> {
  const owed: Candidate[] = [];
  const refreshes: Candidate[] = [];
  for (const lane of lanes) {
    const head = headOf(lane);
    const last = lane.episodes.at(-1);
    if (head !== undefined) owed.push({ lane: lane.key, ...head });
    else if (forgets && last !== undefined && last.parked === undefined) {
      refreshes.push({ lane: lane.key, episode: last, errand: 'refresh' });
    }
  }
  return { owed, refreshes };
}

function firstOf(candidates: readonly Candidate[], preference: Preference): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (first, other) => (first === undefined || comesBefore(other, first, preference) ? other : first),
    undefined,
  );
}

function comesBefore(one: Candidate, other: Candidate, preference: Preference): boolean {
  const [failures, others] = [one.episode.effort.failures, other.episode.effort.failures];
  if (failures === others) return byUrgency(one, other) < 0;
  return preference === 'fresh' ? failures < others : others === 0;
}

function byUrgency(one: Candidate, other: Candidate): number {
  const rank = rankOf(one) - rankOf(other);
  return rank === 0 ? one.episode.due - other.episode.due : rank;
}

function rankOf({ episode }: Candidate): number {
  return severities.indexOf(episode.alert.severity);
}

function choiceOf(first: Candidate, owed: readonly Candidate[], traits: NotifierTraits, now: Instant): Choice {
  const fits = companionOf(first, traits.forgets, now);
  const together = [first, ...owed.filter((other) => other !== first && fits(other)).toSorted(byUrgency)];
  return lettered(bounded(together, traits.batch), first.errand === 'remind');
}

/** What goes into one letter with `first`: of the same group, in the same detail, and not on its way back from a failure. */
function companionOf(first: Candidate, forgets: boolean, now: Instant): (other: Candidate) => boolean {
  const group = groupOf(first);
  return (other) => {
    const { effort } = other.episode;
    const isKind = (other.errand === 'remind') === (first.errand === 'remind');
    if (!isKind || effort.detail !== first.episode.effort.detail) return false;
    return (effort.failures === 0 || effort.from <= now.mono) && (forgets || groupOf(other) === group);
  };
}

function groupOf({ episode }: Candidate): string {
  return JSON.stringify(Object.entries(episode.group).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function bounded(candidates: readonly Candidate[], batch: number): readonly Candidate[] {
  let room = Math.max(1, batch);
  const taken: Candidate[] = [];
  for (const candidate of candidates) {
    room = Math.min(room, Math.max(1, candidate.episode.effort.together));
    if (taken.length >= room) break;
    taken.push(candidate);
  }
  return taken;
}

function refreshing(refreshes: readonly Candidate[], { batch }: NotifierTraits, now: Instant): Choice {
  const due = refreshes.filter(({ episode }) => episode.effort.from + refreshAfter - refreshAlong <= now.mono);
  const longest = due.toSorted((one, other) => one.episode.effort.from - other.episode.effort.from);
  const [first] = longest;
  return lettered(
    bounded(
      longest.filter(({ episode }) => episode.effort.detail === first?.episode.effort.detail),
      batch,
    ),
    false,
  );
}

function lettered(candidates: readonly Candidate[], again: boolean): Choice {
  const group = candidates[0]?.episode.group ?? {};
  const alerts = { kind: 'alerts', group, alerts: candidates.map(alertOf), again } as const;
  const due = Math.max(...candidates.map(({ episode }) => episode.due));
  const letter = again ? { ...alerts, due } : alerts;
  const detail = candidates[0]?.episode.effort.detail ?? 'full';
  return { letter, detail, attempts: new Map(candidates.map(attemptAt)) };
}

/** What ended on the way is told from its beginning. */
function alertOf({ episode, errand }: Candidate): Alert {
  return errand === 'trigger' ? firingForm(episode.alert) : episode.alert;
}

function attemptAt({ lane, episode, errand }: Candidate): readonly [string, Attempt] {
  return [lane, { errand, episode: episode.alert.episode, before: episode.heard }];
}
