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
    .describe('Alert rules: each rule of the catalogue with its severity, durations and thresholds.');
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
  if (above !== undefined && value <= above) return `must be more than ${above}: else it says nothing`;
  if (below !== undefined && value >= below) return `must be less than ${below}: else it says nothing`;
  if (atMost === undefined || value <= numberOf(atMost)) return undefined;
  return `must not be more than ${atMost}: what is worse lies within what is bad`;
}

/** Labels that every alert has, whatever is configured. */
const reservedLabels = ['alertname', 'severity', 'cluster_name'];

function ruleFields({ severity, for: hold, keepFiringFor, labels: own }: Rule) {
  const taken = [...reservedLabels, ...own];
  return {
    enabled: z.boolean().prefault(true).describe('Whether it is watched for.'),
    severity: z.enum(severities).prefault(severity).describe('How urgent it is.'),
    for: nonNegativeDurationField.prefault(formatDuration(hold)).describe('How long it has to be so before it fires.'),
    keep_firing_for: nonNegativeDurationField
      .prefault(formatDuration(keepFiringFor))
      .describe('How long it goes on firing after it is no longer so.'),
    labels: z
      .record(
        labelNameField.refine((name) => !taken.includes(name), { error: 'is a label that these alerts have already' }),
        z.string(),
      )
      .prefault({})
      .describe('Labels that are put on its alerts, for routes and receivers.')
      .meta({ examples: [{ team: 'graph' }] }),
    summary: templateField
      .describe('The short text, instead of its own.')
      .meta({ examples: ['{{summary}} (call Ada)'] }),
    description: templateField
      .describe('The long text, instead of its own.')
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
