import type { Instant, Millis } from '../kernel/time.ts';
import type { FormerCause, FormerLabels, Severity } from '../model/alert.ts';
import type { Acknowledgement, RecentEvent, Silence } from './alerting.ts';

/** Reason why no notifications are sent for a firing incident. */
export type Suppression =
  | { readonly kind: 'silence'; readonly id: string }
  | { readonly kind: 'maintenance'; readonly name: string }
  /** `by` is the identity key of the inhibiting alert. */
  | { readonly kind: 'inhibition'; readonly by: string }
  /** `by` is the identity key of the incident that includes the alert as an effect. */
  | { readonly kind: 'effect'; readonly by: string }
  /** `by` is the identity key of a pending alert that may be the cause; `since` is on the monotonic clock. */
  | { readonly kind: 'awaited_cause'; readonly by: string; readonly since: number };

/** Changes of an incident since it began, and which of them each receiver was notified of. */
export interface IncidentUpdates {
  /** Number of changes of severity, cause or effects. */
  readonly revision: number;
  /** The last revision with a higher severity. */
  readonly raised: number;
  /** The last revision with a higher severity, another cause or a new critical effect. */
  readonly urgent: number;
  /** The last revision by receiver; 0 if absent. */
  readonly sent: Readonly<Record<string, number>>;
  readonly formerCause?: FormerCause;
  readonly formerLabels: readonly FormerLabels[];
  /** Time of the first revision that is not sent yet, on the monotonic clock; not stored. */
  readonly changedAt?: number | undefined;
}

/** Content of a notification of an incident. */
export interface IncidentContent {
  /** The highest severity of the cause and its effects. */
  readonly severity: Severity;
  /** Identity keys of the effects. */
  readonly effects: readonly string[];
}

/** Incident of one rule and one set of labels, from the first finding until it resolves. */
export interface Incident {
  /** Identifies it among all active incidents: cluster, rule, severity and identity as text. */
  readonly identityKey: string;
  /** Hash of the identity key, by which receivers identify the alert. */
  readonly key: string;
  readonly cluster: string;
  readonly rule: string;
  readonly severity: Severity;
  /** All labels of the alert. */
  readonly labels: Readonly<Record<string, string>>;
  /** Labels of the finding only. */
  readonly identity: Readonly<Record<string, string>>;
  /** Facts of the latest finding. */
  readonly facts: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Facts from which the annotations were rendered, and when, on the monotonic clock; absent after a restart. Not stored. */
  readonly rendered?: { readonly facts: Readonly<Record<string, string>>; readonly at: number };
  readonly phase: 'pending' | 'firing';
  /** 0 while it is pending. */
  readonly number: number;
  /** Start time of the problem, ms since the epoch. */
  readonly startsAt: number;
  /** Time of the first finding. */
  readonly activeAt: Instant;
  /** How long the problem must last before the alert fires, from the latest finding. */
  readonly for: Millis;
  /** Time of a finding; without a finding, of the latest one: `keep_firing_for` counts from here. */
  readonly lastActiveAt: Instant;
  /**
   * Since when there is no finding although the incident is kept firing, ms since the epoch; absent with a finding. Not
   * stored.
   */
  readonly recoveringSince?: number;
  /** Receivers to notify immediately in addition to the routes, from the latest finding; not stored. */
  readonly receivers: readonly string[];
  /** Time of the last notification by receiver, ms since the epoch. */
  readonly notified: Readonly<Record<string, number>>;
  readonly suppression?: Suppression;
  /** Whether it was due and sent to no receiver, because its route has none or none is configured. Not stored. */
  readonly unrouted?: boolean;
  /** Ends with the incident, or when an operator withdraws it. */
  readonly acknowledgement?: Acknowledgement;
  /** Whether its pending notifications are withheld: the next ones go to all receivers again, which ignore what they know. */
  readonly isWithheld?: true;
  /** Receivers whose notifications stay withheld, because the routes did not lead to them when the suppression ended. */
  readonly withheldFrom?: readonly string[];
  /** When the inhibition ended, while its end is not final. */
  readonly uninhibitedSince?: Instant;
  /** Identity key of the incident that includes this alert as an effect. */
  readonly lead?: string;
  /** Time since which its notification waits for a pending cause, on the monotonic clock. */
  readonly waitingSince?: number;
  /**
   * Content of the next notification; absent if the incident never had effects. Not stored, because it follows from
   * them.
   */
  readonly content?: IncidentContent;
  /** Absent if nothing changed since it began. */
  readonly updates?: IncidentUpdates;
}

/** A resolved incident, kept for the API. */
export interface ResolvedIncident {
  readonly incident: Incident;
  /** ms since the epoch. */
  readonly endsAt: number;
}

/** Number of incidents of a rule in a cluster since the start. */
export interface IncidentCount {
  readonly cluster: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly count: number;
}

/** State of alerting. */
export interface AlertingState {
  /** By identity key. */
  readonly incidents: ReadonlyMap<string, Incident>;
  /** The newest last. */
  readonly resolved: readonly ResolvedIncident[];
  readonly silences: ReadonlyMap<string, Silence>;
  /** By cluster, rule and severity. */
  readonly counts: ReadonlyMap<string, IncidentCount>;
  /** The oldest first; not stored. */
  readonly recentEvents: readonly RecentEvent[];
  /** Time of the latest evaluation by cluster; not stored. */
  readonly evaluatedAt: ReadonlyMap<string, Instant>;
  /** The highest incident number so far. */
  readonly lastNumber: number;
}

/** State without incidents, silences and counts. */
export const emptyAlertingState: AlertingState = {
  incidents: new Map(),
  resolved: [],
  silences: new Map(),
  counts: new Map(),
  recentEvents: [],
  evaluatedAt: new Map(),
  lastNumber: 0,
};
