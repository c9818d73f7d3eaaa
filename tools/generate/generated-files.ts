import { apiReference } from './api-reference.ts';
import { chartFiles } from './chart/chart-files.ts';
import { clientConformance } from './client-conformance.ts';
import { commandsReference } from './commands-reference.ts';
import { configurationReference, schemaFile } from './configuration-reference.ts';
import { dashboards } from './dashboards/all.ts';
import { dashboardFile } from './dashboards/dashboard.ts';
import { exampleFile } from './example-configuration.ts';
import type { GeneratedFile } from './generated-file.ts';
import { metricsCatalogue, metricsReference } from './metrics-reference.ts';
import { readme } from './readme.ts';
import { ruleFiles } from './rules/rule-files.ts';
import { coverageReference } from './server-coverage/coverage-reference.ts';

/** Returns all files that are generated from the code. */
export async function generatedFiles(): Promise<readonly GeneratedFile[]> {
  const delivered = [...dashboards.map(dashboardFile), ...ruleFiles()];
  return [
    schemaFile(),
    readme(),
    exampleFile(),
    configurationReference(),
    commandsReference(),
    metricsReference(),
    await apiReference(),
    clientConformance(),
    coverageReference(),
    metricsCatalogue(),
    ...delivered,
    ...chartFiles(delivered),
  ];
}

/** Returns the paths of files that differ from those on the disk, which `present` returns. */
export function changedFiles(
  files: readonly GeneratedFile[],
  present: (path: string) => string | undefined,
): readonly string[] {
  return files.filter(({ path, text }) => present(path) !== text).map(({ path }) => path);
}
