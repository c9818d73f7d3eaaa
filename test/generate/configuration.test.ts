import { describe, expect, it } from 'vitest';
import { configurationReference, schemaFile } from '../../generate/configuration.ts';
import { exampleFile } from '../../generate/example.ts';
import { keysOf } from '../../generate/keys.ts';
import { collectors } from '../../src/collect/all.ts';
import type { Config } from '../../src/config/config.ts';
import { loadConfig, schema } from '../../src/config/load.ts';
import { formatProblems } from '../../src/config/problems.ts';
import { type Shape, shapeAt, shapeOf } from '../../src/config/shape.ts';

const shape = shapeOf(schema);
const keys = [...keysOf(shape)];

function load(text: string): Config {
  const loaded = loadConfig(text, 'example.yml', { GRAPH_TOKEN: 't', GRAPH_PASSWORD: 'p', GRAPH_SECRET: 's' });
  if (!loaded.ok) throw new Error(formatProblems(loaded.error));
  return loaded.value;
}

describe('the example', () => {
  const { text } = exampleFile();

  it('loads', () => {
    expect(load(text).clusters.map(({ name, nodes }) => [name, nodes.length])).toEqual([['prod', 1]]);
  });

  it('shows the defaults: it means the same as the shortest configuration', () => {
    const shortest = load('clusters: [{ name: prod, nodes: [{ name: m1, url: "http://10.0.0.1:14240" }] }]');
    expect(load(text)).toEqual(shortest);
  });

  it.each(keys)('shows $path', ({ path }) => {
    const name = path.split('.').at(-1);
    expect(text).toMatch(new RegExp(`^[ #-]*${name}:`, 'm'));
  });

  it.each(['discover', 'tls'])('has a %s that loads once it is taken out of its comment', (name) => {
    const lines = text.split('\n');
    const start = lines.indexOf(`    # ${name}:`);
    const end = lines.findIndex((line, at) => at > start && !line.startsWith('    #   '));
    const block = lines.slice(start, end).map((line) => line.replace('# ', ''));
    const wanted = block.map((line) => line.replace(/# (srv|ca_file):/, '$1:'));
    const head = ['clusters:', '  - name: prod'];
    const nodes = name === 'tls' ? ['    nodes: [{ name: m1, url: "https://a" }]'] : [];
    expect(load([...head, ...nodes, ...wanted].join('\n')).clusters[0]).toHaveProperty(name);
  });
});

describe('the reference', () => {
  const { text } = configurationReference();

  it.each(keys)('has a row for $path, with a meaning', ({ path, about }) => {
    expect(text.split('\n').filter((line) => line.startsWith(`| \`${path}\` |`))).toHaveLength(1);
    expect(about).toMatch(/[^ ]\.$/);
  });

  it('has the defaults of every collector', () => {
    for (const { name, about } of collectors)
      expect(text).toContain(`| \`collectors.${name}\` | mapping |  | ${about}`);
    expect(text).toContain('| `collectors.statistics.every` | duration | `30s` | How often it reads. |');
    expect(text).toContain('| `collectors.consistency.cron` | text | `0 3 * * SUN` |');
    expect(text).toContain('| `limits.body` | size | `128MiB` |');
  });

  it('has no cell that would break a table', () => {
    for (const line of text.split('\n').filter((row) => row.startsWith('|'))) {
      expect(line.replaceAll('\\|', '').split('|')).toHaveLength(6);
    }
  });
});

describe('the JSON Schema', () => {
  const parsed: Shape = JSON.parse(schemaFile().text);

  it('says what it is', () => {
    expect(parsed.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(parsed.required).toEqual(['clusters']);
    expect(parsed.additionalProperties).toBe(false);
  });

  it('describes every key, and allows no other', () => {
    for (const { path } of keys) {
      const at = shapeAt(
        parsed,
        path.split(/\.|(?=\[\])/).map((step) => (step === '[]' ? 0 : step)),
      );
      expect([path, typeof at?.description]).toEqual([path, 'string']);
      if (at?.properties !== undefined) expect([path, at.additionalProperties]).toEqual([path, false]);
    }
  });

  it('has every collector with its own defaults', () => {
    for (const collector of collectors) {
      const { name, defaults } = collector;
      expect(shapeAt(parsed, ['collectors', name, 'enabled'])?.default).toBe(defaults.enabled);
      expect(shapeAt(parsed, ['collectors', name, 'passthrough']) !== undefined).toBe(
        collector.passthrough !== undefined,
      );
    }
  });
});
