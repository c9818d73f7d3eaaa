import type { Instant } from '../kernel/time.ts';
import type { AlertingOutput, AlertingSettings } from './alerting.ts';
import { incidentUpsert } from './alerting-store.ts';
import type { AlertingState, Incident, Suppression } from './incident.ts';
import { isNotified } from './incident-content.ts';
import { mutedIncidents } from './muting.ts';
import { firingAlert } from './notifications.ts';
import type { AlertingResult } from './operator-actions.ts';
import { effectsByLead } from './roll-up.ts';

/** Inputs of {@link withhold}. */
interface WithholdContext {
  readonly effects: readonly Incident[];
  /** Incidents of all clusters. */
  readonly incidents: AlertingState['incidents'];
  readonly muted: ReadonlyMap<string, Suppression>;
  readonly externalUrl?: string;
  readonly now: Instant;
}

/**
 * Withholds the notifications of a suppressed incident that no receiver has accepted yet: adds the output to `outputs` and
 * returns the incident. An effect is withheld once its receivers are notified of the incident that includes it, and a page
 * about a critical effect that is not muted is sent even if the cause is.
 */
export function withhold(
  incident: Incident,
  suppression: Suppression,
  { effects, incidents, muted, externalUrl, now }: WithholdContext,
  outputs: AlertingOutput[],
): Incident {
  if (suppression.kind === 'awaited_cause') return incident;
  if (suppression.kind === 'effect' && !isReportedBy(incidents.get(suppression.by), incident, muted)) return incident;
  // An alert that ends in this evaluation may have passed its incident on to this one.
  if (suppression.kind === 'inhibition' && !incidents.has(suppression.by)) return incident;
  if (incident.isWithheld === true || !isNotified(incident) || hasUnmutedPage(effects, muted)) return incident;
  const alert = firingAlert(incident, externalUrl, effects);
  outputs.push({ kind: 'notice', notification: { kind: 'suppress', alert, due: now.wall } });
  return { ...incident, isWithheld: true };
}

/** Returns whether all receivers of an effect are notified of the incident that includes it. */
function isReportedBy(lead: Incident | undefined, effect: Incident, muted: WithholdContext['muted']): boolean {
  if (lead === undefined || lead.isWithheld === true || muted.has(lead.identityKey)) return false;
  return Object.keys(effect.notified).every((receiver) => Object.hasOwn(lead.notified, receiver));
}

/** Returns whether an incident includes a critical effect that no silence, maintenance window or inhibition mutes. */
export function hasUnmutedPage(effects: readonly Incident[], muted: WithholdContext['muted']): boolean {
  return effects.some(({ severity, identityKey }) => severity === 'critical' && !muted.has(identityKey));
}

/**
 * Withholds the notifications of all incidents that a silence, a maintenance window or a configured inhibition mutes. The
 * delivery does not wait for an evaluation, so this comes first after a restart and with a new silence.
 */
export function withholdMuted(
  state: AlertingState,
  { maintenance, inhibitRules = [] }: Pick<AlertingSettings, 'maintenance' | 'inhibitRules'>,
  { externalUrl, now }: { readonly externalUrl?: string; readonly now: Instant },
): AlertingResult {
  const firing = [...state.incidents.values()].filter(({ phase }) => phase === 'firing');
  const { silences, incidents } = state;
  const muted = mutedIncidents(firing, { silences, maintenance, inhibitRules, incidents, now });
  if (muted.size === 0) return { state, outputs: [] };
  const outputs: AlertingOutput[] = [];
  const leads = effectsByLead(firing);
  const next = new Map(incidents);
  for (const one of firing) {
    const suppression = muted.get(one.identityKey);
    if (suppression === undefined) continue;
    const effects = leads.get(one.identityKey) ?? [];
    const context = { effects, incidents, muted, now, ...(externalUrl && { externalUrl }) };
    const withheld = withhold(one, suppression, context, outputs);
    if (withheld === one) continue;
    next.set(one.identityKey, withheld);
    outputs.push({ kind: 'change', change: incidentUpsert(withheld) });
  }
  return { state: { ...state, incidents: next }, outputs };
}
