import type { Instant } from '../kernel/time.ts';
import type { CollectorView, SelfSituation, Situation } from '../model/situation.ts';
import { type ActiveAlert, activeAlert } from './active-alert.ts';
import type { RuleSettings } from './alerting.ts';
import type { ClusterRule, Rule, RuleFinding, SelfRule } from './rule.ts';
import { describeScope } from './rules/collector-freshness.ts';

/** Result of evaluating the rules for one cluster, or for graphwarden itself, at one instant. */
export interface Evaluation {
  /** `''` for graphwarden itself. */
  readonly cluster: string;
  /** Labels of the cluster. */
  readonly labels: Readonly<Record<string, string>>;
  /** Alerts of the findings, by identity key. */
  readonly active: ReadonlyMap<string, ActiveAlert>;
  /** The same alerts by rule, in the order of the findings. */
  readonly found: ReadonlyMap<string, readonly ActiveAlert[]>;
  /** Settings of the evaluated rules. */
  readonly rules: ReadonlyMap<string, RuleSettings>;
  /** Returns whether the facts of a rule are fresh for the labels of an alert. */
  isKnown(rule: string, identity: Readonly<Record<string, string>>): boolean;
  /** Returns facts for the labels of an alert whose condition is over. */
  current(rule: string, identity: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /**
   * Returns a sentence if the node, collector or receiver of an alert was removed from the configuration, because its
   * state is then unknown.
   */
  removed(identity: Readonly<Record<string, string>>): string | undefined;
}

/** Enabled rule with its settings. */
export interface EnabledRule<R extends Rule = Rule> {
  readonly rule: R;
  readonly settings: RuleSettings;
}

/**
 * Evaluates the rules for a cluster. Keys of an `earlier` evaluation of the same cluster with the same rules are reused
 * for equal findings.
 */
export function evaluateClusterRules(
  situation: Situation,
  enabled: readonly EnabledRule<ClusterRule>[],
  now: Instant,
  earlier?: Evaluation,
): Evaluation {
  const rules = new Map(enabled.map((one) => [one.rule.name, one.rule]));
  const evaluated = enabled.map((one) => ({
    ...one,
    findings: one.rule.evaluate(situation, one.settings.thresholds, now),
  }));
  return {
    ...collectActiveAlerts(evaluated, situation, earlier),
    current: (name, identity) => rules.get(name)?.current?.(situation, identity) ?? {},
    removed: (identity) => removalText(situation, identity),
    isKnown: (name, identity) => {
      const rule = rules.get(name);
      return rule === undefined || hasFreshFacts(rule, situation, identity);
    },
  };
}

/** Evaluates the rules about graphwarden itself; their facts are always fresh. */
export function evaluateSelfRules(
  self: SelfSituation,
  enabled: readonly EnabledRule<SelfRule>[],
  now: Instant,
): Evaluation {
  const evaluated = enabled.map((one) => ({ ...one, findings: one.rule.evaluate(self, one.settings.thresholds, now) }));
  return {
    ...collectActiveAlerts(evaluated, { cluster: '', labels: {} }),
    isKnown: () => true,
    current: () => ({}),
    removed: ({ receiver }) =>
      receiver === undefined || self.receivers.some((one) => one.receiver === receiver)
        ? undefined
        : `The receiver ${receiver} is no longer configured.`,
  };
}

function removalText(
  { cluster, nodes, collectors }: Situation,
  { node = '', collector }: Readonly<Record<string, string>>,
): string | undefined {
  if (node !== '' && !nodes.includes(node)) return `${node} is no longer a node of ${cluster}, and is not polled.`;
  if (collector === undefined || collectors.some((one) => one.collector === collector && one.node === node))
    return undefined;
  return `The collector ${collector} is no longer enabled ${describeScope({ node })}.`;
}

function collectActiveAlerts(
  evaluated: readonly (EnabledRule & { readonly findings: Iterable<RuleFinding> })[],
  { cluster, labels }: Pick<Situation, 'cluster' | 'labels'>,
  earlier?: Evaluation,
): Omit<Evaluation, 'isKnown' | 'current' | 'removed'> {
  const active = new Map<string, ActiveAlert>();
  const found = new Map<string, readonly ActiveAlert[]>();
  for (const { rule, settings, findings } of evaluated) {
    const before = earlier?.found.get(rule.name) ?? [];
    const own: ActiveAlert[] = [];
    for (const finding of findings) {
      const one = activeAlert(finding, rule, settings, { cluster, labels, earlier: before[own.length] });
      own.push(one);
      active.set(one.identityKey, one);
    }
    found.set(rule.name, own);
  }
  const rules = new Map(evaluated.map(({ rule, settings }) => [rule.name, settings]));
  return { cluster, labels, active, found, rules };
}

/**
 * Returns whether the facts of a rule are fresh at `identity`. Without fresh facts no incident starts or resolves.
 * Facts are not fresh before collectors are declared, nor for a node before the first node is discovered. For a node
 * or a collector that was removed from the configuration they are fresh, so that its incidents resolve.
 */
export function hasFreshFacts(
  { needs, knows, answeredBy }: Pick<ClusterRule, 'needs' | 'knows' | 'answeredBy'>,
  situation: Situation,
  identity: Readonly<Record<string, string>>,
): boolean {
  if (situation.collectors.length === 0) return false;
  if (identity.node !== undefined && situation.nodes.length === 0) return false;
  if (knows?.(situation, identity) === false) return false;
  const isFresh = needs.every((need) => relevantCollectors(need, situation, identity).every(({ fresh }) => fresh));
  return isFresh || (answeredBy?.every((family) => isAnswered(situation, family, identity)) ?? false);
}

/** Returns whether a poll that failed for other labels has a sample for these. */
function isAnswered(situation: Situation, family: string, identity: Readonly<Record<string, string>>): boolean {
  return situation
    .samples(family)
    .some(({ labels }) => Object.entries(labels).every(([name, value]) => (identity[name] ?? value) === value));
}

/** Returns the views of a collector that must be fresh: those of the node and the cluster, or of all nodes. */
function relevantCollectors(
  need: string,
  { collectors }: Situation,
  { node }: Readonly<Record<string, string>>,
): readonly CollectorView[] {
  const views = collectorsByName(collectors).get(need) ?? [];
  return node === undefined ? views : views.filter((view) => view.node === node || view.node === '');
}

const collectorIndexes = new WeakMap<readonly CollectorView[], ReadonlyMap<string, readonly CollectorView[]>>();

/** Groups collectors by name. Cached, because one situation is evaluated for thousands of alerts. */
function collectorsByName(collectors: readonly CollectorView[]): ReadonlyMap<string, readonly CollectorView[]> {
  const known = collectorIndexes.get(collectors) ?? Map.groupBy(collectors, ({ collector }) => collector);
  collectorIndexes.set(collectors, known);
  return known;
}
