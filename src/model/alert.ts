import type { Millis } from '../kernel/time.ts';

/** Severities, most severe first. */
export const severities = ['critical', 'warning', 'info'] as const;

/** One of {@link severities}. */
export type Severity = (typeof severities)[number];

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
   * Identity: `alertname`, `severity`, `cluster_name` and the labels that distinguish alerts of a rule. Never changes.
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
}

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
  /** An incident starts, or its reminder is due (`again`): a reminder never opens a new incident. */
  | {
      readonly kind: 'trigger';
      readonly alert: Alert;
      readonly isReminder: boolean;
      readonly to: readonly Destination[];
      /** When the condition was confirmed, ms since the epoch; the start of the notification latency. */
      readonly due: number;
    }
  /** An incident is resolved: sent to the receivers that may have accepted its trigger. */
  | { readonly kind: 'resolve'; readonly alert: Alert; readonly due: number };

/** Properties of a receiver that routing needs. */
export interface ReceiverTraits {
  readonly name: string;
  /** Gets the watchdog heartbeat, and other alerts only if a route says so. */
  readonly heartbeat: boolean;
}
