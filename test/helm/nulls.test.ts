import { describe, expect, it } from 'vitest';
import type { Fields, Json } from '../../tools/generate/chart/value.ts';
import { chartValues } from '../../tools/generate/chart/values.ts';
import { helm, template } from './chart.ts';

type Part = readonly [path: string, values: Readonly<Record<string, Json>>];

/** Returns the values that the chart passes on unchanged and that can be null, with their parent enabled. */
function partsOf(fields: Fields): readonly Part[] {
  const on = 'enabled' in fields ? { enabled: true } : {};
  return Object.entries(fields).flatMap(([name, value]): readonly Part[] => {
    if (value.kind === 'section') {
      return partsOf(value.fields).map(([path, values]) => [`${name}.${path}`, { [name]: values }]);
    }
    const isPassedOn =
      value.kind === 'leaf' && /mapping|list/.test(value.type) && value.schema.properties === undefined;
    return isPassedOn ? [[name, { ...on, [name]: null }]] : [];
  });
}

const parts = partsOf(chartValues);
const sections = Object.keys(chartValues).filter((name) => chartValues[name]?.kind === 'section');

/** Helm takes null, or a key with nothing below it, for «without the default». */
describe.skipIf(helm === undefined)('a value of null', () => {
  it('is tried for many', () => {
    expect(parts.length).toBeGreaterThan(60);
    expect(sections.length).toBeGreaterThan(15);
  });

  it.each(parts)('stands for none, or is refused in words: %s', (path, values) => {
    const mode = path.startsWith('sidecar.') ? 'sidecar' : 'deployment';
    expect(template({ values: { mode, ...values } }).trouble).toMatch(/^$|These values make no sense/);
  });

  it.each([...sections, 'config'])('does not get past the schema where it takes all defaults away: %s', (name) => {
    expect(template({ values: { [name]: null } }).trouble).toContain(`missing property '${name}'`);
  });
});
