import { alertName } from '../../../src/alert/active-alert.ts';
import type { Rule, SeverityTwin, Threshold } from '../../../src/alert/rule.ts';
import { formatDuration } from '../../../src/kernel/duration.ts';
import { aggregatePerInstallation, aggregatePerSubject, familiesIn } from './aggregation.ts';
import { alertLinks } from './alert-links.ts';
import { annotationsFor } from './alert-texts.ts';
import type { AlertRule } from './rule-file.ts';

/** Returns the text of a threshold in an expression. */
type ThresholdText = (rule: Rule, threshold: Threshold) => string;

/** Returns the rules of the catalog for Prometheus, with their default thresholds unless `textOf` returns other texts. */
export function catalogAlerts(
  rules: readonly Rule[],
  textOf: ThresholdText = (_, { value }) => String(value),
): readonly AlertRule[] {
  return rules.flatMap((rule) => {
    const thresholds = new Map(rule.thresholds.map((threshold) => [threshold.name, textOf(rule, threshold)]));
    return expressionsBySeverity(rule).map((twin) => alertOf(rule, twin, thresholds));
  });
}

/** Returns the expressions of a rule by severity; none if no series can express it. */
function expressionsBySeverity({ severity, twin, severityTwins = [] }: Rule): readonly SeverityTwin[] {
  return twin === undefined ? [] : [{ severity, twin }, ...severityTwins];
}

function alertOf(
  rule: Rule,
  { severity, twin, for: pending = rule.for }: SeverityTwin,
  thresholds: ReadonlyMap<string, string>,
): AlertRule {
  return {
    alert: alertName(rule),
    expr: aggregated(rule, fillThresholds(twin, thresholds)),
    ...(pending === 0 ? {} : { for: formatDuration(pending) }),
    ...(isConstant(twin) ? {} : { keep_firing_for: formatDuration(rule.keepFiringFor) }),
    labels: { severity },
    annotations: { ...annotationsFor(rule), ...alertLinks(rule) },
  };
}

function aggregated({ scope, labels }: Rule, expression: string): string {
  if (isConstant(expression)) return expression;
  return scope === 'cluster' ? aggregatePerSubject(expression, labels) : aggregatePerInstallation(expression, labels);
}

function isConstant(expression: string): boolean {
  return familiesIn(expression).length === 0;
}

function fillThresholds(twin: string, thresholds: ReadonlyMap<string, string>): string {
  return twin.replaceAll(/\{\{(\w+)\}\}/g, (braces, name: string) => thresholds.get(name) ?? braces);
}
