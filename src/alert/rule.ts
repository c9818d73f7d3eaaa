import type { Instant, Millis } from '../kernel/time.ts';
import type { Severity } from '../model/alert.ts';
import type { SelfSituation, Situation } from '../model/situation.ts';

/** A number of a rule that the configuration may change. */
export interface Threshold {
  /** Its key in the configuration, in snake case. */
  readonly name: string;
  readonly about: string;
  readonly unit: 'ratio' | 'seconds' | 'bytes' | 'count';
  readonly value: number;
  /** Bounds that it has to keep away from: at or beyond them its rule would fire always, or never. */
  readonly above?: number;
  readonly below?: number;
  /** Another threshold of the rule that it may not exceed. */
  readonly atMost?: string;
}

/** The thresholds in force, by name. */
export type Thresholds = Readonly<Record<string, number>>;

/** A problem that a rule finds. A problem that the rule no longer returns is over if its facts are fresh. */
export interface Finding {
  /** Identify the finding within its rule and cluster: exactly the labels that the rule declares. */
  readonly labels: Readonly<Record<string, string>>;
  /** Values for the templates by name, formatted with units. */
  readonly facts: Readonly<Record<string, string>>;
  /** Overrides the severity of the rule. */
  readonly severity?: Severity;
  /** Overrides the `for` duration of the rule. */
  readonly for?: Millis;
  /** Start time of the problem, ms since the epoch, if the facts include it; else the time of the first finding counts. */
  readonly since?: number;
  /** Receivers to notify immediately in addition to those of the routes. */
  readonly receivers?: readonly string[];
}

/** What a rule says at another severity than its own, in PromQL. */
export interface SeverityTwin {
  readonly severity: Severity;
  /** As `twin` of the rule. */
  readonly twin: string;
  /** How long it has to be so, where that is not as long as for the rule. */
  readonly for?: Millis;
}

/** What rules of both scopes have in common. */
interface RuleDefinition {
  /** File name and configuration key, in snake case; `alertname` is `Graphdb` or `Graphwarden` and this in CamelCase. */
  readonly name: string;
  /** The row in the documents. */
  readonly about: string;
  readonly severity: Severity;
  /** How long it has to be so before it fires. */
  readonly for: Millis;
  /**
   * How long it goes on firing after it is no longer so. A minute at least: what comes back within that is no further
   * incident, and to Prometheus a scrape that fails, which takes all series away, is no end.
   */
  readonly keepFiringFor: Millis;
  readonly thresholds: readonly Threshold[];
  /** The labels that its verdicts carry. */
  readonly labels: readonly string[];
  /** Texts; `{{name}}` stands for a label or a fact of the verdict, or for `cluster_name`. */
  readonly summary: string;
  readonly description: string;
  /** State after an incident, in a resolve; `{{name}}` may also stand for a fact of {@link ClusterRule.current}. */
  readonly resolved?: string;
  /** The same in PromQL; `{{name}}` stands for a threshold. Undefined if no series has the facts. */
  readonly twin?: string;
  /** Where a verdict may be more or less urgent than the rule: the twins of those. */
  readonly severityTwins?: readonly SeverityTwin[];
}

/** A rule about a cluster. Pure: the same situation gives the same verdicts. */
export interface ClusterRule extends RuleDefinition {
  readonly scope: 'cluster';
  /** Collectors whose facts it goes by; while these are stale nothing begins to fire and nothing resolves. */
  readonly needs: readonly string[];
  /** Families that it reads by `situation.samples`, by their full names: only these are kept for it. */
  readonly families: readonly string[];
  /** Of these, whose growth it reads by `situation.slope`. */
  readonly slopes?: readonly string[];
  /** Where freshness of what it `needs` is not the question: whether it is known how things are at a place. */
  knows?(situation: Situation, identity: Readonly<Record<string, string>>): boolean;
  /** Facts about a place where the rule finds nothing, for `resolved`. */
  current?(situation: Situation, identity: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  evaluate(situation: Situation, thresholds: Thresholds, now: Instant): Iterable<Finding>;
}

/** A rule about this process itself. */
export interface SelfRule extends RuleDefinition {
  readonly scope: 'self';
  evaluate(self: SelfSituation, thresholds: Thresholds, now: Instant): Iterable<Finding>;
}

/** A unit of the catalogue: one file with one constant of this shape and one line in `rules/all.ts`. */
export type Rule = ClusterRule | SelfRule;
