import { alertName } from '../alert/active-alert.ts';
import { isMet, type Matcher } from '../alert/matcher.ts';
import type { Rule } from '../alert/rule.ts';
import { heartbeatRule, type Severity } from '../model/alert.ts';
import type { LabelSettings } from './alert-labels.ts';

/** Labels that alerts can have. */
export interface PossibleAlert {
  /** Labels with a value that the configuration determines. */
  readonly labels: Readonly<Record<string, string>>;
  /** Labels whose values are known only when an alert fires, such as `service_name`. */
  readonly open: readonly string[];
}

/** Returns whether an alert meets a matcher; undefined if its label is not known in advance. */
export function meets(matcher: Matcher, { labels, open }: PossibleAlert): boolean | undefined {
  if (!open.includes(matcher.name)) return isMet(matcher, labels[matcher.name] ?? '');
  return matcher.operator === '=~' && matcher.value === '.*' ? true : undefined;
}

/** Returns the severities of the alerts of a rule: a configured one that differs from the default applies to all of them. */
export function possibleSeverities(
  { severity, severityTwins = [] }: Rule,
  configured: Severity | undefined,
): readonly Severity[] {
  if (configured !== undefined && configured !== severity) return [configured];
  return [severity, ...severityTwins.map((twin) => twin.severity)];
}

/** Returns the different label sets of all rules and clusters, with the labels in `names` only. */
export function possibleAlerts(
  { clusters, alerts }: LabelSettings,
  rules: readonly Rule[],
  names: ReadonlySet<string>,
): readonly PossibleAlert[] {
  const found = new Map<string, PossibleAlert>();
  for (const rule of rules) {
    const own = alerts.rules[rule.name];
    if (own?.enabled === false || rule.name === heartbeatRule) continue;
    const places = rule.scope === 'self' ? [{}] : clusters.map((one) => ({ ...one.labels, cluster_name: one.name }));
    const open = rule.labels.filter((name) => names.has(name));
    for (const place of places) {
      for (const severity of possibleSeverities(rule, own?.severity)) {
        const all = Object.entries({ ...own?.labels, ...place, alertname: alertName(rule), severity });
        const labels = Object.fromEntries(all.filter(([name]) => names.has(name)));
        found.set(JSON.stringify([labels, open]), { labels, open });
      }
    }
  }
  return [...found.values()];
}
