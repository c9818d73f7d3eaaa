import { stringify } from 'yaml';
import type { Rule } from '../../../src/alert/rule.ts';
import { rules } from '../../../src/alert/rules/all.ts';
import { generatedNotice } from '../generated-file.ts';
import { catalogAlerts } from '../rules/catalog-alerts.ts';
import { alertGroups } from '../rules/rule-files.ts';

/**
 * Returns the alerting rules with placeholders for the thresholds: the chart replaces `@rule.threshold@` with the number
 * from its values.
 */
export function alertTemplate(): string {
  const groups = alertGroups().map((group) =>
    group.name === 'graphwarden.catalogue' ? { ...group, rules: catalogAlerts(rules.map(templatedRule)) } : group,
  );
  return `# ${generatedNotice}\n${stringify({ groups }, { lineWidth: 0 })}`;
}

function templatedRule<One extends Rule>(rule: One): One {
  const { twin, severityTwins = [] } = rule;
  if (twin === undefined) return rule;
  const others = severityTwins.map((other) => ({ ...other, twin: templatedExpression(rule, other.twin) }));
  return { ...rule, twin: templatedExpression(rule, twin), severityTwins: others };
}

function templatedExpression({ name: rule }: Rule, twin: string): string {
  return twin.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => `@${rule}.${name}@`);
}
