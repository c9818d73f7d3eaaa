import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Fields, Json, Leaf, Value } from '../../tools/generate/chart/value.ts';
import { chartValues } from '../../tools/generate/chart/values.ts';
import { allValues, alternativeValues } from './all-values.ts';
import { chart, helmRender, templates } from './chart.ts';

type Path = readonly (string | number)[];
type Values = Readonly<Record<string, Json>>;

const templateText = readdirSync(join(chart, 'templates'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:yaml|tpl|txt)$/.test(name))
  .map((name) => readFileSync(join(chart, 'templates', name), 'utf8'))
  .join('\n');

/** What templates read from the root: `.Values.a.b`, `$.Values.a`, `.root.Values.a`. */
const read = [...new Set([...templateText.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path))];

function* leaves(fields: Fields, path: Path = []): Generator<readonly [Path, Leaf]> {
  for (const [name, value] of Object.entries(fields)) {
    const at = [...path, name];
    if (value.kind === 'leaf') yield [at, value];
    else yield* leaves(value.fields, value.kind === 'entries' ? [...at, 0] : at);
  }
}

function valueAt(path: readonly string[]): Value | undefined {
  const root: Value = { kind: 'section', about: '', fields: chartValues, isOpen: false };
  return path.reduce<Value | undefined>(
    (value, name) => (value?.kind === 'section' ? value.fields[name] : value),
    root,
  );
}

/** Texts of the forms that values have. */
const sampleTexts = ['changed', '5m', '/changed', '10.0.0.0/8', '10.0.0.1', 'https://changed.example.org'];

/** Returns a text that a schema accepts. */
function accepted(schema: Json | undefined): Json {
  if (!isMapping(schema)) return 'changed';
  if (Array.isArray(schema.enum)) return schema.enum.at(-1) ?? '';
  const pattern = new RegExp(typeof schema.pattern === 'string' ? schema.pattern : '');
  return sampleTexts.find((text) => pattern.test(text)) ?? '';
}

/** Something else than the default, or than the value of the base, that the schema takes. */
function changed({ schema, defaultValue, type, example }: Leaf, given: Json | undefined): Json {
  if (example !== undefined) return example;
  if (typeof given === 'boolean') return !given;
  if (Array.isArray(schema.enum)) return schema.enum.find((word) => word !== defaultValue && word !== '');
  if (type === 'mapping' && schema.properties !== undefined) {
    return isMapping(schema.properties) && 'log' in schema.properties
      ? { log: { level: 'debug' } }
      : { graphs: ['changed'] };
  }
  if (type === 'mapping' && schema.patternProperties !== undefined) return { limits: { memory: '768Mi' } };
  if (type === 'mapping' && schema.additionalProperties !== undefined) return { Nope: {} };
  if (schema.type === 'array' && type !== 'list of mappings') return [accepted(schema.items)];
  const others: Readonly<Record<string, Json>> = {
    text: accepted(schema),
    'true, false': defaultValue !== true,
    'mapping of text': { changed: 'yes' },
    mapping: { changed: 'yes' },
    'list of mappings': [acceptedEntry(schema.items)],
  };
  return others[type] ?? Number(defaultValue) + 1;
}

/** A copy of `values` with another value at a place. */
function withValue(values: Json | undefined, [step, ...rest]: Path, value: Json): Json {
  if (step === undefined) return value;
  if (typeof step === 'number') return [withValue(Array.isArray(values) ? values[0] : { name: 'graph' }, rest, value)];
  const known = isMapping(values) ? values : {};
  return { ...known, [step]: withValue(known[step], rest, value) };
}

/** Returns the value at a place of `values`. */
function valueIn(values: Json | undefined, [step, ...rest]: Path): Json | undefined {
  if (step === undefined) return values;
  if (Array.isArray(values)) return valueIn(values[Number(step)], rest);
  return isMapping(values) ? valueIn(values[step], rest) : undefined;
}

/** Returns an entry of a list, with those of its keys that the schema knows. */
function acceptedEntry(items: Json | undefined): Json {
  // One of several forms.
  if (isMapping(items) && Array.isArray(items.oneOf))
    return acceptedEntry(items.oneOf.find((form) => isMapping(form) && isMapping(form.properties)));
  const entry = { name: 'changed', url: 'http://changed' };
  const known = isMapping(items) && isMapping(items.properties) ? items.properties : entry;
  const more = { ...entry, secretName: 'changed' };
  return Object.fromEntries(Object.entries(more).filter(([key]) => key in known));
}

function isMapping(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const { prometheusRule = {}, ...withoutRules } = allValues;
/** The rules are most of what the chart renders, so they are by themselves. */
const bases: readonly Values[] = [withoutRules, ...alternativeValues, { prometheusRule, web: { createUsers: false } }];

/** Returns the sets of values in the order in which a change of `path` is likely to show: first those that set more of it. */
function inOrder([top]: Path): readonly Values[] {
  const isLikely = (values: Values): number =>
    Number(top === 'sidecar' ? values.mode === 'sidecar' : Object.hasOwn(values, top ?? ''));
  return bases.toSorted((one, other) => isLikely(other) - isLikely(one));
}

/** Renders sets of values. The schema must accept each: values that it refuses are read by no template. */
function rendered(sets: readonly Json[]): readonly string[] {
  return templates(sets).map(({ text, error }) => {
    expect(error).not.toContain('specifications of the schema');
    return text + error;
  });
}

/** Returns the paths of `changes` whose changed value shows in a rendering of some base. */
function visible(changes: readonly (readonly [Path, Leaf])[]): ReadonlySet<Path> {
  const known = new Map(rendered(bases).map((text, at) => [bases[at], text]));
  const seen = new Set<Path>();
  for (const turn of bases.keys()) {
    const rest = changes.filter(([path]) => !seen.has(path));
    if (rest.length === 0) break;
    const based = rest.map(([path, leaf]) => {
      const base = inOrder(path)[turn] ?? {};
      return { path, before: known.get(base), values: withValue(base, path, changed(leaf, valueIn(base, path))) };
    });
    const texts = rendered(based.map(({ values }) => values));
    for (const [at, { path, before }] of based.entries()) if (texts[at] !== before) seen.add(path);
  }
  return seen;
}

describe.skipIf(helmRender === undefined)('a value of the chart', () => {
  const all = [...leaves(chartValues)];
  let seen: ReadonlySet<Path>;

  beforeAll(() => {
    seen = visible(all);
  }, 900_000);

  it('is found in the schema', () => {
    expect(all.length).toBeGreaterThan(200);
  });

  it.each(all.map(([path]) => [path.join('.'), path] as const))(
    'changes the rendered objects, or is rejected with a message: %s',
    (_, path) => {
      expect(seen.has(path)).toBe(true);
    },
  );
});

describe('values that templates read', () => {
  it.each(read)('are documented: %s', (path) => {
    expect(valueAt(path.split('.'))).toBeDefined();
  });

  it('are described in sentences', () => {
    for (const [path, { about }] of leaves(chartValues)) expect(about, path.join('.')).toMatch(/^.{7,}[.…]$/s);
  });
});
