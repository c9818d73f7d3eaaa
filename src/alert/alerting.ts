import type { StoreChange } from '../kernel/store.ts';
import type { Millis } from '../kernel/time.ts';
import type { Alert, AlertNotification, Severity } from '../model/alert.ts';
import type { SelfSituation, Situation } from '../model/situation.ts';
import type { Matcher } from './matcher.ts';
import type { Thresholds } from './rule.ts';

/**
 * A silence mutes firing notifications for a while. It does not mute the resolved notification of a notified incident.
 */
export interface Silence {
  readonly id: string;
  readonly matchers: readonly Matcher[];
  /** ms since the epoch. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly author: string;
  readonly reason: string;
}

/** Acknowledgement of an incident: an operator works on it, so it needs no reminders. */
export interface Acknowledgement {
  readonly author: string;
  /** `''` for none. */
  readonly comment: string;
  /** ms since the epoch. */
  readonly at: number;
}

/** Recent event that may explain an incident. */
export interface RecentEvent {
  /** ms since the epoch. */
  readonly at: number;
  /** `''` if it concerns all clusters. */
  readonly cluster: string;
  /** Subject, such as a node or a service instance. An incident about the same subject does not list the event. */
  readonly subject: string;
  /** `m2 failed its health check`. */
  readonly text: string;
}

/** Configured addresses that links begin with. */
interface LinkSettings {
  /** Address of the runbook; the name of the rule is the anchor. */
  readonly runbookUrl?: string;
  /** Address of Grafana; without it, alerts have no link to a dashboard. */
  readonly grafanaUrl?: string;
}

/** Configuration of one rule. */
export interface RuleSettings {
  readonly enabled: boolean;
  readonly severity: Severity;
  readonly for: Millis;
  readonly keepFiringFor: Millis;
  readonly thresholds: Thresholds;
  /** Additional labels of the alerts. */
  readonly labels: Readonly<Record<string, string>>;
  readonly templates: { readonly summary?: string; readonly description?: string };
}

/** Route of alerts. The first matching route is used, and further ones after a route with `continue`. */
export interface RouteSettings {
  readonly matchers: readonly Matcher[];
  readonly receivers: readonly string[];
  readonly groupBy: readonly string[];
  readonly groupWait: Millis;
  readonly groupInterval: Millis;
  /** Time between two reminders. */
  readonly repeatInterval: Millis;
  readonly fallback?: string;
  readonly continues: boolean;
}

/** Weekly maintenance window, in local time of a zone. */
export interface MaintenanceSettings {
  readonly name: string;
  readonly matchers: readonly Matcher[];
  /** 0 is Sunday. */
  readonly days: readonly number[];
  /** Minutes since midnight; a window whose end is not after its beginning ends on the next day. */
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

/** A configured inhibition, as in Alertmanager: while an alert matches the source, alerts that match the target are muted. */
export interface InhibitRuleSettings {
  readonly sourceMatchers: readonly Matcher[];
  readonly targetMatchers: readonly Matcher[];
  /** Labels that must have the same values on both alerts; an absent label has the empty value. */
  readonly equal: readonly string[];
}

/** Settings of alerting, without those of the receivers. */
export interface AlertingSettings extends LinkSettings {
  readonly rules: Readonly<Record<string, RuleSettings>>;
  readonly routes: readonly RouteSettings[];
  readonly maintenance: readonly MaintenanceSettings[];
  /** Configured inhibitions, in addition to the built-in ones. */
  readonly inhibitRules?: readonly InhibitRuleSettings[];
  readonly templates: { readonly summary?: string; readonly description?: string };
}

/** An input of the alerting state machine. */
export type AlertingInput =
  | { readonly kind: 'situation'; readonly situation: Situation }
  | { readonly kind: 'self'; readonly self: SelfSituation }
  /** The configured clusters: alerting closes the incidents of all others. */
  | { readonly kind: 'clusters'; readonly names: readonly string[] }
  /** Incidents and notifications were restored: what is muted now must not be sent before the next evaluation. */
  | { readonly kind: 'restored' }
  /** These clusters have another owner: all that is known of them is dropped, without any output. */
  | { readonly kind: 'disowned'; readonly clusters: ReadonlySet<string> }
  | { readonly kind: 'silence'; readonly silence: Silence }
  /** Events that a later incident may list. */
  | { readonly kind: 'events'; readonly events: readonly RecentEvent[] }
  /** Ends a silence before its time. */
  | { readonly kind: 'unsilence'; readonly id: string }
  /** Acknowledges a firing incident, by its id for operators. */
  | { readonly kind: 'acknowledge'; readonly id: string; readonly acknowledgement: Acknowledgement }
  /** Withdraws an acknowledgement. */
  | { readonly kind: 'unacknowledge'; readonly id: string };

/** An output of the alerting state machine. */
export type AlertingOutput =
  | { readonly kind: 'notice'; readonly notification: AlertNotification }
  /**
   * An incident started, ended or was acknowledged, whether or not a receiver is notified. The UI and traces use it.
   */
  | { readonly kind: 'incident'; readonly alert: Alert }
  /** Belongs into the same transaction as the notices of the same step. */
  | { readonly kind: 'change'; readonly change: StoreChange }
  /** An incident that is due is sent to no receiver, although receivers are configured. Intended: its route has none. */
  | { readonly kind: 'unrouted'; readonly alert: Alert; readonly isIntended: boolean }
  /** One step cannot begin or end all incidents that are due: evaluate the cluster again immediately. */
  | { readonly kind: 'unfinished' }
  /** Number of findings in a cluster that exceed the limit and are not followed. */
  | { readonly kind: 'crowded'; readonly cluster: string; readonly droppedCount: number };
