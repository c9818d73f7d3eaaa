import { chartFiles } from './chart/files.ts';
import { configurationReference, schemaFile } from './configuration.ts';
import { dashboards } from './dashboards/all.ts';
import { dashboardFile } from './dashboards/dashboard.ts';
import type { GeneratedFile } from './document.ts';
import { exampleFile } from './example.ts';
import { metricsCatalogue, metricsReference } from './metrics.ts';
import { ruleFiles } from './rules/files.ts';

/** Every file that is printed from the code. */
export function documents(): readonly GeneratedFile[] {
  const delivered = [...dashboards.map(dashboardFile), ...ruleFiles()];
  return [
    schemaFile(),
    exampleFile(),
    configurationReference(),
    metricsReference(),
    metricsCatalogue(),
    ...delivered,
    ...chartFiles(delivered),
  ];
}

/** The paths of those that differ from what `present` finds on the disk. */
export function drifted(
  files: readonly GeneratedFile[],
  present: (path: string) => string | undefined,
): readonly string[] {
  return files.filter(({ path, text }) => present(path) !== text).map(({ path }) => path);
}
