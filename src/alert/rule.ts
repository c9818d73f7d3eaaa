import type { Instant, Millis } from '../kernel/time.ts';
import type { Severity } from '../model/alert.ts';
import type { SelfSituation, Situation } from '../model/situation.ts';

/** A number of a rule that the configuration may change. */
export interface Threshold {
  /** Key in the configuration, in snake case. */
  readonly name: string;
  readonly about: string;
  readonly unit: 'ratio' | 'seconds' | 'bytes' | 'count';
  readonly value: number;
  /** Exclusive bounds of the value. At or beyond them the rule would fire always, or never. */
  readonly above?: number;
  readonly below?: number;
  /** Another threshold of the rule that it may not exceed. */
  readonly atMost?: string;
}

/** The thresholds in force, by name. */
export type Thresholds = Readonly<Record<string, number>>;

/** A problem that a rule finds. A problem that the rule no longer returns is over if its facts are fresh. */
export interface RuleFinding {
  /** Identify the finding within its rule and cluster: exactly the labels that the rule declares. */
  readonly labels: Readonly<Record<string, string>>;
  /** Values for the templates by name, formatted with units. */
  readonly facts: Readonly<Record<string, string>>;
  /** Overrides the severity of the rule. */
  readonly severity?: Severity;
  /** Overrides the `for` duration of the rule. */
  readonly for?: Millis;
  /**
   * Start time of the problem, ms since the epoch, if the facts include it; else the time of the first finding counts.
   */
  readonly since?: number;
  /** Receivers to notify immediately in addition to those of the routes. */
  readonly receivers?: readonly string[];
}

/** PromQL twin of a rule for another severity. */
export interface SeverityTwin {
  readonly severity: Severity;
  /** PromQL expression, as `twin` of the rule. */
  readonly twin: string;
  /** Pending period, if it differs from that of the rule. */
  readonly for?: Millis;
}

/** Texts of a rule for Prometheus, which does not have all facts. Each member replaces that of the rule. */
export interface TwinTexts {
  readonly summary?: string;
  readonly description?: string;
  /** Facts as Go templates of Prometheus, by name. One fact without a template is the value of the twin. */
  readonly facts?: Readonly<Record<string, string>>;
}

/** Dashboard with details. */
export type Dashboard = 'cluster' | 'queries' | 'graphwarden';

/** Properties of rules of both scopes. */
interface RuleDefinition {
  /**
   * File name and configuration key, in snake case; `alertname` is `Graphdb` or `Graphwarden` and this in CamelCase.
   */
  readonly name: string;
  /** Description in the documents. */
  readonly about: string;
  readonly severity: Severity;
  /** Pending period: how long the condition must persist before the alert fires. */
  readonly for: Millis;
  /**
   * Time for which the alert keeps firing after the condition ends. At least a minute, so that a condition that returns
   * soon is the same incident, and so that a failed scrape, which removes all series, resolves no twin.
   */
  readonly keepFiringFor: Millis;
  readonly thresholds: readonly Threshold[];
  /** Names of the labels of its findings. */
  readonly labels: readonly string[];
  /** Templates: `{{name}}` stands for a label or a fact of the finding, or for `cluster_name`. */
  readonly summary: string;
  readonly description: string;
  /** State after an incident, in a resolve; `{{name}}` may also stand for a fact of {@link ClusterRule.current}. */
  readonly resolved?: string;
  /** The same condition in PromQL; `{{name}}` stands for a threshold. Undefined if no series has the facts. */
  readonly twin?: string;
  /** Twins for findings with another severity than the rule. */
  readonly severityTwins?: readonly SeverityTwin[];
  /** Texts of the twins, if the facts in the texts of the rule are more than the value of the twin. */
  readonly twinTexts?: TwinTexts;
  /** Dashboard with the metrics of the rule; default: `cluster`, or `graphwarden` for a rule about this process. */
  readonly dashboard?: Dashboard;
}

/** Rule about a cluster. It is pure: the same situation gives the same findings. */
export interface ClusterRule extends RuleDefinition {
  readonly scope: 'cluster';
  /** Collectors whose facts the rule evaluates. While these are stale, no alert starts to fire or resolves. */
  readonly needs: readonly string[];
  /**
   * Families, of those in `families`, with a sample for each set of labels whose facts are fresh, matched by the labels that
   * both have. The facts stay fresh if the poll failed for other labels.
   */
  readonly answeredBy?: readonly string[];
  /** Full names of the metric families that the rule reads with `situation.samples`. Other families are not kept. */
  readonly families: readonly string[];
  /** Families of these whose values over time the rule reads with `situation.slope` or an extreme of the last hour. */
  readonly slopes?: readonly string[];
  /** Returns whether the facts for the labels of an alert are fresh, in addition to the freshness of `needs`. */
  knows?(situation: Situation, identity: Readonly<Record<string, string>>): boolean;
  /** Returns facts for the labels of an alert whose condition is over, for `resolved`. */
  current?(situation: Situation, identity: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  evaluate(situation: Situation, thresholds: Thresholds, now: Instant): Iterable<RuleFinding>;
}

/** Rule about this process. */
export interface SelfRule extends RuleDefinition {
  readonly scope: 'self';
  evaluate(self: SelfSituation, thresholds: Thresholds, now: Instant): Iterable<RuleFinding>;
}

/** Alert rule: one file with one constant, and one line in `rules/all.ts`. */
export type Rule = ClusterRule | SelfRule;
