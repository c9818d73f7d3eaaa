import { basename } from 'node:path';
import type { GeneratedFile } from '../document.ts';
import { chartYaml } from './chart-yaml.ts';
import { openAlerts } from './open-alerts.ts';
import { readme } from './readme.ts';
import { schemaOf } from './schema.ts';
import { chartValues } from './values.ts';
import { valuesFile } from './values-file.ts';

const chart = 'helm/graphwarden';

/** The files of the chart that follow from the code. `delivered` are the dashboards and rules that it ships. */
export function chartFiles(delivered: readonly GeneratedFile[]): readonly GeneratedFile[] {
  return [
    { path: `${chart}/Chart.yaml`, text: chartYaml() },
    { path: `${chart}/values.yaml`, text: valuesFile(chartValues) },
    { path: `${chart}/values.schema.json`, text: `${JSON.stringify(schemaOf(chartValues), null, 2)}\n` },
    { path: `${chart}/README.md`, text: readme(chartValues) },
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
