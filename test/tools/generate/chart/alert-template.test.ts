import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { alertTemplate } from '../../../../tools/generate/chart/alert-template.ts';
import { thresholdValues } from '../../../../tools/generate/chart/threshold-values.ts';
import { defaultsOf } from '../../../../tools/generate/chart/values-file.ts';
import { alertGroups } from '../../../../tools/generate/rules/rule-files.ts';

const thresholds = z.record(z.string(), z.record(z.string(), z.number())).parse(defaultsOf(thresholdValues.fields));
const text = alertTemplate();

describe('the alerts that the chart ships', () => {
  it('equal those of the rule file after their thresholds are inserted', () => {
    const filled = text.replaceAll(/@(\w+)\.(\w+)@/g, (_, rule: string, name: string) =>
      String(thresholds[rule]?.[name]),
    );
    expect(parse(filled)).toEqual({ groups: JSON.parse(JSON.stringify(alertGroups())) });
  });

  it('have every threshold of the values, and no others', () => {
    const open = new Set([...text.matchAll(/@(\w+\.\w+)@/g)].map(([, path]) => path));
    const known = Object.entries(thresholds).flatMap(([rule, names]) =>
      Object.keys(names).map((name) => `${rule}.${name}`),
    );
    expect(open).toEqual(new Set(known));
    expect(known.length).toBeGreaterThan(10);
  });
});
