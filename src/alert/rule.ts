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

/** One thing that is wrong. What a rule does not mention is well, as long as its facts are fresh. */
export interface Verdict {
  /** What tells this one from others of the same rule and cluster: exactly the labels that the rule declares. */
  readonly labels: Readonly<Record<string, string>>;
  /** Values for the texts, by the names that they use, already in words and units. */
  readonly facts: Readonly<Record<string, string>>;
  /** Where this one is more or less urgent than the rule says. */
  readonly severity?: Severity;
  /** Where this one has to last longer or shorter than the rule says. */
  readonly hold?: Millis;
  /** Since when it is known to be so, ms since the epoch, where the facts tell; else it begins with the first verdict. */
  readonly since?: number;
  /** Who is told at once whatever the routes say, beside those that these lead to. */
  readonly receivers?: readonly string[];
}

/** What a rule says at another severity than its own, in PromQL. */
export interface OtherTwin {
  readonly severity: Severity;
  /** As `twin` of the rule. */
  readonly twin: string;
  /** How long it has to be so, where that is not as long as for the rule. */
  readonly hold?: Millis;
}

/** What rules of both scopes have in common. */
interface Described {
  /** File name and configuration key, in snake case; `alertname` is `Graphdb` or `Graphwarden` and this in CamelCase. */
  readonly name: string;
  /** The row in the documents. */
  readonly about: string;
  readonly severity: Severity;
  /** How long it has to be so before it fires. */
  readonly hold: Millis;
  /**
   * How long it goes on firing after it is no longer so. A minute at least: what comes back within that is no further
   * incident, and to Prometheus a scrape that fails, which takes all series away, is no end.
   */
  readonly keepFiring: Millis;
  readonly thresholds: readonly Threshold[];
  /** The labels that its verdicts carry. */
  readonly labels: readonly string[];
  /** Texts; `{{name}}` stands for a label or a fact of the verdict, or for `cluster_name`. */
  readonly summary: string;
  readonly description: string;
  /** The same in PromQL; `{{name}}` stands for a threshold. Undefined where no series can tell. */
  readonly twin?: string;
  /** Where a verdict may be more or less urgent than the rule: the twins of those. */
  readonly otherTwins?: readonly OtherTwin[];
}

/** A rule about a cluster. Pure: the same situation gives the same verdicts. */
export interface ClusterRule extends Described {
  readonly scope: 'cluster';
  /** Collectors whose facts it goes by; while these are stale nothing begins to fire and nothing resolves. */
  readonly needs: readonly string[];
  /** Families that it reads by `situation.samples`, by their full names: only these are kept for it. */
  readonly families: readonly string[];
  /** Of these, whose growth it reads by `situation.slope`. */
  readonly slopes?: readonly string[];
  /** Where freshness of what it `needs` is not the question: whether it is known how things are at a place. */
  knows?(situation: Situation, identity: Readonly<Record<string, string>>): boolean;
  judge(situation: Situation, thresholds: Thresholds, now: Instant): Iterable<Verdict>;
}

/** A rule about this process itself. */
export interface SelfRule extends Described {
  readonly scope: 'self';
  judge(self: SelfSituation, thresholds: Thresholds, now: Instant): Iterable<Verdict>;
}

/** A unit of the catalogue: one file with one constant of this shape and one line in `rules/all.ts`. */
export type Rule = ClusterRule | SelfRule;
