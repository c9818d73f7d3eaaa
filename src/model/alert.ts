import type { Millis } from '../kernel/time.ts';

/** How urgent, in the order of urgency. */
export const severities = ['critical', 'warning', 'info'] as const;

/** One of {@link severities}. */
export type Severity = (typeof severities)[number];

/**
 * An alert as receivers get it. `key` names the incident's place (hash of cluster, rule and identity) and is the
 * same in every episode of it; key and episode together name one incident.
 */
export interface Alert {
  readonly key: string;
  readonly episode: number;
  readonly rule: string;
  readonly severity: Severity;
  /** Identity: `alertname`, `severity`, `cluster_name` and what tells one from the other. Nothing that changes. */
  readonly labels: Readonly<Record<string, string>>;
  /** `summary`, `description`, `runbook_url`, `dashboard_url`, `episode`, `started`. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly status: 'firing' | 'resolved';
  /** ms since the epoch. */
  readonly startsAt: number;
  /** Absent while it fires. */
  readonly endsAt?: number;
  readonly generatorUrl: string;
}

/** A receiver of a notice, and how it wants to get it. */
export interface Destination {
  readonly receiver: string;
  /** What is told together: the values of the route's `group_by` labels. */
  readonly group: Readonly<Record<string, string>>;
  readonly groupWait: Millis;
  /** Who gets it when `receiver` is broken. */
  readonly fallback?: string;
}

/** What alerting wants to be told to people. */
export type Notice =
  /** An episode began, or a reminder of it is due (`again`): that never opens a new incident. */
  | {
      readonly kind: 'trigger';
      readonly alert: Alert;
      readonly again: boolean;
      readonly to: readonly Destination[];
      /** When the condition became hard, ms since the epoch: latency is measured from here. */
      readonly due: number;
    }
  /** An episode is over: it goes to whoever may have accepted its trigger. */
  | { readonly kind: 'resolve'; readonly alert: Alert; readonly due: number };

/** What routing has to know of a receiver. */
export interface ReceiverTraits {
  readonly name: string;
  /** Gets the dead-man's heartbeat, and nothing else unless a route says so. */
  readonly heartbeat: boolean;
}
