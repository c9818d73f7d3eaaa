import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { openAlerts } from '../../../generate/chart/open-alerts.ts';
import { thresholdValues } from '../../../generate/chart/threshold-values.ts';
import { fallbacks } from '../../../generate/chart/values-file.ts';
import { alertGroups } from '../../../generate/rules/files.ts';

const thresholds = z.record(z.string(), z.record(z.string(), z.number())).parse(fallbacks(thresholdValues.fields));
const text = openAlerts();

describe('the alerts that the chart ships', () => {
  it('are those of the rule file, once the thresholds are in', () => {
    const filled = text.replaceAll(/@(\w+)\.(\w+)@/g, (_, rule: string, name: string) =>
      String(thresholds[rule]?.[name]),
    );
    expect(parse(filled)).toEqual({ groups: JSON.parse(JSON.stringify(alertGroups())) });
  });

  it('have every threshold of the values, and no other', () => {
    const open = new Set([...text.matchAll(/@(\w+\.\w+)@/g)].map(([, path]) => path));
    const known = Object.entries(thresholds).flatMap(([rule, names]) =>
      Object.keys(names).map((name) => `${rule}.${name}`),
    );
    expect(open).toEqual(new Set(known));
    expect(known.length).toBeGreaterThan(10);
  });
});
