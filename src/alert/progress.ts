import type { Digest } from '../kernel/digest.ts';
import type { Instant } from '../kernel/time.ts';
import type { AlertingState, Episode } from './episode.ts';
import { Explanations } from './inhibition.ts';
import type { Judgement } from './judgement.ts';
import { begun, hasHeld, holdOf, type Judged, severityOf } from './judging.ts';

/** What became of the episodes of one cluster. */
export interface Progress {
  readonly state: AlertingState;
  /** Began to fire just now. */
  readonly fired: readonly Episode[];
  /** Fired, and are over. */
  readonly ended: readonly Episode[];
  /** By all that fires now. */
  readonly explanations: Explanations;
  /** How much of what is wrong is not followed. */
  readonly left: number;
}

/** Of one cluster: a server that invents places without end shall not take our memory. What is critical always has room. */
const mostEpisodes = 10_000;

/** Moves all episodes of a cluster on: what is found begins and holds, what is no longer found ends. */
export function progress(state: AlertingState, judgement: Judgement, digest: Digest, now: Instant): Progress {
  const episodes = new Map(state.episodes);
  const fired: Episode[] = [];
  let { lastNumber } = state;
  let [followed, left] = [countOf(state, judgement.cluster), 0];
  for (const [place, one] of judgement.found) {
    const known = episodes.get(place);
    if (known === undefined && followed >= mostEpisodes && severityOf(one) !== 'critical') {
      left += 1;
      continue;
    }
    if (known === undefined) followed += 1;
    // No number comes twice, hardly where the store was lost: they follow the clock where that is ahead.
    const number = Math.max(lastNumber + 1, Math.floor(now.wall / 1000));
    const next = found(known ?? begun(one, digest, now), one, { judgement, number, now });
    episodes.set(place, next);
    if (next.phase !== 'firing' || known?.phase === 'firing') continue;
    lastNumber = number;
    fired.push(next);
  }
  const explanations = new Explanations(episodes.values());
  const ended: Episode[] = [];
  for (const episode of state.episodes.values()) {
    if (episode.cluster !== judgement.cluster || judgement.found.has(episode.place)) continue;
    const next = missing(episode, judgement, explanations, now);
    if (next !== undefined) episodes.set(episode.place, next);
    else episodes.delete(episode.place);
    if (next === undefined && episode.phase === 'firing') ended.push(episode);
  }
  return { state: { ...state, episodes, lastNumber }, fired, ended, explanations, left };
}

function countOf({ episodes }: AlertingState, cluster: string): number {
  let count = 0;
  for (const episode of episodes.values()) if (episode.cluster === cluster) count += 1;
  return count;
}

interface Moment {
  readonly judgement: Judgement;
  /** Of the episode that would begin now. */
  readonly number: number;
  readonly now: Instant;
}

/** It is so: what is pending fires once it has held, unless its facts are stale. */
function found(episode: Episode, one: Judged, { judgement, number, now }: Moment): Episode {
  const { facts, receivers = [] } = one.verdict;
  const seen = { ...episode, facts, receivers, hold: holdOf(one), lastSo: now };
  if (episode.phase === 'firing') return seen;
  const fires = judgement.isKnown(episode.rule, episode.identity) && hasHeld(episode, one, now);
  return fires ? { ...seen, phase: 'firing', number } : seen;
}

/** It is no longer so; undefined where that is known, and has been so for long enough. */
function missing(
  episode: Episode,
  judgement: Judgement,
  explanations: Explanations,
  now: Instant,
): Episode | undefined {
  const keepFiring = judgement.rules.get(episode.rule)?.keepFiring;
  // A rule that was switched off has nothing more to say.
  if (keepFiring === undefined) return undefined;
  if (!judgement.isKnown(episode.rule, episode.identity)) return { ...episode, lastSo: now };
  if (episode.phase === 'pending') return undefined;
  const isKept = now.mono - episode.lastSo.mono < keepFiring || explanations.holdsEnd(episode);
  return isKept ? episode : undefined;
}
