import type { Instant, Millis } from '../kernel/time.ts';
import { remainingPeriod } from './active-alert.ts';
import type { Incident } from './incident.ts';
import {
  bySeverity,
  changed,
  isMoreSevere,
  isNotified,
  notifiedLabels,
  notifiedSeverity,
  updatesOf,
  withContent,
  withEndedLabels,
  withFormerLabels,
} from './incident-content.ts';
import { byLevel, type InhibitionIndex } from './suppression.ts';

/** Effects by the identity key of the incident that includes them. */
export type EffectsByLead = ReadonlyMap<string, readonly Incident[]>;

/** Inputs of {@link rollUp}. */
export interface RollUpContext {
  readonly inhibitions: InhibitionIndex;
  /** Whether a silence or a maintenance window mutes an incident. */
  readonly isMuted: (incident: Incident) => boolean;
  readonly now: Instant;
}

/** Longest time for which a page waits for a pending cause. */
const longestWait: Millis = 15_000;

/** Returns the firing incidents that are effects, by the incident that includes them. */
export function effectsByLead(incidents: Iterable<Incident>): EffectsByLead {
  const groups = new Map<string, Incident[]>();
  for (const incident of incidents) {
    if (incident.lead === undefined || incident.phase !== 'firing') continue;
    const known = groups.get(incident.lead);
    if (known === undefined) groups.set(incident.lead, [incident]);
    else known.push(incident);
  }
  return groups;
}

/**
 * Includes firing alerts in the incident of their cause, permanently: an effect that outlives its cause stays in the
 * incident. If receivers know the effect already, the cause continues the incident of the effect. Changes `incidents`,
 * which contains the firing incidents of one cluster, and returns the effects.
 */
export function rollUp(
  incidents: Map<string, Incident>,
  firing: readonly Incident[],
  context: RollUpContext,
): EffectsByLead {
  const siblings = new SeveritySiblings(firing);
  for (const { identityKey } of firing.filter((one) => !isEffect(incidents, one)).toSorted(byLevel)) {
    const one = incidents.get(identityKey);
    const root = one && rootOf(one, incidents, siblings, context);
    if (one !== undefined && root !== undefined) includeIn(root, one, incidents, context.now);
  }
  for (const { identityKey } of firing) repoint(identityKey, incidents);
  const current = firing.map(({ identityKey }) => incidents.get(identityKey)).filter((one) => one !== undefined);
  const effects = effectsByLead(current);
  for (const lead of current) {
    if (lead.lead !== undefined) {
      if (lead.updates !== undefined) incidents.set(lead.identityKey, withEndedLabels(lead, current, context.now));
      continue;
    }
    const counted = (effects.get(lead.identityKey) ?? []).filter((effect) => !context.isMuted(effect));
    if (counted.length > 0 || lead.content !== undefined)
      incidents.set(lead.identityKey, withContent(lead, counted, context.now));
  }
  return effects;
}

/** Inputs of {@link passOn}. `inhibitions` may contain alerts that ended. */
export interface PassOnContext {
  readonly inhibitions: InhibitionIndex;
  readonly now: Instant;
  readonly hasReceivers: boolean;
}

/**
 * Passes the incident of a cause that ended to the most severe effect that still fires; the other effects stay in it. An
 * effect that has another cause moves to the incident of that one instead. An incident of which no receiver was notified
 * ends, unless no receiver is configured: its effects become separate incidents. Returns the ended cause; if its incident
 * continues, the cause becomes an effect of it without notified receivers.
 */
export function passOn(
  incidents: Map<string, Incident>,
  ended: Incident,
  effects: readonly Incident[],
  { inhibitions, now: { wall, mono }, hasReceivers }: PassOnContext,
): Incident {
  const hasOtherCause = (effect: Incident): boolean => {
    const isOther = ({ identityKey }: Incident): boolean => {
      const cause = incidents.get(identityKey);
      if (cause?.phase !== 'firing') return false;
      return cause.lead !== ended.identityKey || isNotified(cause) || hasOtherCause(cause);
    };
    return inhibitions.causeOf(effect, isOther) !== undefined;
  };
  const continuing = effects.filter((effect) => !isNotified(effect) && !hasOtherCause(effect));
  const [successor, ...others] = continuing.toSorted(bySeverity);
  if (successor === undefined || (hasReceivers && !isNotified(ended))) return ended;
  const { lead: _, ...own } = successor;
  const { rule, annotations, startsAt } = ended;
  const cause = { rule, summary: annotations.summary ?? '', startsAt, endsAt: wall };
  const content = ended.content && { ...ended.content, effects: [successor.identityKey, ...ended.content.effects] };
  const next = { ...withDeliveryOf(own, ended), ...(content && { content }) };
  const former = { labels: notifiedLabels(ended), endsAt: wall };
  const updates = withFormerLabels(updatesOf(ended), former, notifiedLabels(next));
  const formerCause = ended.updates?.formerCause ?? cause;
  incidents.set(successor.identityKey, { ...next, updates: changed({ ...updates, formerCause }, 'change', mono) });
  for (const other of others) incidents.set(other.identityKey, { ...other, lead: successor.identityKey });
  return { ...withDeliveryOf(ended, successor), lead: successor.identityKey };
}

/** Returns a pending cause of an incident that no receiver knows yet, if the incident may wait for it. */
export function awaitedCause(
  one: Incident,
  effects: readonly Incident[],
  { inhibitions, isMuted, now }: RollUpContext,
): { readonly by: string; readonly since: number } | undefined {
  if (isNotified(one)) return undefined;
  const isNear = (cause: Incident) => !isMuted(cause) && remainingPeriod(cause, now) <= longestWait;
  const cause = inhibitions.pendingCauseOf(one, isNear);
  if (cause === undefined) return undefined;
  const since = Math.min(now.mono, ...[one, ...effects].map(({ waitingSince = now.mono }) => waitingSince));
  return now.mono - since >= longestWait ? undefined : { by: cause.identityKey, since };
}

function rootOf(
  one: Incident,
  incidents: ReadonlyMap<string, Incident>,
  siblings: SeveritySiblings,
  { inhibitions, isMuted }: RollUpContext,
): Incident | undefined {
  const find = (key: string | undefined) => (key === undefined ? undefined : incidents.get(rootKey(key, incidents)));
  // A critical alert must not become an effect of a silenced incident, because no receiver would be notified of it.
  const isUsable = (cause: Incident) => {
    const root = find(cause.identityKey);
    return (
      root !== undefined && root.identityKey !== one.identityKey && (one.severity !== 'critical' || !isMuted(root))
    );
  };
  const cause = siblings.moreSevere(one, isUsable) ?? inhibitions.causeOf(one, isUsable);
  return find(cause?.identityKey);
}

function includeIn(root: Incident, one: Incident, incidents: Map<string, Incident>, now: Instant): void {
  if (!isNotified(one) || isNotified(root)) {
    incidents.set(one.identityKey, { ...one, lead: root.identityKey });
    return;
  }
  const isRaised = isMoreSevere(notifiedSeverity(root), notifiedSeverity(one));
  const severity = notifiedSeverity(isRaised ? root : one);
  const next = { ...withDeliveryOf(root, one), content: { severity, effects: one.content?.effects ?? [] } };
  const former = withFormerLabels(updatesOf(one), { labels: notifiedLabels(one) }, notifiedLabels(next));
  incidents.set(root.identityKey, { ...next, updates: changed(former, isRaised ? 'raised' : 'urgent', now.mono) });
  const { content: _, ...rest } = one;
  incidents.set(one.identityKey, { ...withDeliveryOf(rest, root), lead: root.identityKey });
}

/** Moves the part of an incident that receivers know. It stays when the cause of the incident changes. */
function withDeliveryOf(known: Incident, from: Incident): Incident {
  const { acknowledgement: _, isWithheld: __, withheldFrom: ___, ...incident } = known;
  const { key, number, notified, acknowledgement, isWithheld, withheldFrom } = from;
  const withheld = { ...(isWithheld && { isWithheld }), ...(withheldFrom && { withheldFrom }) };
  const optional = { ...(acknowledgement && { acknowledgement }), ...withheld };
  return { ...incident, ...optional, key, number, notified, updates: updatesOf(from) };
}

function isEffect(incidents: ReadonlyMap<string, Incident>, { lead }: Incident): boolean {
  return lead !== undefined && incidents.get(lead)?.phase === 'firing';
}

function rootKey(key: string, incidents: ReadonlyMap<string, Incident>): string {
  const lead = incidents.get(key)?.lead;
  return lead === undefined || incidents.get(lead)?.phase !== 'firing' ? key : rootKey(lead, incidents);
}

/** Updates the lead of an effect to the incident that now includes its cause. */
function repoint(key: string, incidents: Map<string, Incident>): void {
  const one = incidents.get(key);
  if (one?.lead === undefined) return;
  const root = rootKey(key, incidents);
  if (root === one.lead) return;
  const { lead: _, ...alone } = one;
  incidents.set(key, root === key ? alone : { ...one, lead: root });
}

/** Index of firing alerts that have several severities: the more severe one includes the other. */
class SeveritySiblings {
  readonly #byProblem = new Map<string, Incident[]>();

  constructor(firing: readonly Incident[]) {
    const byRule = Map.groupBy(firing, ({ rule }) => rule);
    for (const alerts of byRule.values()) {
      if (alerts.every(({ severity }) => severity === alerts[0]?.severity)) continue;
      for (const alert of alerts) {
        const known = this.#byProblem.get(problemKey(alert)) ?? [];
        this.#byProblem.set(problemKey(alert), [...known, alert]);
      }
    }
  }

  moreSevere(one: Incident, isUsable: (other: Incident) => boolean): Incident | undefined {
    if (this.#byProblem.size === 0) return undefined;
    const siblings = this.#byProblem.get(problemKey(one)) ?? [];
    return siblings.find((other) => isMoreSevere(other.severity, one.severity) && isUsable(other));
  }
}

function problemKey({ rule, identity }: Incident): string {
  return JSON.stringify([rule, ...Object.entries(identity).toSorted(([one], [other]) => (one < other ? -1 : 1))]);
}
