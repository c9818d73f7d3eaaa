import type { Digest } from '../kernel/system.ts';
import type { Instant } from '../kernel/time.ts';
import { type ActiveAlert, isPendingPeriodOver, pendingIncident, pendingPeriod, severityOf } from './active-alert.ts';
import type { Evaluation } from './evaluation.ts';
import type { AlertingState, Incident } from './incident.ts';
import { InhibitionIndex } from './suppression.ts';

/** Result of updating the incidents of one cluster. */
export interface IncidentUpdate {
  readonly state: AlertingState;
  /** Incidents that started to fire. */
  readonly fired: readonly Incident[];
  /** Firing incidents that ended. */
  readonly resolved: readonly Incident[];
  /** By all that fires now. */
  readonly inhibitions: InhibitionIndex;
  /** Number of findings that exceed the limit of incidents. */
  readonly droppedCount: number;
}

/** Of one cluster: a server that invents places without end shall not take our memory. What is critical always has room. */
const maxIncidentsPerCluster = 10_000;

/** Updates all incidents of a cluster: findings start or continue incidents, incidents without a finding end. */
export function updateIncidents(
  state: AlertingState,
  evaluation: Evaluation,
  digest: Digest,
  now: Instant,
): IncidentUpdate {
  const incidents = new Map(state.incidents);
  const fired: Incident[] = [];
  let { lastNumber } = state;
  let [followed, droppedCount] = [incidentCount(state, evaluation.cluster), 0];
  for (const [place, one] of evaluation.active) {
    const known = incidents.get(place);
    if (known === undefined && followed >= maxIncidentsPerCluster && severityOf(one) !== 'critical') {
      droppedCount += 1;
      continue;
    }
    if (known === undefined) followed += 1;
    // No number comes twice, hardly where the store was lost: they follow the clock where that is ahead.
    const number = Math.max(lastNumber + 1, Math.floor(now.wall / 1000));
    const next = updateActive(known ?? pendingIncident(one, digest, now), one, { evaluation, number, now });
    incidents.set(place, next);
    if (next.phase !== 'firing' || known?.phase === 'firing') continue;
    lastNumber = number;
    fired.push(next);
  }
  const inhibitions = new InhibitionIndex(incidents.values());
  const resolved: Incident[] = [];
  for (const episode of state.incidents.values()) {
    if (episode.cluster !== evaluation.cluster || evaluation.active.has(episode.place)) continue;
    const next = updateInactive(episode, evaluation, inhibitions, now);
    if (next !== undefined) incidents.set(episode.place, next);
    else incidents.delete(episode.place);
    if (next === undefined && episode.phase === 'firing') resolved.push(episode);
  }
  return { state: { ...state, incidents, lastNumber }, fired, resolved, inhibitions, droppedCount };
}

function incidentCount({ incidents }: AlertingState, cluster: string): number {
  let count = 0;
  for (const episode of incidents.values()) if (episode.cluster === cluster) count += 1;
  return count;
}

interface UpdateContext {
  readonly evaluation: Evaluation;
  /** The number of the next incident. */
  readonly number: number;
  readonly now: Instant;
}

/** It is so: what is pending fires once it has held, unless its facts are stale. */
function updateActive(episode: Incident, one: ActiveAlert, { evaluation, number, now }: UpdateContext): Incident {
  const { facts, receivers = [] } = one.verdict;
  const seen = { ...episode, facts, receivers, for: pendingPeriod(one), lastActiveAt: now };
  if (episode.phase === 'firing') return seen;
  const fires = evaluation.isKnown(episode.rule, episode.identity) && isPendingPeriodOver(episode, one, now);
  return fires ? { ...seen, phase: 'firing', number } : seen;
}

/** It is no longer so; undefined where that is known, and has been so for long enough. */
function updateInactive(
  episode: Incident,
  evaluation: Evaluation,
  explanations: InhibitionIndex,
  now: Instant,
): Incident | undefined {
  const keepFiring = evaluation.rules.get(episode.rule)?.keepFiringFor;
  // A rule that was switched off has nothing more to say.
  if (keepFiring === undefined) return undefined;
  if (!evaluation.isKnown(episode.rule, episode.identity)) return { ...episode, lastActiveAt: now };
  if (episode.phase === 'pending') return undefined;
  const isKept = now.mono - episode.lastActiveAt.mono < keepFiring || explanations.inhibitsResolve(episode);
  return isKept ? episode : undefined;
}
