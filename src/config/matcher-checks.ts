import { z } from 'zod';
import { type Matcher, readMatcher } from '../alert/matcher.ts';
import type { Rule } from '../alert/rule.ts';
import { labelNameField } from '../alert/settings.ts';
import { severities } from '../model/alert.ts';
import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import { alertLabelNames, labelNameProblem, matcherWarnings } from './alert-labels.ts';
import type { Config } from './config.ts';
import { withHint } from './name-suggestions.ts';

const list = z.array(z.unknown()).optional().catch(undefined);
const labelled = z.looseObject({ labels: z.record(z.string(), z.unknown()).optional().catch(undefined) });
const entry = z
  .looseObject({ matchers: list, source_matchers: list, target_matchers: list, group_by: list, equal: list })
  .optional()
  .catch(undefined);
const entries = z.array(entry).catch([]);

/** Lenient view of the file: absent and invalid values become undefined. */
const view = z.looseObject({
  clusters: z.array(labelled.optional().catch(undefined)).catch([]),
  alerts: z.looseObject({
    routes: entries,
    maintenance: entries,
    inhibit_rules: entries,
    rules: z.record(z.string(), labelled.optional().catch(undefined)).catch({}),
  }),
});

const sections = ['routes', 'maintenance', 'inhibit_rules'] as const;

/** Finds label names in routes, maintenance windows and inhibitions that no alert has. Works on the raw value, so that all problems are reported together. */
export function checkLabelNames(value: unknown, rules: readonly Rule[]): readonly UnlocatedProblem[] {
  const given = view.safeParse(value);
  if (!given.success) return [];
  const { clusters, alerts } = given.data;
  const configured = [...clusters, ...Object.values(alerts.rules)].flatMap((one) => Object.keys(one?.labels ?? {}));
  const known = alertLabelNames(rules, configured);
  return sections
    .flatMap((section) => alerts[section].flatMap((one, at) => labelsOf(one, ['alerts', section, at])))
    .flatMap(({ path, name }) => {
      const problem = labelNameProblem(name, known);
      return problem === undefined ? [] : [withHint({ path, message: problem.message }, () => problem.hint)];
    });
}

interface UsedLabel {
  readonly path: KeyPath;
  readonly name: string;
}

function labelsOf(one: z.infer<typeof entry>, path: KeyPath): readonly UsedLabel[] {
  const matched = (['matchers', 'source_matchers', 'target_matchers'] as const).flatMap((key) =>
    (one?.[key] ?? []).flatMap((text, at) => {
      const matcher = readMatcher(typeof text === 'string' ? text : '');
      return matcher.ok ? [{ path: [...path, key, at], name: matcher.value.name }] : [];
    }),
  );
  const compared = (['group_by', 'equal'] as const).flatMap((key) =>
    (one?.[key] ?? []).flatMap((name, at) =>
      labelNameField.safeParse(name).success ? [{ path: [...path, key, at], name: String(name) }] : [],
    ),
  );
  return [...matched, ...compared];
}

/** Finds matchers that match no alert of this configuration, or exclude none. */
export function matcherFindings(config: Config, rules: readonly Rule[]): readonly UnlocatedProblem[] {
  return matcherLists(config.alerts).flatMap(({ path, matchers }) =>
    matcherWarnings(matchers, config, rules).map((warning) =>
      withHint({ path: ['alerts', ...path, warning.index], message: warning.message }, () => {
        const { meant, index } = warning;
        if (meant !== undefined) return `did you mean ${meant.path ?? `\`${meant.value}\``}?`;
        const { name, operator } = matchers[index] ?? {};
        return name === 'severity' && (operator === '=' || operator === '=~')
          ? `use ${severities.join(', ')}`
          : undefined;
      }),
    ),
  );
}

function matcherLists({
  routes,
  maintenance,
  inhibitRules = [],
}: Config['alerts']): readonly { readonly path: KeyPath; readonly matchers: readonly Matcher[] }[] {
  return [
    ...routes.map(({ matchers }, at) => ({ path: ['routes', at, 'matchers'], matchers })),
    ...maintenance.map(({ matchers }, at) => ({ path: ['maintenance', at, 'matchers'], matchers })),
    ...inhibitRules.flatMap(({ sourceMatchers, targetMatchers }, at) => [
      { path: ['inhibit_rules', at, 'source_matchers'], matchers: sourceMatchers },
      { path: ['inhibit_rules', at, 'target_matchers'], matchers: targetMatchers },
    ]),
  ];
}
