import type { Instant } from '../../kernel/time.ts';
import type { Alert, Destination } from '../../model/alert.ts';
import {
  type Episode,
  type Errand,
  ended,
  givenUp,
  isFolded,
  newEpisode,
  onItsWay,
  owedOf,
  settled,
  type Try,
  unparked,
  type Verdict,
} from './episode.ts';

/**
 * What one receiver is owed of one place where incidents happen: the episodes that it may know of and are not
 * finished, then the newest that it does not know of. They are told one after the other.
 */
export interface Lane {
  readonly key: string;
  readonly episodes: readonly Episode[];
}

/** A lane after something happened, and the episodes that nobody will be told of one by one. */
export interface LaneStep {
  readonly lane: Lane;
  readonly folded: readonly Episode[];
}

/** An attempt at the head of a lane. */
export interface Attempt extends Try {
  readonly episode: number;
}

/** A lane in which nothing happened yet. */
export function emptyLane(key: string): Lane {
  return { key, episodes: [] };
}

/** What is told next, and how it is called; undefined where nothing is owed. */
export function headOf(lane: Lane): { readonly episode: Episode; readonly errand: Errand } | undefined {
  for (const episode of lane.episodes) {
    const errand = owedOf(episode);
    if (errand !== undefined) return { episode, errand };
  }
  return undefined;
}

/** The episode began, or it is time to say again that it goes on. */
export function triggered(lane: Lane, notice: Trigger, now: Instant): LaneStep {
  const { alert, again } = notice;
  const known = lane.episodes.find((episode) => episode.alert.episode === alert.episode);
  if (known === undefined) return begun(lane, notice, now);
  if (known.alert.status === 'resolved') return { lane, folded: [] };
  const isReminder = again && known.heard === 'yes';
  const due = isReminder ? notice.due : known.due;
  const told: Episode = { ...hastened(known, notice, now), alert, due, again: known.again || isReminder };
  // What was parked gets another chance as often as it would be said again.
  return { lane: withEpisode(lane, again && known.parked !== undefined ? unparked(told, now) : told), folded: [] };
}

/** An episode that another receiver does not take. What is owed here already only waits no longer for company than this. */
export function inherited(lane: Lane, notice: Trigger, now: Instant): LaneStep {
  const { episode } = notice.alert;
  if (lane.episodes.every(({ alert }) => alert.episode !== episode)) return begun(lane, notice, now);
  return { lane: changed(lane, episode, (known) => hastened(known, notice, now)), folded: [] };
}

/** Of two ways to the same receiver the one that waits less counts, until somebody tried. */
function hastened(known: Episode, { to }: Trigger, now: Instant): Episode {
  const { heard, effort } = known;
  const from = now.mono + to.groupWait;
  return heard === 'no' && effort.failures === 0 && from < effort.from
    ? { ...known, effort: { ...effort, from } }
    : known;
}

/** A trigger for one receiver. */
export interface Trigger {
  readonly alert: Alert;
  readonly again: boolean;
  readonly to: Destination;
  readonly due: number;
}

/** The episode is over. A receiver that never heard of it hears nothing now. */
export function resolved(lane: Lane, alert: Alert, due: number, now: Instant): LaneStep {
  const known = lane.episodes.find((episode) => episode.alert.episode === alert.episode);
  if (known === undefined || known.alert.status === 'resolved') return { lane, folded: [] };
  return swept(withEpisode(lane, ended(known, alert, due, now)));
}

/** The lane while its head is on its way. */
export function departed(lane: Lane, { episode }: Attempt): Lane {
  return changed(lane, episode, onItsWay);
}

/** The lane after an attempt. `forgets`: what is over stays, to be told again for a while. */
export function answered(
  lane: Lane,
  attempt: Attempt,
  { verdict, forgets }: { readonly verdict: Verdict; readonly forgets: boolean },
  now: Instant,
): LaneStep {
  const after = changed(lane, attempt.episode, (known) => settled(known, attempt, verdict, now));
  return swept(after, ({ over }) => !over || forgets);
}

/** Parks what is owed since before wall time `before`: the receiver takes nothing at all. */
export function abandoned(lane: Lane, before: number, now: Instant): Lane {
  const episodes = lane.episodes.map((episode) => {
    const errand = owedOf(episode);
    return errand === undefined || episode.due > before ? episode : givenUp(episode, errand, 'hopeless', now);
  });
  return { ...lane, episodes };
}

/** Whether something was parked for the receiver's sake. */
export function isAbandoned({ episodes }: Lane): boolean {
  return episodes.some(({ parked }) => parked?.why === 'hopeless');
}

/** Gives what was parked for the receiver's sake another chance. */
export function revived(lane: Lane, now: Instant): Lane {
  const episodes = lane.episodes.map((episode) =>
    episode.parked?.why === 'hopeless' ? unparked(episode, now) : { ...episode, effort: soon(episode, now) },
  );
  return { ...lane, episodes };
}

/** Lets go what is over and done with at wall time `now`: what a receiver was told often enough, what will never be taken. */
export function expired(lane: Lane, now: number): Lane {
  const episodes = lane.episodes.filter((episode) => !isDone(episode, now));
  return episodes.length === lane.episodes.length ? lane : { ...lane, episodes };
}

const refreshedFor = 900_000;
const parkedFor = 86_400_000;

function isDone({ over, parked, alert, endDue }: Episode, now: number): boolean {
  if (over) return now >= Math.max(alert.endsAt ?? 0, endDue ?? 0) + refreshedFor;
  return alert.status === 'resolved' && parked !== undefined && now >= parked.at + parkedFor;
}

function soon({ effort }: Episode, now: Instant): Episode['effort'] {
  return effort.failures === 0 ? effort : { ...effort, failures: 0, from: now.mono };
}

/** What a new episode finds is at its end, whether that was said or not. */
function begun(lane: Lane, { alert, to, due }: Trigger, now: Instant): LaneStep {
  const before = lane.episodes.map((episode) =>
    episode.alert.status === 'resolved' ? episode : ended(episode, closedBy(episode, alert), due, now),
  );
  const step = swept({ ...lane, episodes: before }, ({ over, parked }) => !over && parked?.why !== 'refused');
  // More than these are never in doubt at once, but for a receiver that loses everything.
  const rest = step.lane.episodes.slice(-2);
  return { ...step, lane: { ...lane, episodes: [...rest, newEpisode(alert, to, due, now)] } };
}

function closedBy({ alert }: Episode, next: Alert): Alert {
  return { ...alert, status: 'resolved', endsAt: Math.max(alert.startsAt, next.startsAt) };
}

function swept(lane: Lane, keeps: (episode: Episode) => boolean = () => true): LaneStep {
  const episodes = lane.episodes.filter((episode) => !isFolded(episode) && keeps(episode));
  return { lane: { ...lane, episodes }, folded: lane.episodes.filter(isFolded) };
}

function withEpisode(lane: Lane, next: Episode): Lane {
  return changed(lane, next.alert.episode, () => next);
}

function changed(lane: Lane, episode: number, change: (known: Episode) => Episode): Lane {
  const episodes = lane.episodes.map((known) => (known.alert.episode === episode ? change(known) : known));
  return episodes.every((one, at) => one === lane.episodes[at]) ? lane : { ...lane, episodes };
}
