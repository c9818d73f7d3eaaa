import { beforeAll, describe, expect, it } from 'vitest';
import type { Fields, Json } from '../../tools/generate/chart/value.ts';
import { chartValues } from '../../tools/generate/chart/values.ts';
import { helmRender, templates } from './chart.ts';

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
const whole = [...sections, 'config'];

function modeOf(path: string): string {
  return path.startsWith('sidecar.') ? 'sidecar' : 'deployment';
}

/** Helm takes null, or a key with nothing below it, for «without the default». */
describe.skipIf(helmRender === undefined)('a value of null', () => {
  const errors = new Map<string, string>();

  beforeAll(() => {
    const sets = [
      ...parts.map(([path, values]) => [path, { mode: modeOf(path), web: { createUsers: false }, ...values }] as const),
      ...whole.map((name) => [name, { [name]: null }] as const),
    ];
    for (const [at, { error }] of templates(sets.map(([, values]) => values)).entries()) {
      errors.set(sets[at]?.[0] ?? '', error);
    }
  });

  it('covers many values', () => {
    expect(parts.length).toBeGreaterThan(60);
    expect(sections.length).toBeGreaterThan(15);
  });

  it.each(parts)('removes the value, or is rejected with a message: %s', (path) => {
    expect(errors.get(path)).toMatch(/^$|Invalid values/);
  });

  it.each(whole)('is rejected by the schema if it removes all defaults: %s', (name) => {
    expect(errors.get(name)).toContain(`missing property '${name}'`);
  });
});
