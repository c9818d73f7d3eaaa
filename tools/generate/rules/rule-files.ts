import { rules } from '../../../src/alert/rules/all.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { absenceAlerts } from './absence-alerts.ts';
import { defaultGrafanaUrl } from './alert-links.ts';
import { burnRateAlerts, recordingRulesFor } from './burn-rates.ts';
import { catalogAlerts } from './catalog-alerts.ts';
import { objectives } from './objectives.ts';
import { type RuleGroup, ruleFile } from './rule-file.ts';

/** Returns the groups of alerting rules. */
export function alertGroups(): readonly RuleGroup[] {
  return [
    { name: 'graphwarden.catalogue', rules: catalogAlerts(rules) },
    { name: 'graphwarden.burn-rates', rules: objectives.flatMap(burnRateAlerts) },
    { name: 'graphwarden.absence', rules: absenceAlerts() },
  ];
}

/** Returns the groups of recording rules, one per objective, so that its series have the same timestamps. */
export function recordingGroups(): readonly RuleGroup[] {
  return objectives.map((objective) => ({
    name: `graphwarden.${objective.name}`,
    rules: recordingRulesFor(objective),
  }));
}

/** Returns the rule files for Prometheus. */
export function ruleFiles(): readonly GeneratedFile[] {
  const without = rules.filter(({ twin }) => twin === undefined).map(({ name }) => name);
  const heading = [
    'Alerting rules for Prometheus 2.42 and later: the rules of graphwarden with their default thresholds, burn rates',
    '(which require graphwarden.records.yaml), and missing data. Use these rules or the receivers of graphwarden, not both.',
    `Links to dashboards begin with ${defaultGrafanaUrl}: replace it with the address of your Grafana.`,
    `Rules of graphwarden that no series can express: ${without.length === 0 ? 'none' : without.join(', ')}.`,
  ];
  return [
    ruleFile('dashboards/rules/graphwarden.alerts.yaml', heading, alertGroups()),
    ruleFile(
      'dashboards/rules/graphwarden.records.yaml',
      ['Recording rules for the burn rates in graphwarden.alerts.yaml.'],
      recordingGroups(),
    ),
  ];
}
