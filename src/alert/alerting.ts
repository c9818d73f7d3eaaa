import type { Change } from '../kernel/store.ts';
import type { Millis } from '../kernel/time.ts';
import type { Alert, Notice, Severity } from '../model/alert.ts';
import type { SelfSituation, Situation } from '../model/situation.ts';
import type { Thresholds } from './rule.ts';

/** For each label the values that it may have; a label that is not named may have any, and none. */
export type Match = Readonly<Record<string, readonly string[]>>;

/** What an operator does not want to hear of for a while. It holds back triggers, never a resolve that is owed. */
export interface Silence {
  readonly id: string;
  readonly match: Match;
  /** ms since the epoch. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly author: string;
  readonly reason: string;
}

/** One rule as configured. */
export interface RuleSettings {
  readonly enabled: boolean;
  readonly severity: Severity;
  readonly hold: Millis;
  readonly keepFiring: Millis;
  readonly thresholds: Thresholds;
  /** Put on its alerts, beside those that they have. */
  readonly labels: Readonly<Record<string, string>>;
  readonly templates: { readonly summary?: string; readonly description?: string };
}

/** One route: the first that matches wins, unless it says `continue`. */
export interface RouteSettings {
  readonly match: Match;
  readonly receivers: readonly string[];
  readonly groupBy: readonly string[];
  readonly groupWait: Millis;
  /** Time between two reminders. */
  readonly repeat: Millis;
  readonly fallback?: string;
  readonly goesOn: boolean;
}

/** A window that comes again every week, in the wall time of a zone. */
export interface MaintenanceSettings {
  readonly name: string;
  readonly match: Match;
  /** 0 is Sunday. */
  readonly days: readonly number[];
  /** Minutes since midnight; a window whose end is not after its beginning ends on the next day. */
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

/** What alerting goes by; the receivers' own settings are not its business. */
export interface AlertingSettings {
  readonly rules: Readonly<Record<string, RuleSettings>>;
  readonly routes: readonly RouteSettings[];
  readonly maintenance: readonly MaintenanceSettings[];
  readonly templates: { readonly summary?: string; readonly description?: string };
}

/** What alerting is told. */
export type AlertingInput =
  | { readonly kind: 'situation'; readonly situation: Situation }
  | { readonly kind: 'self'; readonly self: SelfSituation }
  /** The clusters that are configured now: what belongs to no other is closed. */
  | { readonly kind: 'clusters'; readonly names: readonly string[] }
  | { readonly kind: 'silence'; readonly silence: Silence }
  /** Ends a silence before its time. */
  | { readonly kind: 'unsilence'; readonly id: string };

/** What alerting wants to be done. */
export type AlertingOutput =
  | { readonly kind: 'notice'; readonly notice: Notice }
  /** An episode began or ended, whoever is told: for those who look on. */
  | { readonly kind: 'episode'; readonly alert: Alert }
  /** Belongs into the same transaction as the notices of the same step. */
  | { readonly kind: 'change'; readonly change: Change }
  /** So much of what is wrong in a cluster is not followed: there is too much of it. */
  | { readonly kind: 'crowded'; readonly cluster: string; readonly left: number }
  /** A text of a rule could not be rendered: the plain one was taken. */
  | { readonly kind: 'template'; readonly rule: string; readonly message: string };
