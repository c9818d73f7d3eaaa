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
import { isMoreSevere, isNotified } from './incident-content.ts';
import { byLevel, InhibitionIndex } from './suppression.ts';

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
  /** Whether more incidents are due to begin or to end than one step begins and ends. */
  readonly isUnfinished: boolean;
}

/** Of one cluster: a server that invents places without end shall not take our memory. What is critical always has room. */
const maxIncidentsPerCluster = 10_000;

/**
 * Most incidents of a cluster that begin, and that end, in one step: thousands at once would block the process. The next
 * step follows at once. Effects cost less, because receivers are not notified of them.
 */
export const maxChangesPerStep = { notified: 50, all: 1000 } as const;

/** Updates all incidents of a cluster: findings start or continue incidents, incidents without a finding end. */
export function updateIncidents(
  state: AlertingState,
  evaluation: Evaluation,
  digest: Digest,
  now: Instant,
): IncidentUpdate {
  const started = startOrContinue(state, evaluation, digest, now);
  const { incidents, droppedCount } = started;
  const isOwn = ({ cluster }: Incident) => cluster === evaluation.cluster;
  const { fired, lastNumber } = fire(started.due, [...incidents.values()].filter(isOwn), state.lastNumber, now);
  for (const one of fired) incidents.set(one.place, one);
  const own = [...incidents.values()].filter(isOwn);
  const inhibitions = new InhibitionIndex(own);
  const context = { evaluation, incidents, inhibitions, now };
  const ended: Incident[] = [];
  for (const incident of own) {
    if (evaluation.active.has(incident.place)) continue;
    const next = updateInactive(incident, context);
    if (next !== undefined) incidents.set(incident.place, next);
    else if (incident.phase === 'firing') ended.push(incident);
    else incidents.delete(incident.place);
  }
  // Effects end before their cause: it passes its incident to an effect that goes on.
  const resolved = withinLimits(
    ended.toSorted((one, other) => byLevel(other, one)),
    isNotified,
  );
  for (const { place } of resolved) incidents.delete(place);
  const isUnfinished = fired.length < started.due.length || resolved.length < ended.length;
  return { state: { ...state, incidents, lastNumber }, fired, resolved, inhibitions, droppedCount, isUnfinished };
}

/** Returns the first incidents, as many as one step begins or ends. */
function withinLimits(incidents: readonly Incident[], isCounted: (incident: Incident) => boolean): readonly Incident[] {
  let notified = 0;
  const end = incidents.findIndex((one, at) => {
    if (isCounted(one)) notified += 1;
    return notified > maxChangesPerStep.notified || at === maxChangesPerStep.all;
  });
  return end === -1 ? incidents : incidents.slice(0, end);
}

/** Lets pending incidents fire: the most severe first, and a cause before its effects. */
function fire(
  due: readonly Incident[],
  own: readonly Incident[],
  before: number,
  now: Instant,
): { readonly fired: readonly Incident[]; readonly lastNumber: number } {
  // No number comes twice, hardly where the store was lost: they follow the clock where that is ahead.
  const first = Math.max(before + 1, Math.floor(now.wall));
  const chosen = due.length > maxChangesPerStep.notified ? firstOf(due, own) : due;
  const fired = chosen.map((one, at): Incident => ({ ...one, phase: 'firing', number: first + at }));
  return { fired, lastNumber: fired.at(-1)?.number ?? before };
}

function firstOf(due: readonly Incident[], own: readonly Incident[]): readonly Incident[] {
  const index = new InhibitionIndex(own);
  const isExplained = (one: Incident) => (index.causeOf(one) ?? index.pendingCauseOf(one)) !== undefined;
  return withinLimits(due.toSorted(byUrgency), (one) => !isExplained(one));
}

function byUrgency(one: Incident, other: Incident): number {
  const rank = severities.indexOf(one.severity) - severities.indexOf(other.severity);
  return rank === 0 ? byLevel(one, other) : rank;
}

function startOrContinue(
  state: AlertingState,
  evaluation: Evaluation,
  digest: Digest,
  now: Instant,
): { readonly incidents: Map<string, Incident>; readonly due: readonly Incident[]; readonly droppedCount: number } {
  const incidents = new Map(state.incidents);
  const usedKeys = new UsedKeys(incidents);
  const due: Incident[] = [];
  let [followed, droppedCount] = [incidentCount(state, evaluation.cluster), 0];
  for (const [place, one] of evaluation.active) {
    const known = incidents.get(place);
    if (known === undefined && followed >= maxIncidentsPerCluster && severityOf(one) !== 'critical') {
      droppedCount += 1;
      continue;
    }
    if (known === undefined) followed += 1;
    const before = known ?? usedKeys.withUniqueKey(begun(one, incidents, digest, now), digest);
    const { facts, receivers = [] } = one.verdict;
    const seen = { ...before, facts, receivers, for: pendingPeriod(one), lastActiveAt: now };
    incidents.set(place, seen);
    if (isDue(seen, one, evaluation, now)) due.push(seen);
  }
  return { incidents, due, droppedCount };
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

/** Whether a pending incident fires: it has lasted long enough, and its facts are not stale. */
function isDue(incident: Incident, one: ActiveAlert, evaluation: Evaluation, now: Instant): boolean {
  if (incident.phase === 'firing') return false;
  return evaluation.isKnown(incident.rule, incident.identity) && isPendingPeriodOver(incident, one, now);
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
