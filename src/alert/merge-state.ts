import type { StoreChange } from '../kernel/store.ts';
import type { Alert } from '../model/alert.ts';
import { incidentUpsert, lastNumberUpsert, silenceUpsert } from './alerting-store.ts';
import type { AlertingState } from './incident.ts';
import { firingAlert } from './notifications.ts';
import { effectsByLead } from './roll-up.ts';

/**
 * Adds incidents and silences that were read after the start. `before` is the state at the time of the read: an entry that it
 * contains and `current` lacks was deleted since. A current incident with the same identity key supersedes a stored one.
 */
export function mergeAlerting(current: AlertingState, stored: AlertingState, before: AlertingState): AlertingState {
  const incidents = new Map(current.incidents);
  for (const [key, incident] of stored.incidents) {
    const isKnown = before.incidents.get(key)?.number === incident.number;
    if (!isKnown && current.incidents.get(key)?.phase !== 'firing') incidents.set(key, incident);
  }
  const added = [...stored.silences].filter(([id]) => !before.silences.has(id));
  return {
    ...current,
    incidents,
    silences: new Map([...added, ...current.silences]),
    lastNumber: Math.max(current.lastNumber, stored.lastNumber),
  };
}

/** Returns the state without what is known of these clusters, because another replica owns them. */
export function withoutClusters(state: AlertingState, clusters: ReadonlySet<string>): AlertingState {
  const isKept = ({ cluster }: { readonly cluster: string }): boolean => !clusters.has(cluster);
  return {
    ...state,
    incidents: new Map([...state.incidents].filter(([, incident]) => isKept(incident))),
    resolved: state.resolved.filter(({ incident }) => isKept(incident)),
    counts: new Map([...state.counts].filter(([, count]) => isKept(count))),
    recentEvents: state.recentEvents.filter(isKept),
    evaluatedAt: new Map([...state.evaluatedAt].filter(([cluster]) => !clusters.has(cluster))),
  };
}

/** Returns the state with the stored incidents of these clusters, and with the stored silences. */
export function withStoredClusters(
  state: AlertingState,
  stored: AlertingState,
  clusters: ReadonlySet<string>,
): AlertingState {
  const own = [...stored.incidents].filter(([, { cluster }]) => clusters.has(cluster));
  return {
    ...state,
    incidents: new Map([...state.incidents, ...own]),
    silences: stored.silences,
    lastNumber: Math.max(state.lastNumber, stored.lastNumber),
  };
}

/** Returns the changes that store the whole state. */
export function alertingRows({ incidents, silences, lastNumber }: AlertingState): readonly StoreChange[] {
  const firing = [...incidents.values()].filter(({ phase }) => phase === 'firing');
  return [lastNumberUpsert(lastNumber), ...firing.map(incidentUpsert), ...[...silences.values()].map(silenceUpsert)];
}

/** Returns the firing alerts by key. */
export function firingAlerts({ incidents }: AlertingState, externalUrl?: string): ReadonlyMap<string, Alert> {
  const firing = [...incidents.values()].filter(({ phase }) => phase === 'firing');
  const effects = effectsByLead(firing);
  return new Map(firing.map((one) => [one.key, firingAlert(one, externalUrl, effects.get(one.identityKey))]));
}
