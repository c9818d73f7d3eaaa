import { alertName } from '../../src/alert/identity.ts';
import type { OtherTwin, Rule, Thresholds } from '../../src/alert/rule.ts';
import { formatDuration } from '../../src/kernel/duration.ts';
import { familiesIn, onePerInstallation, onePerThing } from './aggregation.ts';
import { linksOf } from './links.ts';
import type { AlertRule } from './rule-file.ts';
import { textsFor } from './wording.ts';

/** The rules of the catalogue for Prometheus, each with the thresholds that it declares. */
export function catalogueAlerts(rules: readonly Rule[]): readonly AlertRule[] {
  return rules.flatMap((rule) => {
    const thresholds = Object.fromEntries(rule.thresholds.map(({ name, value }) => [name, value]));
    return twinsOf(rule).map((twin) => alertOf(rule, twin, thresholds));
  });
}

/** A rule at each of its severities; none where no series can tell. */
function twinsOf({ severity, twin, otherTwins = [] }: Rule): readonly OtherTwin[] {
  return twin === undefined ? [] : [{ severity, twin }, ...otherTwins];
}

function alertOf(rule: Rule, { severity, twin, hold = rule.hold }: OtherTwin, thresholds: Thresholds): AlertRule {
  return {
    alert: alertName(rule),
    expr: aggregated(rule, filled(twin, thresholds)),
    ...(hold === 0 ? {} : { for: formatDuration(hold) }),
    ...(isConstant(twin) ? {} : { keep_firing_for: formatDuration(rule.keepFiring) }),
    labels: { severity },
    annotations: { ...textsFor(rule), ...linksOf(rule) },
  };
}

function aggregated({ scope, labels }: Rule, expression: string): string {
  if (isConstant(expression)) return expression;
  return scope === 'cluster' ? onePerThing(expression, labels) : onePerInstallation(expression, labels);
}

function isConstant(expression: string): boolean {
  return familiesIn(expression).length === 0;
}

function filled(twin: string, thresholds: Thresholds): string {
  return twin.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(thresholds[name]));
}
