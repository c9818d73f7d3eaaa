import type { InhibitRuleSettings } from '../alert/alerting.ts';
import { isMet, type Matcher } from '../alert/matcher.ts';
import type { Rule } from '../alert/rule.ts';
import type { UnlocatedProblem } from '../model/config-problem.ts';
import type { LabelSettings } from './alert-labels.ts';
import { meets, type PossibleAlert, possibleAlerts } from './possible-alerts.ts';

/** Settings that determine which alerts inhibit others. */
interface InhibitionCheckSettings extends LabelSettings {
  readonly alerts: LabelSettings['alerts'] & { readonly inhibitRules?: readonly InhibitRuleSettings[] };
}

/** Most clusters whose alerts are compared: the check must not delay a reload. */
const maxClusters = 10;

/** Finds inhibition rules through which alerts inhibit each other, or through which less severe alerts mute critical ones. */
export function inhibitionFindings(
  settings: InhibitionCheckSettings,
  rules: readonly Rule[],
): readonly UnlocatedProblem[] {
  const { inhibitRules = [] } = settings.alerts;
  if (inhibitRules.length === 0) return [];
  const used = inhibitRules.flatMap((one) => [...one.equal, ...matchersOf(one).map(({ name }) => name)]);
  const clusters = differentClusters(settings, inhibitRules);
  const alerts = possibleAlerts({ ...settings, clusters }, rules, new Set(['alertname', 'severity', ...used]));
  const inhibitions = inhibitRules.map((rule, at) => inhibitionOf(rule, at, alerts));
  return [...inhibitions.flatMap(mutedPages), ...circle(inhibitions, alerts)];
}

function matchersOf({ sourceMatchers, targetMatchers }: InhibitRuleSettings): readonly Matcher[] {
  return [...sourceMatchers, ...targetMatchers];
}

/** Returns two clusters of each kind that the rules distinguish: between more, there are only the same inhibitions. */
function differentClusters(
  { clusters }: InhibitionCheckSettings,
  inhibitRules: readonly InhibitRuleSettings[],
): InhibitionCheckSettings['clusters'] {
  const matchers = inhibitRules.flatMap(matchersOf);
  const compared = [...new Set(inhibitRules.flatMap(({ equal }) => equal))];
  const kinds = Map.groupBy(clusters, ({ name, labels }) => {
    const all: Readonly<Record<string, string>> = { ...labels, cluster_name: name };
    return JSON.stringify([
      matchers.map((matcher) => isMet(matcher, all[matcher.name] ?? '')),
      compared.map((label) => labels[label] ?? ''),
    ]);
  });
  return [...kinds.values()].flatMap((some) => some.slice(0, 2)).slice(0, maxClusters);
}

/** Inhibition rule with the alerts that its sides may match. */
interface Inhibition {
  /** Position of the rule. */
  readonly at: number;
  readonly equal: readonly string[];
  /** Whether the rule names the alerts of its sources. */
  readonly namesSources: boolean;
  readonly sources: ReadonlySet<PossibleAlert>;
  readonly targets: ReadonlySet<PossibleAlert>;
}

function inhibitionOf(rule: InhibitRuleSettings, at: number, alerts: readonly PossibleAlert[]): Inhibition {
  return {
    at,
    equal: rule.equal,
    namesSources: rule.sourceMatchers.some(({ name, operator }) => name === 'alertname' && operator.startsWith('=')),
    sources: new Set(alerts.filter((alert) => mayMatch(alert, rule.sourceMatchers))),
    targets: new Set(alerts.filter((alert) => mayMatch(alert, rule.targetMatchers))),
  };
}

/**
 * Finds a rule that mutes critical alerts while less severe ones fire: its sides have the wrong order, or its sources are
 * too many. A rule that names the alerts of its sources is intended.
 */
function mutedPages(inhibition: Inhibition): readonly UnlocatedProblem[] {
  if (inhibition.namesSources) return [];
  const pages = [...inhibition.targets].filter(isCritical);
  const mutes = (source: PossibleAlert) => pages.some((page) => mayInhibit(inhibition, source, page));
  if (![...inhibition.sources].some((source) => !isCritical(source) && mutes(source))) return [];
  const message = 'mutes critical alerts while less severe alerts fire';
  const hint =
    'add `severity="critical"` to `source_matchers`, name the alerts there with `alertname`, or remove critical alerts from the targets';
  return [{ path: ['alerts', 'inhibit_rules', inhibition.at], message, hint }];
}

function isCritical({ labels }: PossibleAlert): boolean {
  return labels.severity === 'critical';
}

/** Inhibition of one possible alert by another, through the rule at a position. */
interface Step {
  readonly alert: PossibleAlert;
  readonly at: number;
}

/** Finds a circle of alerts that inhibit each other. */
function circle(inhibitions: readonly Inhibition[], alerts: readonly PossibleAlert[]): readonly UnlocatedProblem[] {
  const finished = new Set<PossibleAlert>();
  const path: Step[] = [];
  const circleFrom = (alert: PossibleAlert): readonly Step[] | undefined => {
    const start = path.findIndex((step) => step.alert === alert);
    if (start >= 0) return path.slice(start);
    for (const inhibition of inhibitions) {
      if (!inhibition.sources.has(alert)) continue;
      path.push({ alert, at: inhibition.at });
      for (const target of inhibition.targets) {
        const found = finished.has(target) || !mayInhibit(inhibition, alert, target) ? undefined : circleFrom(target);
        if (found !== undefined) return found;
      }
      path.pop();
    }
    finished.add(alert);
    return undefined;
  };
  for (const alert of alerts) {
    const found = finished.has(alert) ? undefined : circleFrom(alert);
    if (found !== undefined) return [circleProblem(found)];
  }
  return [];
}

function circleProblem(path: readonly Step[]): UnlocatedProblem {
  const used = [...new Set(path.map(({ at }) => at))].toSorted((one, other) => one - other);
  const [first = 0, ...others] = used;
  const names = path.map(({ alert: { labels } }) => `${labels.alertname} (${labels.severity})`);
  const chain = [...names, names[0]].join(' inhibits ');
  const together = others.map((at) => `inhibit_rules[${at}]`).join(' and ');
  const message = `forms a circle with ${together}: ${chain}; receivers are notified of only one of these alerts while all of them fire`;
  return {
    path: ['alerts', 'inhibit_rules', first],
    message,
    hint: 'exclude the sources from the targets of one rule',
  };
}

/** Returns whether a rule lets one alert inhibit another. An alert that matches both sides does not inhibit another that does. */
function mayInhibit({ equal, sources, targets }: Inhibition, source: PossibleAlert, target: PossibleAlert): boolean {
  if (target === source || (targets.has(source) && sources.has(target))) return false;
  return equal.every((name) => mayBeEqual(name, source, target));
}

function mayMatch(alert: PossibleAlert, matchers: readonly Matcher[]): boolean {
  return matchers.every((matcher) => meets(matcher, alert) !== false);
}

/** Returns whether two alerts may have the same value of a label. A label whose value is not known in advance is not empty. */
function mayBeEqual(name: string, one: PossibleAlert, other: PossibleAlert): boolean {
  const [isOpen, isOtherOpen] = [one, other].map(({ open }) => open.includes(name));
  const [value = '', others = ''] = [one, other].map(({ labels }) => labels[name]);
  if (isOpen && isOtherOpen) return true;
  return isOpen || isOtherOpen ? (isOpen ? others : value) !== '' : value === others;
}
