import type { Digest } from '../kernel/system.ts';
import type { Instant } from '../kernel/time.ts';
import { severities } from '../model/alert.ts';
import {
  type ActiveAlert,
  identityKeyOf,
  isPendingPeriodOver,
  pendingIncident,
  pendingPeriod,
  severityOf,
} from './active-alert.ts';
import type { Evaluation } from './evaluation.ts';
import type { AlertingState, Incident } from './incident.ts';
import { isMoreSevere, isNotified, isSameLabels } from './incident-content.ts';
import { withConfiguredLabels } from './incident-labels.ts';
import { byLevel, InhibitionIndex } from './suppression.ts';

/** Result of updating the incidents of one cluster. */
export interface IncidentUpdate {
  readonly state: AlertingState;
  /** The incidents of `state`, which may be changed before it is used. */
  readonly incidents: Map<string, Incident>;
  /** Incidents that started to fire. */
  readonly fired: readonly Incident[];
  /** Firing incidents that ended. */
  readonly resolved: readonly Incident[];
  /** Inhibitions by the current alerts. */
  readonly inhibitions: InhibitionIndex;
  /** Number of findings that exceed the limit of incidents. */
  readonly droppedCount: number;
  /** Whether one step cannot begin or end all incidents that are due. */
  readonly isUnfinished: boolean;
}

/** Maximum number of incidents of one cluster, which bounds the memory. Critical findings are exempt. */
const maxIncidentsPerCluster = 10_000;

/**
 * Most incidents of a cluster that become pending, that fire, and that end, in one step: thousands at once would block the
 * process. The next step follows at once. Effects cost less, because receivers are not notified of them.
 */
export const maxChangesPerStep = { notified: 50, all: 250 } as const;

/** Updates all incidents of a cluster: findings start or continue incidents, incidents without a finding end. */
export function updateIncidents(
  state: AlertingState,
  evaluation: Evaluation,
  digest: Digest,
  now: Instant,
): IncidentUpdate {
  const known = { ...state, incidents: withConfiguredLabels(state.incidents, evaluation, now) };
  const started = startOrContinue(known, evaluation, digest, now);
  const { incidents, droppedCount } = started;
  const isOwn = ({ cluster }: Incident) => cluster === evaluation.cluster;
  const { fired, lastNumber } = fire(started.due, [...incidents.values()].filter(isOwn), state.lastNumber, now);
  for (const one of fired) incidents.set(one.identityKey, one);
  const own = [...incidents.values()].filter(isOwn);
  const inhibitions = new InhibitionIndex(own);
  const context = { evaluation, incidents, inhibitions, before: state.evaluatedAt.get(evaluation.cluster), now };
  const ended: Incident[] = [];
  for (const incident of own) {
    if (evaluation.active.has(incident.identityKey)) continue;
    const next = updateInactive(incident, context);
    if (next === incident) continue;
    if (next !== undefined) incidents.set(incident.identityKey, next);
    else if (incident.phase === 'firing') ended.push(incident);
    else incidents.delete(incident.identityKey);
  }
  // Effects end before their cause, because a cause passes its incident to an effect that still fires.
  const resolved = withinLimits(
    ended.toSorted((one, other) => byLevel(other, one)),
    isNotified,
  );
  for (const { identityKey } of resolved) incidents.delete(identityKey);
  const isUnfinished = started.isUnfinished || fired.length < started.due.length || resolved.length < ended.length;
  const evaluatedAt = new Map(state.evaluatedAt).set(evaluation.cluster, now);
  const next = { ...state, incidents, lastNumber, evaluatedAt };
  return { state: next, incidents, fired, resolved, inhibitions, droppedCount, isUnfinished };
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

/** Moves pending incidents to firing: the most severe first, and a cause before its effects. */
function fire(
  due: readonly Incident[],
  own: readonly Incident[],
  before: number,
  now: Instant,
): { readonly fired: readonly Incident[]; readonly lastNumber: number } {
  // Numbers are unique. They follow the clock if it is ahead, so that they rarely repeat even if the store is lost.
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

function byUrgency(one: Pick<Incident, 'rule' | 'severity'>, other: typeof one): number {
  const rank = severities.indexOf(one.severity) - severities.indexOf(other.severity);
  return rank === 0 ? byLevel(one, other) : rank;
}

interface StartedIncidents extends Pick<IncidentUpdate, 'incidents' | 'droppedCount' | 'isUnfinished'> {
  readonly due: readonly Incident[];
}

function urgencyOf(one: ActiveAlert): Pick<Incident, 'rule' | 'severity'> {
  return { rule: one.rule.name, severity: severityOf(one) };
}

/** Returns the findings in the order in which their incidents start, if one step may not start all of them. */
function inStartOrder(
  active: Evaluation['active'],
  incidents: ReadonlyMap<string, Incident>,
): Iterable<readonly [string, ActiveAlert]> {
  if (active.size <= maxChangesPerStep.all) return active;
  const added = Array.from(active).filter(([key]) => !incidents.has(key));
  if (added.length <= maxChangesPerStep.all) return active;
  const ranked = added.map((entry) => ({ entry, urgency: urgencyOf(entry[1]) }));
  return [
    ...[...active].filter(([key]) => incidents.has(key)),
    ...ranked.toSorted((one, other) => byUrgency(one.urgency, other.urgency)).map(({ entry }) => entry),
  ];
}

function startOrContinue(state: AlertingState, evaluation: Evaluation, digest: Digest, now: Instant): StartedIncidents {
  const incidents = new Map(state.incidents);
  const usedKeys = new UsedKeys(incidents);
  const due: Incident[] = [];
  const first = incidentCount(state, evaluation.cluster);
  let [started, droppedCount, isUnfinished] = [0, 0, false];
  for (const [key, one] of inStartOrder(evaluation.active, incidents)) {
    const known = incidents.get(key);
    if (known === undefined) {
      const isDropped = first + started >= maxIncidentsPerCluster && severityOf(one) !== 'critical';
      if (isDropped) droppedCount += 1;
      else if (started === maxChangesPerStep.all) isUnfinished = true;
      else started += 1;
      if (isDropped || isUnfinished) continue;
    }
    const before = known ?? usedKeys.withUniqueKey(begun(one, incidents, digest, now), digest);
    const seen = withFinding(before, one, now);
    if (seen !== known) incidents.set(key, seen);
    if (isDue(seen, one, evaluation, now)) due.push(seen);
  }
  return { incidents, due, droppedCount, isUnfinished };
}

/** Returns an incident with its present finding; the same object if the finding says nothing new. */
function withFinding(incident: Incident, one: ActiveAlert, now: Instant): Incident {
  const { facts, receivers = noReceivers } = one.finding;
  const isSame =
    incident.recoveringSince === undefined &&
    incident.for === pendingPeriod(one) &&
    isSameLabels(incident.facts, facts) &&
    isSameList(incident.receivers, receivers);
  if (isSame) return incident;
  const { recoveringSince: _, ...kept } = incident;
  return { ...kept, facts, receivers, for: pendingPeriod(one), lastActiveAt: now };
}

const noReceivers: readonly string[] = [];

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

/** Returns the pending incident of a new finding. Another severity of a problem has lasted as long as the problem. */
function begun(one: ActiveAlert, incidents: ReadonlyMap<string, Incident>, digest: Digest, now: Instant): Incident {
  const pending = pendingIncident(one, digest, now);
  const moreSevere = otherSeverities(pending)
    .map((key) => incidents.get(key))
    .find((other) => other?.phase === 'firing' && isMoreSevere(other.severity, pending.severity));
  return moreSevere === undefined ? pending : { ...pending, startsAt: Math.min(pending.startsAt, moreSevere.startsAt) };
}

/** Returns the identity keys of the alert with the other severities. */
function otherSeverities({ cluster, rule, severity, identity }: Incident): readonly string[] {
  const others = severities.filter((other) => other !== severity);
  return others.map((other) => identityKeyOf(cluster, rule, other, identity));
}

/** Keys that incidents took over from others. A new incident whose own key is in use gets another one. */
class UsedKeys {
  readonly #incidents: ReadonlyMap<string, Incident>;
  #keys: ReadonlySet<string> | undefined;

  constructor(incidents: ReadonlyMap<string, Incident>) {
    this.#incidents = incidents;
  }

  withUniqueKey(incident: Incident, digest: Digest): Incident {
    this.#keys ??= new Set([...this.#incidents.values()].map(({ key }) => key));
    if (!this.#keys.has(incident.key)) return incident;
    return { ...incident, key: digest.sha256(`${incident.identityKey} ${incident.activeAt.wall}`) };
  }
}

function incidentCount({ incidents }: AlertingState, cluster: string): number {
  let count = 0;
  for (const incident of incidents.values()) if (incident.cluster === cluster) count += 1;
  return count;
}

/** Retention and maximum number of resolved incidents for the API. */
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
  return [...recent, ...ended.map((incident) => ({ incident, endsAt: wall }))].slice(-maxResolvedIncidents);
}

/** Returns whether a pending incident fires: it has lasted long enough, and its facts are not stale. */
function isDue(incident: Incident, one: ActiveAlert, evaluation: Evaluation, now: Instant): boolean {
  if (incident.phase === 'firing') return false;
  return evaluation.isKnown(incident.rule, incident.identity) && isPendingPeriodOver(incident, one, now);
}

interface InactiveContext {
  readonly evaluation: Evaluation;
  readonly incidents: ReadonlyMap<string, Incident>;
  readonly inhibitions: InhibitionIndex;
  /** Time of the evaluation before. */
  readonly before: Instant | undefined;
  readonly now: Instant;
}

/** Updates an incident without a finding; undefined if it ends. */
function updateInactive(known: Incident, context: InactiveContext): Incident | undefined {
  const { evaluation, inhibitions, now } = context;
  const incident = withLastFinding(known, context);
  const keepFiring = evaluation.rules.get(incident.rule)?.keepFiringFor;
  // The incidents of a disabled rule end.
  if (keepFiring === undefined) return undefined;
  if (!evaluation.isKnown(incident.rule, incident.identity)) {
    // Until its facts are fresh, it counts as active.
    return known.recoveringSince === undefined ? known : { ...known, lastActiveAt: now };
  }
  if (incident.phase === 'pending') return undefined;
  const isKept = now.mono - incident.lastActiveAt.mono < keepFiring || inhibitions.inhibitsResolve(incident);
  if (!isKept && !isContinued(incident, context)) return undefined;
  return incident.recoveringSince === undefined ? { ...incident, recoveringSince: now.wall } : incident;
}

/** Returns an incident with the time of its latest finding: if it had one in the evaluation before, the time of that. */
function withLastFinding(incident: Incident, { before }: Pick<InactiveContext, 'before'>): Incident {
  const isKnown = incident.recoveringSince !== undefined || before === undefined;
  return isKnown || before.mono <= incident.lastActiveAt.mono ? incident : { ...incident, lastActiveAt: before };
}

/** Returns whether an alert continues without a finding, because it is about to fire with another severity. */
function isContinued(incident: Incident, { evaluation: { active }, incidents }: InactiveContext): boolean {
  const isAboutToFire = (key: string): boolean => active.has(key) && incidents.get(key)?.phase === 'pending';
  return otherSeverities(incident).some(isAboutToFire);
}
