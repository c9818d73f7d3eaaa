import type { Instant } from '../kernel/time.ts';
import type { SelfSituation, Situation } from '../model/situation.ts';
import type { RuleSettings } from './alerting.ts';
import { type Judged, judged } from './judging.ts';
import { isKnown } from './known.ts';
import type { ClusterRule, Rule, SelfRule, Verdict } from './rule.ts';

/** What the rules make of one cluster, or of ourselves, at one instant. */
export interface Judgement {
  /** `''` for ourselves. */
  readonly cluster: string;
  /** What is wrong, by place. */
  readonly found: ReadonlyMap<string, Judged>;
  /** The settings of the rules that were asked. */
  readonly rules: ReadonlyMap<string, RuleSettings>;
  /** Whether a rule's facts are fresh at a place. */
  isKnown(rule: string, identity: Readonly<Record<string, string>>): boolean;
}

/** A rule with what is configured for it. */
export interface Enabled<R extends Rule = Rule> {
  readonly rule: R;
  readonly settings: RuleSettings;
}

/** Asks all rules about a cluster. */
export function judgeCluster(situation: Situation, enabled: readonly Enabled<ClusterRule>[], now: Instant): Judgement {
  const rules = new Map(enabled.map((one) => [one.rule.name, one.rule]));
  const verdicts = enabled.map((one) => ({
    ...one,
    verdicts: one.rule.judge(situation, one.settings.thresholds, now),
  }));
  return {
    ...gathered(verdicts, situation),
    isKnown: (name, identity) => {
      const rule = rules.get(name);
      return rule === undefined || isKnown(rule, situation, identity);
    },
  };
}

/** Asks all rules about ourselves; of these everything is known always. */
export function judgeSelf(self: SelfSituation, enabled: readonly Enabled<SelfRule>[], now: Instant): Judgement {
  const verdicts = enabled.map((one) => ({ ...one, verdicts: one.rule.judge(self, one.settings.thresholds, now) }));
  return { ...gathered(verdicts, { cluster: '', labels: {} }), isKnown: () => true };
}

function gathered(
  asked: readonly (Enabled & { readonly verdicts: Iterable<Verdict> })[],
  { cluster, labels }: Pick<Situation, 'cluster' | 'labels'>,
): Omit<Judgement, 'isKnown'> {
  const found = new Map<string, Judged>();
  for (const { rule, settings, verdicts } of asked) {
    for (const verdict of verdicts) {
      const one = judged(verdict, rule, settings, { cluster, labels });
      found.set(one.place, one);
    }
  }
  return { cluster, found, rules: new Map(asked.map(({ rule, settings }) => [rule.name, settings])) };
}
