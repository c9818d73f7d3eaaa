import type { Millis } from '../kernel/time.ts';

/** Severities, most severe first. */
export const severities = ['critical', 'warning', 'info'] as const;

/** One of {@link severities}. */
export type Severity = (typeof severities)[number];

/** An alert that an incident includes because the cause of the incident explains it. */
export interface AlertEffect {
  readonly rule: string;
  readonly severity: Severity;
  readonly summary: string;
  /** ms since the epoch. */
  readonly startsAt: number;
}

/** The effects of an incident. */
export interface AlertEffects {
  /** Number of all firing effects. */
  readonly count: number;
  /** The most severe effects, the oldest first within a severity; at most 20. */
  readonly listed: readonly AlertEffect[];
}

/** A cause that led the incident and ended while effects of it still fire. Times are ms since the epoch. */
export interface FormerCause {
  readonly rule: string;
  readonly summary: string;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Labels of the incident before its severity or cause changed; `endsAt` is absent while they still apply. */
export interface FormerLabels {
  readonly labels: Readonly<Record<string, string>>;
  /** ms since the epoch. */
  readonly endsAt?: number;
}

/**
 * Alert as receivers get it. `key` identifies the alert (hash of cluster, rule and identity) and is the same in each of
 * its incidents; key and `episode` together identify one incident.
 */
export interface Alert {
  readonly key: string;
  readonly episode: number;
  readonly rule: string;
  readonly severity: Severity;
  /**
   * Identity: `alertname`, `severity`, `cluster_name` and the labels that distinguish alerts of a rule. Changes within an
   * incident only together with its severity or its cause.
   */
  readonly labels: Readonly<Record<string, string>>;
  /** `summary`, `description`, `runbook_url`, `dashboard_url`, `episode`, `started`. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly status: 'firing' | 'resolved';
  /** ms since the epoch. */
  readonly startsAt: number;
  /** Absent while the alert fires. */
  readonly endsAt?: number;
  readonly generatorUrl: string;
  /** Number of changes of severity, cause or effects since the incident began; absent before the first. */
  readonly revision?: number;
  /** Alerts that the cause explains: labels, summary and description are those of the cause. Absent without effects. */
  readonly effects?: AlertEffects;
  /** The cause before the present one, which is an effect of it that outlives it. */
  readonly formerCause?: FormerCause;
  /** For receivers that identify alerts by their labels, such as Alertmanager; absent while the labels never changed. */
  readonly formerLabels?: readonly FormerLabels[];
}

/** Returns the cluster that an alert is about; `''` for one about graphwarden itself. */
export function clusterOfAlert({ labels }: Pick<Alert, 'labels'>): string {
  return labels.cluster_name ?? '';
}

/** Changes of an acknowledgement: an operator acknowledges an incident, or withdraws the acknowledgement. */
export const acknowledgementChanges = ['acknowledged', 'unacknowledged'] as const;

/** One of {@link acknowledgementChanges}. */
export type AcknowledgementChange = (typeof acknowledgementChanges)[number];

/**
 * Returns the id of an incident for operators: in texts, in links and in the API. The number alone is unique until the
 * state is lost; the beginning of the key distinguishes incidents after that.
 */
export function shortIncidentId({ key, episode }: Pick<Alert, 'key' | 'episode'>): string {
  return `${key.slice(0, 12)}-${episode}`;
}

/** The rule whose alert always fires and serves as heartbeat. */
export const heartbeatRule = 'watchdog';

/** Receiver of a notice and its delivery options. */
export interface Destination {
  readonly receiver: string;
  /** Values of the route's `group_by` labels; alerts with the same values share a notification. */
  readonly group: Readonly<Record<string, string>>;
  readonly groupWait: Millis;
  /** How long a new alert of a notified group waits at most; absent: as long as `groupWait`. */
  readonly groupInterval?: Millis;
  /** Receiver that gets the notification if `receiver` fails. */
  readonly fallback?: string;
}

/** Notice from alerting to the notification queues. */
export type AlertNotification =
  /** An incident starts or changes, or its reminder is due: an update or a reminder never opens a new incident. */
  | {
      readonly kind: 'trigger';
      readonly alert: Alert;
      readonly isReminder: boolean;
      /** Severity, cause or effects changed since the last notification. */
      readonly isUpdate?: true;
      readonly to: readonly Destination[];
      /** When the condition was confirmed, ms since the epoch; the start of the notification latency. */
      readonly due: number;
    }
  /** The acknowledgement of an open incident changed: sent to the receivers that may have accepted its trigger. */
  | {
      readonly kind: 'acknowledge';
      readonly change: AcknowledgementChange;
      readonly alert: Alert;
      readonly due: number;
    }
  /** An open incident is suppressed: its pending triggers, reminders and updates are withheld until its next trigger. */
  | { readonly kind: 'suppress'; readonly alert: Alert; readonly due: number }
  /** The labels of an open incident changed: its next notifications have the new ones. */
  | { readonly kind: 'relabel'; readonly alert: Alert; readonly due: number }
  /** An incident is resolved: sent to the receivers that may have accepted its trigger. */
  | { readonly kind: 'resolve'; readonly alert: Alert; readonly due: number };

/** Properties of a receiver that routing needs. */
export interface ReceiverTraits {
  readonly name: string;
  /** Gets the watchdog heartbeat, and other alerts only if a route says so. */
  readonly heartbeat: boolean;
  /** Each trigger wakes a person: informational alerts (`info`) are not sent. */
  readonly isPager?: true;
}
