import type { Instant } from '../kernel/time.ts';
import { heartbeatRule, shortIncidentId } from '../model/alert.ts';
import type { Acknowledgement, AlertingInput, AlertingOutput } from './alerting.ts';
import { incidentUpsert, silenceDeletion, silenceUpsert } from './alerting-store.ts';
import type { AlertingState, Incident } from './incident.ts';
import { firingAlert, notifyAcknowledged } from './notifications.ts';
import { effectsByLead } from './roll-up.ts';

/** Result of a step of alerting. */
export interface AlertingResult {
  readonly state: AlertingState;
  readonly outputs: readonly AlertingOutput[];
}

/** An input that an operator caused. */
type OperatorInput = Extract<
  AlertingInput,
  { readonly kind: 'silence' | 'unsilence' | 'acknowledge' | 'unacknowledge' }
>;

interface ActionContext {
  readonly now: Instant;
  readonly externalUrl?: string;
}

/** Applies an action of an operator: a silence or an acknowledgement. */
export function applyOperatorAction(
  state: AlertingState,
  input: OperatorInput,
  context: ActionContext,
): AlertingResult {
  if (input.kind === 'acknowledge') return acknowledge(state, input.id, input.acknowledgement, context);
  if (input.kind === 'unacknowledge') return acknowledge(state, input.id, undefined, context);
  const silences = new Map(state.silences);
  if (input.kind === 'silence') {
    silences.set(input.silence.id, input.silence);
    return { state: { ...state, silences }, outputs: [{ kind: 'change', change: silenceUpsert(input.silence) }] };
  }
  silences.delete(input.id);
  return { state: { ...state, silences }, outputs: [{ kind: 'change', change: silenceDeletion(input.id) }] };
}

/** Acknowledges a firing incident, or withdraws its acknowledgement. The next evaluation sends a reminder that is due. */
function acknowledge(
  state: AlertingState,
  id: string,
  acknowledgement: Acknowledgement | undefined,
  context: ActionContext,
): AlertingResult {
  const known = firingIncident(state, id);
  if (known === undefined) return { state, outputs: [] };
  const { acknowledgement: _, ...incident } = known;
  const next = acknowledgement === undefined ? incident : { ...incident, acknowledgement };
  const change = acknowledgement === undefined ? 'unacknowledged' : 'acknowledged';
  const effects = effectsByLead(state.incidents.values()).get(next.identityKey) ?? [];
  const notices = notifyAcknowledged(next, change, { ...context, effects });
  return {
    state: { ...state, incidents: new Map(state.incidents).set(next.identityKey, next) },
    outputs: [
      ...notices.map((notification): AlertingOutput => ({ kind: 'notice', notification })),
      { kind: 'incident', alert: firingAlert(next, context.externalUrl) },
      { kind: 'change', change: incidentUpsert(next) },
    ],
  };
}

/** Returns the firing incident with this id. The heartbeat is no incident: without it, its receiver reports a failure. */
function firingIncident({ incidents }: AlertingState, id: string): Incident | undefined {
  return [...incidents.values()].find(
    ({ key, number, phase, rule }) =>
      phase === 'firing' && rule !== heartbeatRule && shortIncidentId({ key, episode: number }) === id,
  );
}
