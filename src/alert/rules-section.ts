import { z } from 'zod';
import { durationField, nonNegativeDurationField, sizeField } from '../graphdb/settings-fields.ts';
import { formatDuration } from '../kernel/duration.ts';
import { formatSize } from '../kernel/size.ts';
import { severities } from '../model/alert.ts';
import type { RuleSettings } from './alerting.ts';
import type { Rule, Threshold } from './rule.ts';
import { labelNameField, templateField } from './settings.ts';

/** The `alerts.rules` section: one entry for each rule of the catalogue, with the defaults that it declares. */
export function rulesSection(rules: readonly Rule[]) {
  const entries = rules.map((rule) => [rule.name, ruleEntry(rule)] as const);
  return z
    .strictObject(Object.fromEntries(entries))
    .prefault({})
    .describe('Severity, durations and thresholds of each built-in alert rule.');
}

function ruleEntry(rule: Rule) {
  const thresholds = Object.fromEntries(rule.thresholds.map((one) => [one.name, thresholdField(one)]));
  return z
    .strictObject({ ...ruleFields(rule), ...thresholds })
    .superRefine((given, context) => {
      for (const threshold of rule.thresholds) {
        const message = thresholdError(threshold, (name) => Number(Reflect.get(given, name)));
        if (message !== undefined) context.addIssue({ code: 'custom', path: [threshold.name], message });
      }
    })
    .transform((given): RuleSettings => {
      const { enabled, severity, for: hold, keep_firing_for: keepFiringFor, labels, summary, description } = given;
      const values = rule.thresholds.map(({ name }) => [name, Number(Reflect.get(given, name))] as const);
      return {
        enabled,
        severity,
        for: hold,
        keepFiringFor,
        thresholds: Object.fromEntries(values),
        labels,
        templates: {
          ...(summary === undefined ? {} : { summary }),
          ...(description === undefined ? {} : { description }),
        },
      };
    })
    .prefault({})
    .describe(rule.about);
}

/** Why a rule with this threshold would never fire, or always, or never at one of its severities. */
function thresholdError(
  { name, above, below, atMost }: Threshold,
  numberOf: (name: string) => number,
): string | undefined {
  const value = numberOf(name);
  if (above !== undefined && value <= above)
    return `must be more than ${above}: otherwise the alert always or never fires`;
  if (below !== undefined && value >= below)
    return `must be less than ${below}: otherwise the alert always or never fires`;
  if (atMost === undefined || value <= numberOf(atMost)) return undefined;
  return `must not be more than ${atMost}: the critical threshold must not be reached before the warning threshold`;
}

/** Labels that every alert has, whatever is configured. */
const reservedLabels = ['alertname', 'severity', 'cluster_name'];

function ruleFields({ severity, for: hold, keepFiringFor, labels: own }: Rule) {
  const taken = [...reservedLabels, ...own];
  return {
    enabled: z.boolean().prefault(true).describe('Enables the rule.'),
    severity: z.enum(severities).prefault(severity).describe('Severity of the alert.'),
    for: nonNegativeDurationField
      .prefault(formatDuration(hold))
      .describe('Pending period: how long the condition must hold before the alert fires.'),
    keep_firing_for: nonNegativeDurationField
      .prefault(formatDuration(keepFiringFor))
      .describe('How long the alert keeps firing after its condition no longer holds.'),
    labels: z
      .record(
        labelNameField.refine((name) => !taken.includes(name), {
          error: 'is a label that the alerts of this rule already have',
        }),
        z.string(),
      )
      .prefault({})
      .describe('Labels to add to the alerts, for routes and receivers.')
      .meta({ examples: [{ team: 'graph' }] }),
    summary: templateField
      .describe('Summary of the alert. Replaces the summary of the rule.')
      .meta({ examples: ['{{summary}} (call Ada)'] }),
    description: templateField
      .describe('Description of the alert. Replaces the description of the rule.')
      .meta({ examples: ['{{description}} See the wiki.'] }),
  };
}

/** Thresholds are written in their units, and kept as numbers: seconds, bytes, shares from 0 to 1, counts. */
function thresholdField({ about, unit, value }: Threshold) {
  if (unit === 'seconds') {
    return durationField
      .transform((length) => length / 1000)
      .prefault(formatDuration(value * 1000))
      .describe(about);
  }
  if (unit === 'bytes') return sizeField().prefault(formatSize(value)).describe(about);
  return (unit === 'ratio' ? z.number().min(0).max(1) : z.number().min(0)).prefault(value).describe(about);
}
