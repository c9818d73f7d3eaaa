import type { Millis } from '../kernel/time.ts';
import type { Severity } from '../model/alert.ts';
import type { Thresholds } from './rule.ts';

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
  /** Label values that an alert must have; empty matches all. */
  readonly match: Readonly<Record<string, string>>;
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
  readonly match: Readonly<Record<string, string>>;
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
