import type { Rule, Threshold } from '../../src/alert/rule.ts';
import { rules } from '../../src/alert/rules/all.ts';
import { type Fields, type Leaf, number, section } from './value.ts';

/** The thresholds of all rules of which the expressions know any, by rule and name. */
export const thresholdValues = section(
  'Thresholds of the alerts; times are in seconds, sizes in bytes.',
  Object.fromEntries(rules.flatMap(thresholdsOf)),
);

/** What may be said of an alert by its name. */
export const alertOverrides: Leaf = {
  kind: 'leaf',
  about: 'By name of an alert: `for`, `keepFiringFor` and `severity` instead of the built-in ones.',
  type: 'mapping',
  schema: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: { for: { type: 'string' }, keepFiringFor: { type: 'string' }, severity: { type: 'string' } },
      additionalProperties: false,
    },
  },
  fallback: {},
};

function thresholdsOf(rule: Rule): readonly (readonly [string, Fields[string]])[] {
  const used = rule.thresholds.filter(({ name }) => isUsed(rule, name));
  if (used.length === 0) return [];
  return [[rule.name, section(rule.about, Object.fromEntries(used.map((one) => [one.name, leafOf(one)])))]];
}

function isUsed({ twin = '', otherTwins = [] }: Rule, name: string): boolean {
  return [twin, ...otherTwins.map((other) => other.twin)].some((text) => text.includes(`{{${name}}}`));
}

function leafOf({ about, value }: Threshold): Leaf {
  return number(about, value);
}
