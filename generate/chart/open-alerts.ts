import { stringify } from 'yaml';
import type { Rule } from '../../src/alert/rule.ts';
import { rules } from '../../src/alert/rules/all.ts';
import { origin } from '../document.ts';
import { catalogueAlerts } from '../rules/catalogue-alerts.ts';
import { alertGroups } from '../rules/files.ts';

/**
 * The rule file of alerts with its thresholds open: `@rule.threshold@` stands where the chart puts the number of its
 * values.
 */
export function openAlerts(): string {
  const groups = alertGroups().map((group) =>
    group.name === 'graphwarden.catalogue' ? { ...group, rules: catalogueAlerts(rules.map(opened)) } : group,
  );
  return `# ${origin}\n${stringify({ groups }, { lineWidth: 0 })}`;
}

function opened<One extends Rule>(rule: One): One {
  const { twin, otherTwins = [] } = rule;
  if (twin === undefined) return rule;
  const others = otherTwins.map((other) => ({ ...other, twin: open(rule, other.twin) }));
  return { ...rule, twin: open(rule, twin), otherTwins: others };
}

function open({ name: rule }: Rule, twin: string): string {
  return twin.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => `@${rule}.${name}@`);
}
