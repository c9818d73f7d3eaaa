import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { enumValue, integerValue, section, stringValue } from '../../../../tools/generate/chart/value.ts';
import { chartValues } from '../../../../tools/generate/chart/values.ts';
import { defaultsOf, valuesFile } from '../../../../tools/generate/chart/values-file.ts';

describe('values.yaml', () => {
  it('has a comment above each value', () => {
    const fields = { part: section('A part.', { count: integerValue('How many.', 2) }), name: stringValue('A name.') };
    expect(valuesFile(fields)).toMatch(/\n# A part\.\npart:\n {2}# How many\.\n {2}count: 2\n\n# A name\.\nname: ""\n/);
  });

  it('wraps a long sentence without losing words', () => {
    const about = 'One word after another, until there is no room left for any more of them on this line. '.repeat(3);
    const lines = valuesFile({ name: stringValue(about.trim()) }).split('\n');
    const comments = lines.filter((line) => line.startsWith('# ')).map((line) => line.slice(2));
    expect(comments.join(' ')).toContain(about.trim());
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(120);
  });

  it('quotes words that are booleans in YAML 1.1, which helm reads', () => {
    expect(valuesFile({ mode: enumValue('A mode.', ['Off', 'On']) })).toContain('mode: "Off"');
  });

  it('contains the defaults of all values', () => {
    expect(parse(valuesFile(chartValues))).toEqual(defaultsOf(chartValues));
  });
});
