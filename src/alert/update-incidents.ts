import type { Digest } from '../kernel/system.ts';
import type { Instant } from '../kernel/time.ts';
import { severities } from '../model/alert.ts';
import {
  type ActiveAlert,
  identityKey,
  isPendingPeriodOver,
  pendingIncident,
  pendingPeriod,
  severityOf,
} from './active-alert.ts';
import type { Evaluation } from './evaluation.ts';
import type { AlertingState, Incident } from './incident.ts';
import { isMoreSevere } from './incident-content.ts';
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
  const { incidents, lastNumber, droppedCount } = startOrContinue(state, evaluation, digest, now);
  const own = [...incidents.values()].filter(({ cluster }) => cluster === evaluation.cluster);
  const fired = own.filter(({ place, phase }) => phase === 'firing' && state.incidents.get(place)?.phase !== 'firing');
  const inhibitions = new InhibitionIndex(own);
  const context = { evaluation, incidents, inhibitions, now };
  const resolved: Incident[] = [];
  for (const incident of own) {
    if (evaluation.active.has(incident.place)) continue;
    const next = updateInactive(incident, context);
    if (next !== undefined) incidents.set(incident.place, next);
    else incidents.delete(incident.place);
    if (next === undefined && incident.phase === 'firing') resolved.push(incident);
  }
  return { state: { ...state, incidents, lastNumber }, fired, resolved, inhibitions, droppedCount };
}

function startOrContinue(
  state: AlertingState,
  evaluation: Evaluation,
  digest: Digest,
  now: Instant,
): { readonly incidents: Map<string, Incident>; readonly lastNumber: number; readonly droppedCount: number } {
  const incidents = new Map(state.incidents);
  const usedKeys = new UsedKeys(incidents);
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
    const number = Math.max(lastNumber + 1, Math.floor(now.wall));
    const before = known ?? usedKeys.withUniqueKey(begun(one, incidents, digest, now), digest);
    const next = updateActive(before, one, { evaluation, number, now });
    incidents.set(place, next);
    if (next.phase === 'firing' && known?.phase !== 'firing') lastNumber = number;
  }
  return { incidents, lastNumber, droppedCount };
}

/** Returns the pending incident of a new finding. Another severity of a problem has lasted as long as the problem. */
function begun(one: ActiveAlert, incidents: ReadonlyMap<string, Incident>, digest: Digest, now: Instant): Incident {
  const pending = pendingIncident(one, digest, now);
  const moreSevere = otherSeverities(pending)
    .map((place) => incidents.get(place))
    .find((other) => other?.phase === 'firing' && isMoreSevere(other.severity, pending.severity));
  return moreSevere === undefined ? pending : { ...pending, startsAt: Math.min(pending.startsAt, moreSevere.startsAt) };
}

/** Returns the places of the alert with the other severities. */
function otherSeverities({ cluster, rule, severity, identity }: Incident): readonly string[] {
  const others = severities.filter((other) => other !== severity);
  return others.map((other) => identityKey(cluster, rule, other, identity));
}

/** Keys that incidents have taken over from others: the alert that such a key is made of needs another one. */
class UsedKeys {
  readonly #incidents: ReadonlyMap<string, Incident>;
  #keys: ReadonlySet<string> | undefined;

  constructor(incidents: ReadonlyMap<string, Incident>) {
    this.#incidents = incidents;
  }

  withUniqueKey(incident: Incident, digest: Digest): Incident {
    this.#keys ??= new Set([...this.#incidents.values()].map(({ key }) => key));
    if (!this.#keys.has(incident.key)) return incident;
    return { ...incident, key: digest.sha256(`${incident.place} ${incident.activeAt.wall}`) };
  }
}

function incidentCount({ incidents }: AlertingState, cluster: string): number {
  let count = 0;
  for (const episode of incidents.values()) if (episode.cluster === cluster) count += 1;
  return count;
}

/** How long, and how many, resolved incidents are kept for the API. */
const resolvedRetention = 3_600_000;
const maxResolvedIncidents = 500;

/** Returns the resolved incidents that the API shows, with those that ended now. */
export function recentlyResolved(
  { resolved }: AlertingState,
  ended: readonly Incident[],
  { wall }: Instant,
): AlertingState['resolved'] {
  const recent = resolved.filter(({ endsAt }) => wall - endsAt < resolvedRetention);
  if (ended.length === 0 && recent.length === resolved.length) return resolved;
  return [...recent, ...ended.map((episode) => ({ episode, endsAt: wall }))].slice(-maxResolvedIncidents);
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

interface InactiveContext {
  readonly evaluation: Evaluation;
  readonly incidents: ReadonlyMap<string, Incident>;
  readonly inhibitions: InhibitionIndex;
  readonly now: Instant;
}

/** It is no longer so; undefined where that is known, and has been so for long enough. */
function updateInactive(incident: Incident, context: InactiveContext): Incident | undefined {
  const { evaluation, inhibitions, now } = context;
  const keepFiring = evaluation.rules.get(incident.rule)?.keepFiringFor;
  // A rule that was switched off has nothing more to say.
  if (keepFiring === undefined) return undefined;
  if (!evaluation.isKnown(incident.rule, incident.identity)) return { ...incident, lastActiveAt: now };
  if (incident.phase === 'pending') return undefined;
  const isKept = now.mono - incident.lastActiveAt.mono < keepFiring || inhibitions.inhibitsResolve(incident);
  return isKept || isContinued(incident, context) ? incident : undefined;
}

/** Whether an alert goes on although its finding is over, because it is about to fire with another severity. */
function isContinued(incident: Incident, { evaluation: { active }, incidents }: InactiveContext): boolean {
  const isAboutToFire = (place: string): boolean => active.has(place) && incidents.get(place)?.phase === 'pending';
  return otherSeverities(incident).some(isAboutToFire);
}
