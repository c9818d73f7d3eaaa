import type { ReplicaId } from '../model/transition.ts';
import type { AlertingState, Incident } from './incident.ts';
import { isNotified } from './incident-content.ts';
import { InhibitionIndex } from './suppression.ts';

/** Identity of an incident, as receivers know it. */
export interface IncidentId {
  readonly key: string;
  readonly episode: number;
}

/** Incident that an outage of a service instance belongs to. */
export interface InstanceIncident extends IncidentId {
  readonly node?: string;
}

/** Lookups in the current state of alerting: see {@link includingIncident} and {@link incidentOfInstance}. */
export interface IncidentLookup {
  /** Returns the incident that includes an alert: itself, unless it is an effect. */
  includingIncident(id: IncidentId): IncidentId;
  /** Returns the firing incident to which an outage that started at `startsAt` belongs. */
  incidentOfInstance(replica: ReplicaId, startsAt: number): InstanceIncident | undefined;
}

/**
 * Returns the incident that includes an alert: that of its cause or of the alert that inhibits it, or else the alert
 * itself. Undefined if the alert is unknown.
 */
export function includingIncident(state: AlertingState, id: IncidentId): Incident | undefined {
  const index = indexOf(state);
  const found = index.byId.get(idKey(id));
  return found && rootOf(found, index);
}

/**
 * Returns the firing incident that an outage of a service instance belongs to: that of an alert about the instance, or
 * the one that would include such an alert. `startsAt` is the start of the outage, ms since the epoch.
 */
export function incidentOfInstance(state: AlertingState, replica: ReplicaId, startsAt: number): Incident | undefined {
  const { cluster, service, partition } = replica;
  const identity = { service_name: service, partition, replica: replica.replica };
  const index = indexOf(state);
  const found =
    index.byInstance.get(instanceKey(cluster, identity)) ??
    index.inhibitions.causeOf({ cluster, rule: 'service_not_online', identity, startsAt });
  return found && rootOf(found, index);
}

/**
 * Returns whether a firing alert is an incident of its own, rather than an effect or inhibited, or about to be an
 * effect.
 */
export function isIncident(alert: Incident): boolean {
  return includedBy(alert) === undefined && alert.suppression?.kind !== 'awaited_cause';
}

/** Index of the incidents of one state, because thousands of outages and alerts may begin in one step. */
interface IncidentIndex {
  readonly byId: ReadonlyMap<string, Incident>;
  /** Firing incidents, and for each other identity key the last resolved one. */
  readonly byIdentityKey: ReadonlyMap<string, Incident>;
  /** Firing alerts about a service instance. */
  readonly byInstance: ReadonlyMap<string, Incident>;
  readonly inhibitions: InhibitionIndex;
}

const indexes = new WeakMap<AlertingState, IncidentIndex>();

function indexOf(state: AlertingState): IncidentIndex {
  const known = indexes.get(state);
  if (known !== undefined) return known;
  const firing = [...state.incidents.values()].filter(({ phase }) => phase === 'firing');
  const all = [...state.resolved.map(({ incident }) => incident), ...firing];
  const aboutInstances = firing.filter(({ identity }) => 'replica' in identity);
  const index = {
    byId: new Map(all.map((one) => [idKey({ key: one.key, episode: one.number }), one])),
    byIdentityKey: new Map(all.map((one) => [one.identityKey, one])),
    byInstance: new Map(aboutInstances.map((one) => [instanceKey(one.cluster, one.identity), one])),
    inhibitions: new InhibitionIndex(firing),
  };
  indexes.set(state, index);
  return index;
}

function idKey({ key, episode }: IncidentId): string {
  return `${key}/${episode}`;
}

function instanceKey(cluster: string, { service_name: service, partition, replica }: Incident['identity']): string {
  return JSON.stringify([cluster, service, partition, replica]);
}

/** Follows an alert to its incident, each step once: an identity key may have had several incidents. */
function rootOf(incident: Incident, { byIdentityKey }: IncidentIndex): Incident {
  const chain = new Set([incident]);
  for (const one of chain) {
    const next = byIdentityKey.get(includedBy(one) ?? '');
    if (next !== undefined) chain.add(next);
  }
  return [...chain].at(-1) ?? incident;
}

/** The identity key of the alert that includes this one, or that inhibits it unless it is an incident that receivers know. */
function includedBy(incident: Incident): string | undefined {
  const { lead, suppression, updates } = incident;
  if (lead !== undefined || isNotified(incident) || updates?.formerCause !== undefined) return lead;
  return suppression?.kind === 'inhibition' ? suppression.by : undefined;
}
