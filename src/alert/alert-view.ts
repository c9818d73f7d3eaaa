import type { Instant } from '../kernel/time.ts';
import type { Severity } from '../model/alert.ts';
import type { Acknowledgement, Silence } from './alerting.ts';
import type { AlertingState, Incident, Suppression } from './incident.ts';

/** An alert as the API and the UI show it. Times are ms since the epoch. */
export interface AlertView {
  /** The hash that identifies the alert at receivers; all incidents of an alert share it. */
  readonly key: string;
  /** 0 while it is pending. */
  readonly episode: number;
  readonly rule: string;
  readonly severity: Severity;
  readonly phase: 'pending' | 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The known or estimated start time of the problem. */
  readonly startsAt: number;
  /** Absent until it is resolved. */
  readonly endsAt?: number;
  /** Since when the condition no longer holds, while the alert is kept firing. */
  readonly recoveringSince?: number;
  /** Why no notification is sent: the ID of the silence, the key of the inhibiting alert, or the maintenance window. */
  readonly silencedBy?: string;
  readonly inhibitedBy?: string;
  readonly maintenance?: string;
  /** Whether it was sent to no receiver, because its route has none or none is configured. */
  readonly unrouted?: boolean;
  readonly acknowledgement?: Acknowledgement;
}

/** Returns the recently resolved alerts, the newest last, followed by the pending and firing ones. */
export function alertViews(state: AlertingState): readonly AlertView[] {
  const hashes = new Map([...state.incidents.values()].map(({ identityKey, key }) => [identityKey, key]));
  return [
    ...state.resolved.map(({ incident, endsAt }) => ({ ...alertViewOf(incident), phase: 'resolved' as const, endsAt })),
    ...[...state.incidents.values()].map((incident) => ({
      ...alertViewOf(incident),
      ...suppressionFields(incident.suppression, hashes),
    })),
  ];
}

/** Returns the active and scheduled silences, ordered by their ends. */
export function unexpiredSilences(state: AlertingState, { wall }: Instant): readonly Silence[] {
  return [...state.silences.values()]
    .filter(({ endsAt }) => endsAt > wall)
    .toSorted((one, other) => one.endsAt - other.endsAt);
}

function alertViewOf(incident: Incident): AlertView {
  const { key, number, rule, severity, phase, labels, annotations, startsAt, acknowledgement } = incident;
  const alert = { key, episode: number, rule, severity, phase, labels, annotations, startsAt };
  return {
    ...alert,
    ...(incident.recoveringSince === undefined ? {} : { recoveringSince: incident.recoveringSince }),
    ...(incident.unrouted === true ? { unrouted: true } : {}),
    ...(acknowledgement === undefined ? {} : { acknowledgement }),
  };
}

function suppressionFields(held: Suppression | undefined, hashes: ReadonlyMap<string, string>): Partial<AlertView> {
  if (held === undefined) return {};
  if (held.kind === 'silence') return { silencedBy: held.id };
  return held.kind === 'maintenance' ? { maintenance: held.name } : { inhibitedBy: hashes.get(held.by) ?? '' };
}
