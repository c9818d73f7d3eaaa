import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { chart, helm, rendering } from './chart.ts';

const groups = z.object({ groups: z.array(z.looseObject({ name: z.string() })) });

describe.skipIf(helm === undefined)('resources of the chart', () => {
  it('contain the rules of the project verbatim with default thresholds', () => {
    const made = groups.parse(rendering({ values: { prometheusRule: { enabled: true } } }).one('PrometheusRule').spec);
    const files = readdirSync('dashboards/rules').map((name) => readFileSync(`dashboards/rules/${name}`, 'utf8'));
    const wanted = files.flatMap((text) => groups.parse(parse(text)).groups);
    expect(made.groups.toSorted(byName)).toEqual(wanted.toSorted(byName));
  });

  it('are its dashboards, all of them', () => {
    const { objects } = rendering({ values: { dashboards: { enabled: true } } });
    const made = objects.flatMap(({ metadata, data = {} }) =>
      metadata.labels?.grafana_dashboard === undefined ? [] : Object.entries(data),
    );
    const names = readdirSync('dashboards').filter((name) => name.endsWith('.json'));
    expect(made.map(([name]) => name).toSorted()).toEqual(names.toSorted());
    for (const [name, text] of made) {
      expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(`dashboards/${name}`, 'utf8')));
    }
  });

  it('fits into the object that helm keeps of a release, many times', () => {
    const folder = mkdtempSync(join(tmpdir(), 'graphwarden-package-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { status } = spawnSync(helm ?? '', ['package', chart, '--destination', folder]);
    expect(status).toBe(0);
    const [file = ''] = readdirSync(folder);
    expect(file).toMatch(/^graphwarden-\d+\.\d+\.\d+\.tgz$/);
    expect(statSync(join(folder, file)).size).toBeLessThan(200_000);
  });
});

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
