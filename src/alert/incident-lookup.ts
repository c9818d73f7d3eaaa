import type { ReplicaId } from '../model/transition.ts';
import type { AlertingState, Incident } from './incident.ts';
import { InhibitionIndex } from './suppression.ts';

/** Identity of an incident, as receivers know it. */
export interface IncidentId {
  readonly key: string;
  readonly episode: number;
}

/** Returns the incident that includes an alert, which is itself unless it is an effect; undefined if it is unknown. */
export function includingIncident(state: AlertingState, { key, episode }: IncidentId): Incident | undefined {
  const isSame = (one: Incident): boolean => one.key === key && one.number === episode;
  const found = [...state.incidents.values()].find(isSame) ?? resolvedOf(state).find(isSame);
  return found && rootOf(found, state);
}

/**
 * Returns the firing incident that an outage of a service instance belongs to: that of an alert about the instance, or
 * the one that would include such an alert. `startsAt` is the start of the outage, ms since the epoch.
 */
export function incidentOfInstance(
  state: AlertingState,
  { cluster, service, partition, replica }: ReplicaId,
  startsAt: number,
): Incident | undefined {
  const { byInstance, index } = firingIncidents(state, cluster);
  const identity = { service_name: service, partition, replica };
  const found =
    byInstance.get(instanceKey(identity)) ?? index.causeOf({ cluster, rule: 'service_not_online', identity, startsAt });
  return found && rootOf(found, state);
}

/** Firing incidents of one cluster. */
interface FiringIncidents {
  readonly byInstance: ReadonlyMap<string, Incident>;
  readonly index: InhibitionIndex;
}

const known = new WeakMap<AlertingState, Map<string, FiringIncidents>>();

/** Thousands of outages may begin in one step, which all search the same state. */
function firingIncidents(state: AlertingState, cluster: string): FiringIncidents {
  const ofState = known.get(state) ?? new Map<string, FiringIncidents>();
  known.set(state, ofState);
  const cached = ofState.get(cluster);
  if (cached !== undefined) return cached;
  const firing = [...state.incidents.values()].filter((one) => one.phase === 'firing' && one.cluster === cluster);
  const about = firing.filter(({ identity }) => 'replica' in identity);
  const found = {
    byInstance: new Map(about.map((one) => [instanceKey(one.identity), one])),
    index: new InhibitionIndex(firing),
  };
  ofState.set(cluster, found);
  return found;
}

function instanceKey({ service_name: service, partition, replica }: Incident['identity']): string {
  return JSON.stringify([service, partition, replica]);
}

/** The newest first: a place may have had several incidents. */
function resolvedOf({ resolved }: AlertingState): readonly Incident[] {
  return resolved.map(({ episode }) => episode).toReversed();
}

function rootOf(incident: Incident, state: AlertingState): Incident {
  const { lead } = incident;
  if (lead === undefined) return incident;
  const root = state.incidents.get(lead) ?? resolvedOf(state).find(({ place }) => place === lead);
  return root === undefined || root === incident ? incident : rootOf(root, state);
}
