import { describe, expect, it } from 'vitest';
import { rules } from '../../../src/alert/rules/all.ts';
import { collectors } from '../../../src/collect/all.ts';
import type { Config } from '../../../src/config/config.ts';
import { type JsonSchema, jsonSchemaOf, schemaAt } from '../../../src/config/json-schema.ts';
import { configFileSchema, loadConfig } from '../../../src/config/load.ts';
import { formatProblems } from '../../../src/config/problems.ts';
import { keysOf } from '../../../tools/generate/config-keys.ts';
import { configurationReference, schemaFile } from '../../../tools/generate/configuration-reference.ts';
import { exampleFile } from '../../../tools/generate/example-configuration.ts';

const shape = jsonSchemaOf(configFileSchema());
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

  it('shows the defaults: it equals the shortest configuration', () => {
    const shortest = load('clusters: [{ name: prod, nodes: [{ name: m1, url: "http://10.0.0.1:14240" }] }]');
    expect(load(text)).toEqual(shortest);
  });

  it.each(keys.map(({ path }) => path))('shows %s', (path) => {
    const name = path.split('.').at(-1);
    expect(text).toMatch(new RegExp(`^[ #-]*${name}:`, 'm'));
  });

  it('has a blank line before every comment', () => {
    for (const line of text.split('\n')) expect(line.replace(/^[ #]*/, '')).toMatch(/^([^#]*|.*\S {2,}# .*)$/);
  });

  it('shows common keys with the first entry, and further keys with each entry', () => {
    expect(text).toMatch(/^ {2}# {3}interval: 5s {2,}# Poll interval, at least 100ms\.$/m);
    expect(text.match(/^ {2}# {3}passthrough: true {2,}# /gm)).toHaveLength(1);
    expect(text).toMatch(
      /^ {4}# {3}transition_timeout: 10m {2,}# .*\n {4}service_not_online: \{.* transition_timeout: 10m \}$/m,
    );
  });

  it('has valid receivers and routes after they are uncommented', () => {
    const lines = text.split('\n');
    const block = (name: string): readonly string[] => {
      const start = lines.indexOf(`  # ${name}:`);
      const end = lines.findIndex((line, at) => at > start && !line.startsWith('  #   '));
      return lines.slice(start, end).map((line) => line.replace('# ', ''));
    };
    const receiver = block('receivers').map((line) => line.replace(/# (alertmanager:| {2}urls:)/, '$1'));
    const routes = block('routes').map((line) => line.replace(/receivers: .*/, 'receivers: [oncall]'));
    const cluster = 'clusters: [{ name: prod, nodes: [{ name: m1, url: "http://a" }] }]';
    const { alerts } = load([cluster, 'alerts:', ...receiver, ...routes, ...block('maintenance')].join('\n'));
    expect(alerts.receivers.map(({ name, kind }) => [name, kind])).toEqual([['oncall', 'alertmanager']]);
    expect(alerts.routes).toMatchObject([{ receivers: ['oncall'], repeatInterval: 14_400_000 }]);
    expect(alerts.maintenance).toMatchObject([{ from: 120, to: 240, zone: 'UTC' }]);
  });

  it('has valid policies and protections after they are uncommented', () => {
    const lines = text.split('\n');
    const block = (name: string): readonly string[] => {
      const start = lines.indexOf(`  # ${name}:`);
      const end = lines.findIndex((line, at) => at > start && !line.startsWith('  #  '));
      return lines.slice(start, end < 0 ? undefined : end).map((line) => line.replace('# ', ''));
    };
    const policies = block('policies').map((line) => line.replace(/# (age):/, '$1:'));
    const cluster = 'clusters: [{ name: prod, nodes: [{ name: m1, url: "http://a" }] }]';
    const { guard } = load([cluster, 'guard:', ...block('protect'), ...policies].join('\n'));
    expect(guard.protect).toEqual([{ node: [{ kind: 'glob', text: 'm1' }] }]);
    expect(guard.policies).toMatchObject([{ name: 'runaway-adhoc', mode: 'observe', grace: 30_000 }]);
  });

  it.each(['discover', 'tls'])('has a valid %s after it is uncommented', (name) => {
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

  const rows = text.split('\n').filter((line) => line.startsWith('|'));

  it.each(keys.map((key) => [key.path, key] as const))('has a row for %s, with a meaning', (path, { description }) => {
    const shared = path.replace(/^(collectors|alerts\.rules|guard\.\w+)\.\w+\./, '$1.*.');
    const entry = path.replace(/^(collectors|alerts\.rules|guard\.\w+)\.(\w+)$/, '$2');
    const shown = [path, shared, entry].map((one) => `| \`${one}\` |`);
    expect(rows.filter((line) => shown.some((start) => line.startsWith(start)))).toHaveLength(1);
    expect(description).toMatch(/[^ ]\.$/);
  });

  it('has the defaults of every collector', () => {
    for (const { name, about } of collectors) {
      expect(rows.find((row) => row.startsWith(`| \`${name}\` |`))).toContain(`| ${about}`);
    }
    expect(rows).toContain('| `collectors.*.interval` | duration | Poll interval, at least 100ms. |');
    expect(text).toContain('| `statistics` | `true` | `1m` |  | `5s` |');
    expect(text).toContain('| `consistency` | `false` |  | `0 3 * * SUN` | `30m` |');
    expect(rows).toContainEqual(expect.stringMatching(/^\| `collectors\.metrics\.passthrough` .* `true` \|/));
    expect(text).toContain('| `limits.body` | size | `32MiB` |');
  });

  it('has every rule with its defaults, and its thresholds with theirs', () => {
    for (const { name, about, severity, thresholds } of rules) {
      expect(rows.find((one) => one.startsWith(`| \`${name}\` | \`true\` | \`${severity}\` |`))).toContain(
        `| ${about}`,
      );
      for (const threshold of thresholds) {
        const found = rows.find((one) => one.startsWith(`| \`alerts.rules.${name}.${threshold.name}\` |`));
        expect(found).toContain(`| ${threshold.about}`);
      }
    }
  });

  it('has no table cell with a line break or a bar', () => {
    for (const block of text.split('\n\n').filter((one) => one.startsWith('|'))) {
      const cells = block.split('\n').map((row) => row.replaceAll('\\|', '').split('|').length);
      expect(new Set(cells.filter((count) => count > 1)).size).toBe(1);
    }
  });
});

describe('the JSON Schema', () => {
  const parsed: JsonSchema = JSON.parse(schemaFile().text);

  it('has a title and a description', () => {
    expect(parsed.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(parsed.required).toEqual(['clusters']);
    expect(parsed.additionalProperties).toBe(false);
  });

  it('describes every key, and allows no other', () => {
    for (const { path } of keys) {
      const at = schemaAt(
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
      expect(schemaAt(parsed, ['collectors', name, 'enabled'])?.default).toBe(defaults.enabled);
      expect(schemaAt(parsed, ['collectors', name, 'passthrough']) !== undefined).toBe(
        collector.passthrough !== undefined,
      );
    }
  });
});
