import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { chart, helm, renderAll, rendering } from './chart.ts';

const alertGroups = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({ alert: z.string().optional(), annotations: z.record(z.string(), z.string()).optional() }),
      ),
    }),
  ),
});
const groups = z.object({ groups: z.array(z.looseObject({ name: z.string() })) });

const local = ruleValues({ grafanaUrl: 'http://localhost:3000/' });
const configured = { alerts: { grafana_url: 'https://grafana.example.org/base' } };
const own = ruleValues({ grafanaUrl: 'https://graphs.example.org' }, configured);
const fallback = ruleValues({}, configured);
const unlinked = ruleValues({});
const unknown = ruleValues({}, { alerts: { grafana_url: '${GRAFANA}' } });
const dashboards = { dashboards: { enabled: true } };

describe.skipIf(helm === undefined)('resources of the chart', () => {
  beforeAll(() => renderAll([local, own, fallback, unlinked, unknown, dashboards]));

  it('contain the rules of the project verbatim with default thresholds', () => {
    const made = groups.parse(ruleSpec(local));
    const files = readdirSync('dashboards/rules').map((name) => readFileSync(`dashboards/rules/${name}`, 'utf8'));
    const wanted = files.flatMap((text) => groups.parse(parse(text)).groups);
    expect(made.groups.toSorted(byName)).toEqual(wanted.toSorted(byName));
  });

  it('link the dashboards of the configured Grafana in each alert, or no dashboards', () => {
    for (const [values, address] of [
      [own, 'https://graphs.example.org/d/'],
      [fallback, 'https://grafana.example.org/base/d/'],
    ] as const) {
      const links = linksIn(ruleSpec(values));
      expect(links.length).toBeGreaterThan(10);
      expect(links.filter((link) => link?.startsWith(address) !== true)).toEqual([]);
    }
    for (const values of [unlinked, unknown]) expect(new Set(linksIn(ruleSpec(values)))).toEqual(new Set([undefined]));
  });

  it('contain all dashboards', () => {
    const { objects } = rendering({ values: dashboards });
    const made = objects.flatMap(({ metadata, data = {} }) =>
      metadata.labels?.grafana_dashboard === undefined ? [] : Object.entries(data),
    );
    const names = readdirSync('dashboards').filter((name) => name.endsWith('.json'));
    expect(made.map(([name]) => name).toSorted()).toEqual(names.toSorted());
    for (const [name, text] of made) {
      expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(`dashboards/${name}`, 'utf8')));
    }
  });

  it('fit into the release object of helm many times', () => {
    const folder = mkdtempSync(join(tmpdir(), 'graphwarden-package-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { status } = spawnSync(helm ?? '', ['package', chart, '--destination', folder]);
    expect(status).toBe(0);
    const [file = ''] = readdirSync(folder);
    expect(file).toMatch(/^graphwarden-\d+\.\d+\.\d+\.tgz$/);
    expect(statSync(join(folder, file)).size).toBeLessThan(200_000);
  });
});

function ruleValues(prometheusRule: object, config?: object): object {
  return { prometheusRule: { enabled: true, ...prometheusRule }, ...(config && { config }) };
}

function ruleSpec(values: object): unknown {
  return rendering({ values }).one('PrometheusRule').spec;
}

/** Returns the link of each alert. */
function linksIn(spec: unknown): readonly (string | undefined)[] {
  const rules = alertGroups.parse(spec).groups.flatMap((group) => group.rules);
  return rules.flatMap(({ alert, annotations }) => (alert === undefined ? [] : [annotations?.dashboard_url]));
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
