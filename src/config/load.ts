import { rules } from '../alert/rules/all.ts';
import { collectors } from '../collect/all.ts';
import type { Collector } from '../collect/collector.ts';
import { reducedBody } from '../expose/settings.ts';
import { mapResult, type Result } from '../kernel/result.ts';
import type { ConfigProblem, UnlocatedProblem } from '../model/config-problem.ts';
import { trackerMetrics } from '../track/tracker-metrics.ts';
import { frequentReminders, sameRecipients } from './alert-checks.ts';
import { unusedCollectorSettings } from './collector-checks.ts';
import type { Config, LoadedConfig } from './config.ts';
import { crossCheck, sharedNodes } from './cross-checks.ts';
import { checkCustomQueries } from './custom-checks.ts';
import { type Environment, unexpandedTexts } from './environment.ts';
import { checkGuard, implausibleShares, patternWarnings, precededPolicies, protectedPolicies } from './guard-checks.ts';
import { broadExemptions, shortWindows } from './guard-warnings.ts';
import { inhibitionFindings } from './inhibition-checks.ts';
import { endlessMaintenance, longMaintenance } from './maintenance-checks.ts';
import { checkLabelNames, matcherFindings } from './matcher-checks.ts';
import { firstProblems, validate } from './problems.ts';
import { constantTexts, receiverWarnings } from './receiver-checks.ts';
import { renamedTo } from './renamed-keys.ts';
import { resolveFiles } from './resolve-files.ts';
import { droppedPages, latePages, lateRules, unusedRoutes, withheldFromPagers } from './route-checks.ts';
import { configSchema } from './schema.ts';
import { checkTemplateNames } from './template-checks.ts';
import { checkWebhookTemplates } from './webhook-template-checks.ts';
import { readYaml } from './yaml-source.ts';

/** Schema of the latest load. It is weak, because the schema takes some MiB and is needed only at the start and at reloads. */
let lastSchema: WeakRef<ReturnType<typeof configSchema>> | undefined;

/** Returns the schema of the configuration file with the sections of all collectors and rules. */
export function configFileSchema(): ReturnType<typeof configSchema> {
  const schema = lastSchema?.deref() ?? configSchema(collectors, rules);
  lastSchema = new WeakRef(schema);
  return schema;
}

/** Labels of the self-metrics and of histograms, which no collector declares. */
const selfMetricLabels = ['collector', 'reason', 'quantile', 'le', 'exported_cluster_name'];

/** Labels of all metric families, computed once because they are constant. */
const reservedLabels = familyLabels(collectors);

/**
 * Parses and validates a configuration; returns all problems together, or the configuration with its warnings. `file` is
 * the path in problems, and relative `*_file` paths are resolved against it. Problems never contain configured values.
 */
export function loadConfig(
  text: string,
  file: string,
  environment: Environment,
): Result<LoadedConfig, readonly ConfigProblem[]> {
  const source = readYaml(text, file, environment);
  const validated = validate(source, configFileSchema(), {
    across: checkAcrossSections,
    renamed: renamedTo,
  });
  return mapResult(validated, (config) => ({
    ...resolveFiles(config, file),
    warnings: firstProblems(source, [
      ...routeFindings(config),
      ...endlessMaintenance(config, rules),
      ...longMaintenance(config, rules),
      ...inhibitionFindings(config, rules),
      ...frequentReminders(config.alerts),
      ...sameRecipients(config.alerts),
      ...unexpandedTexts(source.value),
      ...receiverWarnings(config.alerts),
      ...constantTexts(config.alerts),
      ...reducedBody(config.limits),
      ...unusedCollectorSettings(source.value, config.collectors),
      ...patternWarnings(config),
      ...broadExemptions(config.guard),
      ...shortWindows(config.guard),
      ...implausibleShares(config.guard),
      ...protectedPolicies(config.guard),
      ...precededPolicies(config.guard, config.clusters),
      // With policies, a repeated URL is an error.
      ...(config.guard.policies.length === 0 ? sharedNodes(config.clusters) : []),
    ]),
  }));
}

/** Routes with an unknown value are not reported a second time. */
function routeFindings(config: Config): readonly UnlocatedProblem[] {
  const findings = matcherFindings(config, rules);
  const reported = new Set(findings.map(({ path: [, section, at] }) => `${section} ${at}`));
  const unused = unusedRoutes(config, rules).filter(({ path: [, section, at] }) => !reported.has(`${section} ${at}`));
  return [
    ...findings,
    ...unused,
    ...latePages(config, rules),
    ...lateRules(config, rules),
    ...droppedPages(config, rules),
    ...withheldFromPagers(config, rules),
  ];
}

function checkAcrossSections(value: unknown): readonly UnlocatedProblem[] {
  return [
    ...crossCheck(value, reservedLabels),
    ...checkGuard(value, collectors),
    ...checkLabelNames(value, rules),
    ...checkTemplateNames(value, rules),
    ...checkWebhookTemplates(value),
    ...checkCustomQueries(value),
  ];
}

/** Returns the labels of all metric families; the labels of a cluster must not collide with them. */
export function familyLabels(list: readonly Collector[]): ReadonlySet<string> {
  const declared = [...list.flatMap(({ metrics }) => metrics), ...trackerMetrics];
  return new Set([...selfMetricLabels, ...declared.flatMap(({ labels }) => labels)]);
}
