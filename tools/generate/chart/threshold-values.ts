import type { Rule, Threshold } from '../../../src/alert/rule.ts';
import { rules } from '../../../src/alert/rules/all.ts';
import { type Fields, type Leaf, numberValue, section } from './value.ts';

/** Thresholds that the expressions of rules use, by rule and name. */
export const thresholdValues = section(
  'Thresholds of the alerts. Times are in seconds, sizes in bytes.',
  Object.fromEntries(rules.flatMap(thresholdsOf)),
);

/** A duration of Prometheus. */
const duration = { type: 'string', pattern: '^(0|([0-9]+(ms|[smhdwy]))+)$' };

/** Overrides of an alert by its name. */
export const alertOverrides: Leaf = {
  kind: 'leaf',
  about: 'Overrides by name of an alert: `for`, `keepFiringFor` and `severity`.',
  type: 'mapping',
  schema: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: { for: duration, keepFiringFor: duration, severity: { type: 'string' } },
      additionalProperties: false,
    },
  },
  defaultValue: {},
};

function thresholdsOf(rule: Rule): readonly (readonly [string, Fields[string]])[] {
  const used = rule.thresholds.filter(({ name }) => isUsed(rule, name));
  if (used.length === 0) return [];
  return [[rule.name, section(rule.about, Object.fromEntries(used.map((one) => [one.name, leafOf(one)])))]];
}

function isUsed({ twin = '', severityTwins = [] }: Rule, name: string): boolean {
  return [twin, ...severityTwins.map((other) => other.twin)].some((text) => text.includes(`{{${name}}}`));
}

function leafOf({ about, value }: Threshold): Leaf {
  return numberValue(about, value);
}
