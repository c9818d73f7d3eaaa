import { rules } from '../alert/rules/all.ts';
import { collectors } from '../collect/all.ts';
import { map, type Result } from '../kernel/result.ts';
import type { Finding, Problem } from '../model/problem.ts';
import type { Config } from './config.ts';
import { crossCheck } from './cross-checks.ts';
import type { Environment } from './environment.ts';
import { familyLabels } from './family-labels.ts';
import { checkGuard } from './guard-checks.ts';
import { validate } from './problems.ts';
import { anchorFiles } from './relative-files.ts';
import { configSchema } from './schema.ts';
import { readYaml } from './yaml-source.ts';

/** The schema of the configuration file over the collectors that there are. */
export const schema = configSchema(collectors, rules);

/** Computed once: the labels of all families never change while the program runs. */
const reserved = familyLabels(collectors);

/**
 * Reads and validates a configuration: the whole of it, or every problem at once. `file` names it in problems
 * and is what relative `*_file` paths are resolved against. No configured value is ever repeated in a problem.
 */
export function loadConfig(text: string, file: string, environment: Environment): Result<Config, readonly Problem[]> {
  const validated = validate(readYaml(text, file, environment), schema, { across });
  return map(validated, (config) => anchorFiles(config, file));
}

function across(value: unknown): readonly Finding[] {
  return [...crossCheck(value, reserved), ...checkGuard(value, collectors)];
}
