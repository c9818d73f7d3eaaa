import { dashboardOf } from '../../../src/alert/links.ts';
import type { Rule } from '../../../src/alert/rule.ts';
import { familiesIn } from '../rules/aggregation.ts';
import type { DashboardDefinition, PanelDefinition } from './definition.ts';

/**
 * Returns a dashboard in which the runbook entry of each of its rules is linked: if no panel names the rule, by the first
 * panel with a metric of its twin.
 */
export function withRuleLinks(
  dashboard: DashboardDefinition,
  rules: readonly Pick<Rule, 'name' | 'scope' | 'dashboard' | 'twin'>[],
): DashboardDefinition {
  const panels = dashboard.rows.flatMap((row) => row.panels);
  const named = new Set(panels.flatMap((panel) => panel.rules ?? []));
  const missing = rules.filter((rule) => dashboardOf(rule) === dashboard.name && !named.has(rule.name));
  const added = Map.groupBy(missing, ({ twin = '' }) => panels.find((panel) => showsOneOf(panel, familiesIn(twin))));
  const linked = (panel: PanelDefinition) => ({
    ...panel,
    rules: [...(panel.rules ?? []), ...(added.get(panel) ?? []).map(({ name }) => name)],
  });
  return { ...dashboard, rows: dashboard.rows.map((row) => ({ ...row, panels: row.panels.map(linked) })) };
}

function showsOneOf({ queries }: PanelDefinition, families: readonly string[]): boolean {
  return queries.some(({ expr }) => familiesIn(expr).some((family) => families.includes(family)));
}
