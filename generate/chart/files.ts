import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { type GeneratedFile, origin } from '../document.ts';
import { schemaOf } from './schema.ts';
import { chartValues } from './values.ts';
import { valuesFile } from './values-file.ts';

const project = join(import.meta.dirname, '..', '..');
const chart = 'helm/graphwarden';
const manifest = z.object({ version: z.string(), description: z.string(), license: z.string() });

/** The files of the chart that follow from the code, and what it ships of the project's other files. */
export function chartFiles(): readonly GeneratedFile[] {
  return [
    { path: `${chart}/Chart.yaml`, text: chartYaml() },
    { path: `${chart}/values.yaml`, text: valuesFile(chartValues) },
    { path: `${chart}/values.schema.json`, text: `${JSON.stringify(schemaOf(chartValues), null, 2)}\n` },
    ...shipped('dashboards', '.json', (text) => JSON.stringify(JSON.parse(text))),
    ...shipped('dashboards/rules', '.yaml', (text) => text),
  ];
}

/** A chart reads nothing outside its own folder: what it delivers is copied into it. */
function shipped(folder: string, ending: string, made: (text: string) => string): readonly GeneratedFile[] {
  const from = join(project, folder);
  const names = existsSync(from) ? readdirSync(from).filter((name) => name.endsWith(ending)) : [];
  return names.toSorted().map((name) => ({
    path: `${chart}/files/${basename(folder)}/${name}`,
    text: `${made(readFileSync(join(from, name), 'utf8')).trimEnd()}\n`,
  }));
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
