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
import { ruleFiles } from './rules/rule-files.ts';
import { coverageReference } from './server-coverage/coverage-reference.ts';

/** Every file that is printed from the code. */
export async function generatedFiles(): Promise<readonly GeneratedFile[]> {
  const delivered = [...dashboards.map(dashboardFile), ...ruleFiles()];
  return [
    schemaFile(),
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

/** The paths of those that differ from what `present` finds on the disk. */
export function changedFiles(
  files: readonly GeneratedFile[],
  present: (path: string) => string | undefined,
): readonly string[] {
  return files.filter(({ path, text }) => present(path) !== text).map(({ path }) => path);
}
