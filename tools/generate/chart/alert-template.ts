import { stringify } from 'yaml';
import type { Rule, Threshold } from '../../../src/alert/rule.ts';
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
    group.name === 'graphwarden.catalogue' ? { ...group, rules: catalogAlerts(rules, placeholderOf) } : group,
  );
  return `# ${generatedNotice}\n${stringify({ groups }, { lineWidth: 0 })}`;
}

function placeholderOf(rule: Rule, threshold: Threshold): string {
  return `@${rule.name}.${threshold.name}@`;
}
