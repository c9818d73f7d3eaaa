import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { chartFiles } from '../../../../tools/generate/chart/chart-files.ts';

const board = { path: 'dashboards/a.json', text: '{\n  "uid": "graphwarden-a"\n}\n' };
const records = { path: 'dashboards/rules/graphwarden.records.yaml', text: 'groups: []\n' };
const files = new Map(chartFiles([board, records]).map(({ path, text }) => [path, text]));
const project = z.object({ version: z.string() });

describe('the files of the chart', () => {
  it('are in its own folder: it reads no other', () => {
    for (const path of files.keys()) expect(path).toMatch(/^helm\/graphwarden\//);
  });

  it('have dashboards without descriptions, and unchanged rules', () => {
    expect(files.get('helm/graphwarden/files/dashboards/a.json')).toBe('{"uid":"graphwarden-a"}\n');
    expect(files.get('helm/graphwarden/files/rules/graphwarden.records.yaml')).toBe(records.text);
    expect(files.get('helm/graphwarden/files/rules/graphwarden.alerts.yaml')).toContain(
      'alert: GraphdbNodeUnreachable',
    );
  });

  it('are of the version of the program', async () => {
    const { default: manifest } = await import('../../../../package.json', { with: { type: 'json' } });
    const { version } = project.parse(manifest);
    expect(parse(files.get('helm/graphwarden/Chart.yaml') ?? '')).toMatchObject({ version, appVersion: version });
  });

  it('have a README with every value', () => {
    const readme = files.get('helm/graphwarden/README.md') ?? '';
    for (const path of [
      'mode',
      'clusters[].readAuth.existingSecret',
      'prometheusRule.thresholds.disk_filling.below_bytes',
    ]) {
      expect(readme).toContain(`| \`${path}\` |`);
    }
    expect(readme).not.toContain('undefined');
  });

  it('have descriptions for artifacthub that are YAML themselves', () => {
    const { annotations } = z
      .object({ annotations: z.record(z.string(), z.string()) })
      .parse(parse(files.get('helm/graphwarden/Chart.yaml') ?? ''));
    expect(parse(annotations['artifacthub.io/links'] ?? '')).toContainEqual(
      expect.objectContaining({ name: 'Runbook' }),
    );
    expect(parse(annotations['artifacthub.io/images'] ?? '')).toHaveLength(1);
    expect(parse(annotations['artifacthub.io/changes'] ?? '')).toContainEqual({
      kind: 'added',
      description: expect.stringContaining('A chart for Kubernetes'),
    });
    const [{ url }] = z
      .tuple([z.object({ url: z.string() })])
      .parse(parse(annotations['artifacthub.io/screenshots'] ?? ''));
    expect(existsSync(url.replace(/^.*\/main\//, ''))).toBe(true);
  });
});
