import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { type GeneratedFile, origin } from '../document.ts';
import { openAlerts } from './open-alerts.ts';
import { schemaOf } from './schema.ts';
import { chartValues } from './values.ts';
import { valuesFile } from './values-file.ts';

const project = join(import.meta.dirname, '..', '..');
const chart = 'helm/graphwarden';
const manifest = z.object({ version: z.string(), description: z.string(), license: z.string() });

/** The files of the chart that follow from the code. `delivered` are the dashboards and rules that it ships. */
export function chartFiles(delivered: readonly GeneratedFile[]): readonly GeneratedFile[] {
  return [
    { path: `${chart}/Chart.yaml`, text: chartYaml() },
    { path: `${chart}/values.yaml`, text: valuesFile(chartValues) },
    { path: `${chart}/values.schema.json`, text: `${JSON.stringify(schemaOf(chartValues), null, 2)}\n` },
    ...delivered.flatMap(shipped),
    { path: `${chart}/files/rules/graphwarden.alerts.yaml`, text: openAlerts() },
  ];
}

/** A chart reads nothing outside its own folder: what it delivers is copied into it. The alerts have their own copy. */
function shipped({ path, text }: GeneratedFile): readonly GeneratedFile[] {
  const name = basename(path);
  if (name.endsWith('.json')) {
    return [{ path: `${chart}/files/dashboards/${name}`, text: `${JSON.stringify(JSON.parse(text))}\n` }];
  }
  return name === 'graphwarden.alerts.yaml' ? [] : [{ path: `${chart}/files/rules/${name}`, text }];
}

function chartYaml(): string {
  const { version, description, license } = manifest.parse(
    JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')),
  );
  const text = stringify(
    {
      apiVersion: 'v2',
      name: 'graphwarden',
      description,
      type: 'application',
      version,
      appVersion: version,
      kubeVersion: '>=1.25.0-0',
      keywords: ['prometheus', 'exporter', 'graph', 'database', 'monitoring', 'alerting'],
      annotations: { 'artifacthub.io/license': license },
    },
    { lineWidth: 0 },
  );
  return `# ${origin}\n${text}`;
}
