import { rules } from '../../src/alert/rules/all.ts';
import type { GeneratedFile } from '../document.ts';
import { absenceAlerts } from './absence.ts';
import { burnAlerts, recordsFor } from './burn-rates.ts';
import { catalogueAlerts } from './catalogue-alerts.ts';
import { objectives } from './objectives.ts';
import { type RuleGroup, ruleFile } from './rule-file.ts';

/** The groups of alerts. */
export function alertGroups(): readonly RuleGroup[] {
  return [
    { name: 'graphwarden.catalogue', rules: catalogueAlerts(rules) },
    { name: 'graphwarden.burn-rates', rules: objectives.flatMap(burnAlerts) },
    { name: 'graphwarden.absence', rules: absenceAlerts() },
  ];
}

/** The groups of recorded series, one for each objective: those of a group are in step. */
export function recordGroups(): readonly RuleGroup[] {
  return objectives.map((objective) => ({ name: `graphwarden.${objective.name}`, rules: recordsFor(objective) }));
}

/** The rule files for Prometheus. */
export function ruleFiles(): readonly GeneratedFile[] {
  const without = rules.filter(({ twin }) => twin === undefined).map(({ name }) => name);
  const heading = [
    'Alerts for Prometheus 2.42 and later: the catalogue of graphwarden at its default thresholds, how fast budgets burn',
    '(needs graphwarden.records.yaml), and what is not there. Use these or the receivers of graphwarden, not both.',
    `Rules of the catalogue that no series can tell: ${without.length === 0 ? 'none' : without.join(', ')}.`,
  ];
  return [
    ruleFile('dashboards/rules/graphwarden.alerts.yaml', heading, alertGroups()),
    ruleFile(
      'dashboards/rules/graphwarden.records.yaml',
      ['Series that the burn rates in graphwarden.alerts.yaml go by.'],
      recordGroups(),
    ),
  ];
}
