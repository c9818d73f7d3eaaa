import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { allValues } from './all-values.ts';
import { chart, helm, helmRender, manifestsIn, templates, valueFiles } from './chart.ts';

/** Values of a file, without random passwords. */
function valuesOf(file: string): object {
  const values = parse(readFileSync(join(chart, 'ci', `${file}-values.yaml`), 'utf8'));
  return { ...values, web: { createUsers: false, ...values?.web } };
}

describe.skipIf(helmRender === undefined)('Helm 3', () => {
  const sets = [...valueFiles.map(valuesOf), allValues, { clusters: [] }, { unknown: true }];
  const [three, four] = helmRender === undefined ? [] : [templates(sets, 3), templates(sets, 4)];

  it.each([...valueFiles, 'everything', 'a rejected value', 'an unknown key'].map((name, at) => [name, at] as const))(
    'renders the same as Helm 4: %s',
    (_, at) => {
      expect(three?.[at]).toEqual(four?.[at]);
      expect(three?.[at]?.error === '').toBe(at < valueFiles.length + 1);
    },
  );
});

describe.skipIf(helm === undefined)('a parent chart', () => {
  it('switches the chart by a condition, and keeps anchors in its values', () => {
    const folder = mkdtempSync(join(tmpdir(), 'graphwarden-parent-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const dependencies = [{ name: 'graphwarden', version: '>=0.0.0-0', condition: 'graphwarden.enabled' }];
    const parent = { apiVersion: 'v2', name: 'platform', version: '1.0.0', dependencies };
    const values = {
      global: { imageRegistry: 'registry.example.org', imagePullSecrets: ['regcred'], other: { a: 1 } },
      graphwarden: { enabled: true, 'x-common': { team: 'graph' }, clusters: [{ name: 'prod' }] },
    };
    writeFileSync(join(folder, 'Chart.yaml'), stringify(parent));
    writeFileSync(join(folder, 'values.yaml'), stringify(values));
    cpSync(chart, join(folder, 'charts/graphwarden'), { recursive: true });
    const rendered = ['true', 'false'].map((enabled) => {
      const args = ['template', 'x', folder, '--set', `graphwarden.enabled=${enabled}`];
      const { stdout, stderr, status } = spawnSync(helm ?? '', args, { encoding: 'utf8' });
      expect(status, stderr).toBe(0);
      return manifestsIn(stdout);
    });
    expect(JSON.stringify(rendered[0])).toContain('registry.example.org/graphwarden/graphwarden:');
    expect(rendered[0]).toContainEqual(
      expect.objectContaining({
        kind: 'Deployment',
        spec: expect.objectContaining({
          template: expect.objectContaining({
            spec: expect.objectContaining({ imagePullSecrets: [{ name: 'regcred' }] }),
          }),
        }),
      }),
    );
    expect(rendered[1]).toEqual([]);
  });
});
