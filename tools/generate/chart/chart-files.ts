import { basename } from 'node:path';
import type { GeneratedFile } from '../generated-file.ts';
import { alertTemplate } from './alert-template.ts';
import { chartYaml } from './chart-yaml.ts';
import { readme } from './readme.ts';
import { receiverTemplate } from './receiver-template.ts';
import { schemaOf } from './schema.ts';
import { chartValues } from './values.ts';
import { valuesFile } from './values-file.ts';

const chart = 'helm/graphwarden';

/** Returns the generated files of the chart. `delivered` are the dashboards and rules that it contains. */
export function chartFiles(delivered: readonly GeneratedFile[]): readonly GeneratedFile[] {
  return [
    { path: `${chart}/Chart.yaml`, text: chartYaml() },
    { path: `${chart}/values.yaml`, text: valuesFile(chartValues) },
    { path: `${chart}/values.schema.json`, text: `${JSON.stringify(schemaOf(chartValues), null, 2)}\n` },
    { path: `${chart}/README.md`, text: readme(chartValues) },
    { path: `${chart}/templates/_receivers.tpl`, text: receiverTemplate() },
    ...delivered.flatMap(chartCopyOf),
    { path: `${chart}/files/rules/graphwarden.alerts.yaml`, text: alertTemplate() },
  ];
}

/** Returns the copy of a file in the chart, which cannot use files outside of its folder. The alerts have their own template. */
function chartCopyOf({ path, text }: GeneratedFile): readonly GeneratedFile[] {
  const name = basename(path);
  if (name.endsWith('.json')) {
    return [{ path: `${chart}/files/dashboards/${name}`, text: `${JSON.stringify(JSON.parse(text))}\n` }];
  }
  return name === 'graphwarden.alerts.yaml' ? [] : [{ path: `${chart}/files/rules/${name}`, text }];
}
