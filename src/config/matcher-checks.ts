import { z } from 'zod';
import { readMatcher } from '../alert/matcher.ts';
import type { Rule } from '../alert/rule.ts';
import { labelNameField } from '../alert/settings.ts';
import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import { alertLabelNames, labelNameProblem, matcherWarnings } from './alert-labels.ts';
import type { Config } from './config.ts';

const list = z.array(z.unknown()).optional().catch(undefined);
const labelled = z.looseObject({ labels: z.record(z.string(), z.unknown()).optional().catch(undefined) });
const entry = z.looseObject({ matchers: list, group_by: list }).optional().catch(undefined);
const entries = z.array(entry).catch([]);

/** Lenient view of the file: absent and invalid values become undefined. */
const view = z.looseObject({
  clusters: z.array(labelled.optional().catch(undefined)).catch([]),
  alerts: z.looseObject({
    routes: entries,
    maintenance: entries,
    rules: z.record(z.string(), labelled.optional().catch(undefined)).catch({}),
  }),
});

/** Finds label names in routes and maintenance windows that no alert has. Works on the raw value, so that all problems are reported together. */
export function checkLabelNames(value: unknown, rules: readonly Rule[]): readonly UnlocatedProblem[] {
  const given = view.safeParse(value);
  if (!given.success) return [];
  const { clusters, alerts } = given.data;
  const configured = [...clusters, ...Object.values(alerts.rules)].flatMap((one) => Object.keys(one?.labels ?? {}));
  const known = alertLabelNames(rules, configured);
  return (['routes', 'maintenance'] as const)
    .flatMap((section) => alerts[section].flatMap((one, at) => labelsOf(one, ['alerts', section, at])))
    .flatMap(({ path, name }) => {
      const problem = labelNameProblem(name, known);
      return problem === undefined ? [] : [{ path, ...problem }];
    });
}

interface UsedLabel {
  readonly path: KeyPath;
  readonly name: string;
}

function labelsOf(one: z.infer<typeof entry>, path: KeyPath): readonly UsedLabel[] {
  const matched = (one?.matchers ?? []).flatMap((text, at) => {
    const matcher = readMatcher(typeof text === 'string' ? text : '');
    return matcher.ok ? [{ path: [...path, 'matchers', at], name: matcher.value.name }] : [];
  });
  const grouped = (one?.group_by ?? []).flatMap((name, at) =>
    labelNameField.safeParse(name).success ? [{ path: [...path, 'group_by', at], name: String(name) }] : [],
  );
  return [...matched, ...grouped];
}

/** Finds matchers in routes and maintenance windows that match no alert of this configuration, or exclude none. */
export function matcherFindings(config: Config, rules: readonly Rule[]): readonly UnlocatedProblem[] {
  return (['routes', 'maintenance'] as const).flatMap((section) =>
    config.alerts[section].flatMap(({ matchers }, at) =>
      matcherWarnings(matchers, config, rules).map(({ index, message, meant }) => ({
        path: ['alerts', section, at, 'matchers', index],
        message,
        ...(meant === undefined ? {} : { hint: `did you mean ${meant.place ?? `\`${meant.value}\``}?` }),
      })),
    ),
  );
}
